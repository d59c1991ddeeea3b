#include "sim/experiment/tolerance.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Numbers that went through decimal text and back. */
#define SAME 1e-9

static int read_number(const char *text, const char *rest, double *value)
{
	char *end;

	*value = strtod(text, &end);
	return end != text && strcmp(end, rest) == 0 && isfinite(*value) && *value >= 0 ? 0 : -1;
}

static int read_range(const char *text, const char *between, struct tolerance *tolerance)
{
	const char *middle = strstr(text, between);
	char low[32];

	if (!middle || middle - text >= (ptrdiff_t)sizeof(low))
		return -1;
	snprintf(low, sizeof(low), "%.*s", (int)(middle - text), text);
	tolerance->kind = TOLERANCE_RANGE;
	if (read_number(low, "", &tolerance->low) < 0 ||
		read_number(middle + strlen(between), "", &tolerance->high) < 0)
		return -1;
	return tolerance->low <= tolerance->high ? 0 : -1;
}

int tolerance_parse(const char *text, struct tolerance *tolerance)
{
	static const char factor[] = "factor ", plus_minus[] = "+-";

	*tolerance = (struct tolerance){ .kind = TOLERANCE_EXACT };
	if (strcmp(text, "exact") == 0)
		return 0;
	if (strncmp(text, factor, strlen(factor)) == 0) {
		tolerance->kind = TOLERANCE_FACTOR;
		if (read_number(text + strlen(factor), "", &tolerance->value) < 0)
			return -1;
		return tolerance->value >= 1 ? 0 : -1;
	}
	if (strncmp(text, plus_minus, strlen(plus_minus)) == 0) {
		tolerance->kind = TOLERANCE_ABSOLUTE;
		return read_number(text + strlen(plus_minus), "", &tolerance->value);
	}
	if (strstr(text, ".."))
		return read_range(text, "..", tolerance);
	tolerance->kind = TOLERANCE_PERCENT;
	return read_number(text, "%", &tolerance->value);
}

int tolerance_from_target(const char *kind, const char *value, struct tolerance *tolerance)
{
	static const struct {
		const char *name;
		enum tolerance_kind kind;
	} kinds[] = {
		{ "relative_percent", TOLERANCE_PERCENT },
		{ "absolute", TOLERANCE_ABSOLUTE },
		{ "factor", TOLERANCE_FACTOR },
	};

	*tolerance = (struct tolerance){ .kind = TOLERANCE_EXACT };
	if (strcmp(kind, "exact") == 0)
		return 0;
	if (strcmp(kind, "range") == 0)
		return read_range(value, "-", tolerance);
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		if (strcmp(kind, kinds[i].name) == 0) {
			tolerance->kind = kinds[i].kind;
			return read_number(value, "", &tolerance->value);
		}
	}
	return -1;
}

void tolerance_print(const struct tolerance *tolerance, char *buf, size_t size)
{
	switch (tolerance->kind) {
	case TOLERANCE_NONE:
		snprintf(buf, size, "%s", "");
		break;
	case TOLERANCE_EXACT:
		snprintf(buf, size, "exact");
		break;
	case TOLERANCE_PERCENT:
		snprintf(buf, size, "%g%%", tolerance->value);
		break;
	case TOLERANCE_ABSOLUTE:
		snprintf(buf, size, "+-%g", tolerance->value);
		break;
	case TOLERANCE_FACTOR:
		snprintf(buf, size, "factor %g", tolerance->value);
		break;
	case TOLERANCE_RANGE:
		snprintf(buf, size, "%g..%g", tolerance->low, tolerance->high);
		break;
	}
}

bool tolerance_holds(const struct tolerance *tolerance, double published, double simulated)
{
	double difference = fabs(simulated - published);

	switch (tolerance->kind) {
	case TOLERANCE_NONE:
		return true;
	case TOLERANCE_EXACT:
		return difference <= SAME * fabs(published);
	case TOLERANCE_PERCENT:
		return difference <= tolerance->value / 100 * fabs(published);
	case TOLERANCE_ABSOLUTE:
		return difference <= tolerance->value;
	case TOLERANCE_FACTOR:
		return simulated <= published * tolerance->value &&
			simulated >= published / tolerance->value;
	case TOLERANCE_RANGE:
		return simulated >= tolerance->low && simulated <= tolerance->high;
	}
	return false;
}

double tolerance_units(const struct tolerance *tolerance, double published, double simulated)
{
	double difference = simulated - published, width = 0;

	switch (tolerance->kind) {
	case TOLERANCE_PERCENT:
		width = tolerance->value / 100 * fabs(published);
		break;
	case TOLERANCE_ABSOLUTE:
		width = tolerance->value;
		break;
	case TOLERANCE_RANGE:
		width = (tolerance->high - tolerance->low) / 2;
		break;
	case TOLERANCE_FACTOR:
		if (tolerance->value > 1 && published > 0 && simulated > 0)
			return log(simulated / published) / log(tolerance->value);
		break;
	case TOLERANCE_NONE:
	case TOLERANCE_EXACT:
		break;
	}
	if (width > 0)
		return difference / width;
	return published != 0 ? 100 * difference / fabs(published) : difference;
}
