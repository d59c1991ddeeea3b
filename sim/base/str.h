/*
 * Text to integers with units, and the nearest name for a typo. Knows spelling, not meaning.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a number counts. The stored integer is in the unit named; a bare number in text means that
 * same unit, except for the two ratios, where bare text is the plain ratio. */
enum unit {
	UNIT_NONE,  /* a count */
	UNIT_NS,    /* time; text may say ns us ms s min */
	UNIT_US,    /* time in microseconds (most sysfs files) */
	UNIT_KHZ,   /* text may say kHz MHz GHz */
	UNIT_PCT,   /* percent; text may end in % */
	UNIT_PPM,   /* a ratio: "0.24" is stored as 240000; "24%" too */
	UNIT_UV,    /* uV mV V */
	UNIT_UW,    /* uW mW W */
	UNIT_NJ,    /* nJ uJ mJ J */
	UNIT_MC,    /* temperature as in sysfs: mC C */
	UNIT_BYTES, /* B KiB MiB */
};

/* Name of the stored unit as printed beside a value: "us", "kHz", "" for a count or a ratio. */
const char *unit_name(enum unit unit);

/* Every suffix the unit's text may carry: "us ns ms s min"; "" for a count. */
void unit_suffixes(enum unit unit, char *buf, size_t size);

/* Parses the whole of @text. Decimals are allowed when the result is whole in the stored unit.
 * Returns 0, or -1 when it is no such number (bad digits, unknown suffix, not whole, too big). */
int str_to_i64(const char *text, enum unit unit, int64_t *value);

/* The shortest exact text of @value that str_to_i64() reads back: "10ms", "2.8GHz", "0.24". */
void str_from_i64(int64_t value, enum unit unit, char *buf, size_t size);

/* Damerau-Levenshtein distance, case ignored, '-' and '_' alike; texts over 63 bytes are cut. */
int str_distance(const char *a, const char *b);

/* The name nearest to @text, or NULL when none is near enough to be a typo of it. */
const char *str_nearest(const char *text, const char *const *names, size_t nr);

/* The end of a message about an unknown name: `did you mean "x"?`, or the known names. */
void str_suggest(const char *text, const char *const *names, size_t nr, char *buf, size_t size);
