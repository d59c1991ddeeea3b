/*
 * `run --explain`: every decision of the governor for one CPU in a stretch of time, or how often
 * each rule decided. Knows records, not governors.
 */
#pragma once

#include "sim/cmd.h"

struct decision_record;
struct scenario;

struct explain {
	bool summary; /* counts by rule instead of evaluations */
	int64_t cpu;
	int64_t from_ns, to_ns; /* both inclusive */
};

/* Reads "cpu=3,from=1.20s,to=1.25s" (from and to may be left out) or "summary". */
int explain_parse(struct cmd_env *env, const char *text, struct explain *explain);

/* One evaluation in words: rule, what went in and came out, what became of the request. */
void explain_print(const struct decision_record *record);

/* Runs the first repeat of @scenario and prints what was asked. */
int explain_run(
	struct cmd_env *env, const struct scenario *scenario, const struct explain *explain);
