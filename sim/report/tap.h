/*
 * Several listeners to one run: each has every record of the kernel, and every evaluation of
 * intel_pstate as its tracepoint shows it. Knows tracepoints and decisions; knows no format.
 */
#pragma once

#include "sim/base/arena.h"
#include "sim/kernel/kernel.h"
#include "sim/report/pstate_csv.h"

#define TAPS_MAX 8

struct tap {
	void (*take)(void *arg, const struct tracepoint *record);
	void (*sample)(void *arg, const struct pstate_row *row); /* may be NULL */
	void *arg;
};

struct taps {
	struct tap taps[TAPS_MAX];
	int nr;
	struct pstate_rows rows;
};

/* Between run_build() and run_execute(); the first call makes @taps the run's listener. */
void taps_add(struct taps *taps, struct arena *arena, struct kernel *kernel, struct tap tap);
