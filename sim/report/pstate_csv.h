/*
 * Evaluations of intel_pstate as the kernel's tracepoint pstate_sample shows them, and the table
 * that intel_pstate_tracer of the kernel's tools makes of it: the same 18 columns. Knows decision
 * records and those columns; knows no governor.
 */
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include "sim/base/arena.h"
#include "sim/kernel/kernel.h"

#define PSTATE_COMM 24

/* One evaluation: counters in cycles since the one before on this CPU, levels, percents. */
struct pstate_row {
	int64_t t_ns;
	int cpu;
	int64_t core_busy, scaled, from, to, freq_khz, io_boost;
	uint64_t mperf, aperf, tsc;
	int64_t duration_ns;
	int64_t nr; /* of this CPU's evaluations, from 1 */
	const char *comm;
};

struct pstate_last;

struct pstate_rows {
	const struct kernel *kernel;
	struct pstate_last *last; /* per CPU */
};

void pstate_rows_start(struct pstate_rows *rows, struct arena *arena, const struct kernel *kernel);
/* False when @record is no evaluation of intel_pstate with a sample. */
bool pstate_row_of(
	struct pstate_rows *rows, const struct decision_record *record, struct pstate_row *row);

/* The table: its heads, then row by row. @arg: where it goes, a FILE. */
void pstate_csv_start(FILE *out);
void pstate_csv_row(void *arg, const struct pstate_row *row);
