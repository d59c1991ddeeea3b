/*
 * How a set to compare is put together, whatever table it is read from. For compare_*.c alone.
 */
#pragma once

#include "sim/report/compare.h"

/* What a directory is called: its last name, unless that of another is the same. 0 or -1 with
 * @err. */
int compare_set_name(struct arena *arena, const char *const *dirs, size_t nr, size_t i,
	const char **name, struct error *err);
/* The series of that name, new with room for @max samples; NULL with @err: there are too many. */
struct series *compare_set_series(
	struct comparison_set *set, const char *name, size_t max, struct error *err);
/* All samples are there: baseline, rows, series that measures refer to. 0 or -1 with @err. */
int compare_set_finish(struct comparison_set *set, const char *baseline, struct error *err);
