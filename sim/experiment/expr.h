/*
 * Arithmetic written as text: what an experiment computes from a run's figures, or from the columns
 * of a published row. Knows operators, not what a name stands for.
 *
 *   elapsed_s
 *   100 * (write_kbytes_per_s / write_kbytes_per_s@3x - 1)
 *   change_s[11] - change_s[10]
 *
 * + - * / and parentheses; abs, sqrt, floor, min and max. A name may have an index in brackets and,
 * after @, the variant it is of (up to a blank or an operator other than + - and .).
 */
#pragma once

#include <stddef.h>

#include "sim/base/arena.h"
#include "sim/base/error.h"

struct expr_name {
	const char *name;
	const char *of; /* the variant after @; NULL: the one at hand */
	bool indexed;
};

struct expr_op;

struct expr {
	const char *text;
	struct expr_op *ops;
	size_t nr_ops;
	struct expr_name *names; /* in order of appearance */
	size_t nr_names;
};

/* Reads @text, which stands at @at. 0 or -1 with @err (code 2). */
int expr_parse(struct arena *arena, const char *text, struct where at, struct expr *expr,
	struct error *err);

/* The value of name number @name, 0 or -1 with the error set. @index is NaN without one. */
struct expr_values {
	int (*get)(void *arg, const struct expr *expr, size_t name, double index, double *value);
	void *arg;
};

/* 0 with *value (a quotient by zero is NaN or infinite), or -1 when a name has no value. */
int expr_value(const struct expr *expr, const struct expr_values *values, double *value);
