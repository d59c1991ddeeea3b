/*
 * Files of a tree that looks like sysfs: the live one, or a copy. Knows paths below its root and
 * the few spellings of values there; knows no meaning. A tree may be anything: what is no plain
 * file is not opened, what is long is cut.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/base/arena.h"

#define SYSFS_CPUS_MAX 4096

struct sysfs {
	struct arena *arena;
	const char *root; /* "/sys" */
};

/* The first line of a file named as by printf(), without blanks around it; NULL: there is none. */
const char *sysfs_text(const struct sysfs *sysfs, const char *format, ...);
/* The number a file holds; -1: none, or no number of at most 2^53. */
int64_t sysfs_number(const struct sysfs *sysfs, const char *format, ...);
/* Numbers in a text such as "800000 1600000", in ascending order, each once; how many. */
size_t sysfs_numbers(const struct sysfs *sysfs, const char *text, int64_t **numbers);
/* Marks what a text such as "0-3,8" or "0 1 2 3" lists in @cpus[SYSFS_CPUS_MAX]; how many, 0: it
 * lists none, or something else. */
int sysfs_cpus(const char *text, bool *cpus);
