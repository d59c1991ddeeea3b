/*
 * How far a simulated number may be from the published one, and whether it is. Knows numbers, not
 * where they come from.
 *
 * As text: "4%" of the published number, "+-13" in its unit, "factor 2" either way, "20..25", or
 * "exact".
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum tolerance_kind {
	TOLERANCE_NONE,
	TOLERANCE_EXACT,
	TOLERANCE_PERCENT,
	TOLERANCE_ABSOLUTE,
	TOLERANCE_FACTOR,
	TOLERANCE_RANGE,
};

struct tolerance {
	enum tolerance_kind kind;
	double value;     /* PERCENT, ABSOLUTE, FACTOR */
	double low, high; /* RANGE */
};

/* Reads the text above. 0, or -1 when it is none. */
int tolerance_parse(const char *text, struct tolerance *tolerance);
/* Reads the columns tolerance_kind and tolerance of a table of targets. */
int tolerance_from_target(const char *kind, const char *value, struct tolerance *tolerance);
void tolerance_print(const struct tolerance *tolerance, char *buf, size_t size);

/* How far off it is in tolerances, with its sign: 1 is just within. In percent where there is no
 * width to count in. */
double tolerance_units(const struct tolerance *tolerance, double published, double simulated);
bool tolerance_holds(const struct tolerance *tolerance, double published, double simulated);
