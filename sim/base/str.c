#include "sim/base/str.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "sim/base/units.h"

/* stored = number x mul / div */
struct suffix {
	const char *text;
	int64_t mul, div;
};

#define MAX_SUFFIXES 5

/* The first suffix of a unit is its name; bare_mul is for a number without a suffix. */
struct unit_info {
	struct suffix suffixes[MAX_SUFFIXES + 1];
	int64_t bare_mul;
};

static const struct unit_info units[] = {
	[UNIT_NONE] = { .suffixes = { { 0 } }, .bare_mul = 1 },
	[UNIT_NS] = { .suffixes = { { "ns", 1, 1 }, { "us", 1000, 1 }, { "ms", 1000000, 1 },
			      { "s", 1000000000, 1 }, { "min", INT64_C(60000000000), 1 } },
		.bare_mul = 1 },
	[UNIT_US] = { .suffixes = { { "us", 1, 1 }, { "ns", 1, 1000 }, { "ms", 1000, 1 },
			      { "s", 1000000, 1 }, { "min", 60000000, 1 } },
		.bare_mul = 1 },
	[UNIT_KHZ] = { .suffixes = { { "kHz", 1, 1 }, { "MHz", 1000, 1 }, { "GHz", 1000000, 1 } },
		.bare_mul = 1 },
	[UNIT_PCT] = { .suffixes = { { "%", 1, 1 } }, .bare_mul = 1 },
	[UNIT_PPM] = { .suffixes = { { "ppm", 1, 1 }, { "%", 10000, 1 } }, .bare_mul = 1000000 },
	[UNIT_UV] = { .suffixes = { { "uV", 1, 1 }, { "mV", 1000, 1 }, { "V", 1000000, 1 } },
		.bare_mul = 1 },
	[UNIT_UW] = { .suffixes = { { "uW", 1, 1 }, { "mW", 1000, 1 }, { "W", 1000000, 1 } },
		.bare_mul = 1 },
	[UNIT_NJ] = { .suffixes = { { "nJ", 1, 1 }, { "uJ", 1000, 1 }, { "mJ", 1000000, 1 },
			      { "J", 1000000000, 1 } },
		.bare_mul = 1 },
	[UNIT_MC] = { .suffixes = { { "mC", 1, 1 }, { "C", 1000, 1 } }, .bare_mul = 1 },
	[UNIT_BYTES] = { .suffixes = { { "B", 1, 1 }, { "KiB", 1024, 1 }, { "MiB", 1048576, 1 } },
		.bare_mul = 1 },
};

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Locale-free, and '_' reads as '-'. */
static char fold(char c)
{
	if (c >= 'A' && c <= 'Z')
		return (char)(c - 'A' + 'a');
	return c == '_' ? '-' : c;
}

static bool folds_alike(const char *a, const char *b)
{
	while (*a && fold(*a) == fold(*b)) {
		a++;
		b++;
	}
	return !*a && !*b;
}

const char *unit_name(enum unit unit)
{
	if (unit == UNIT_NONE || unit == UNIT_PPM)
		return "";
	return units[unit].suffixes[0].text;
}

void unit_suffixes(enum unit unit, char *buf, size_t size)
{
	size_t used = 0;

	if (size)
		buf[0] = '\0';
	for (const struct suffix *s = units[unit].suffixes; s->text && used < size; s++)
		used += (size_t)snprintf(buf + used, size - used, "%s%s", used ? " " : "", s->text);
}

/* Clock suffixes are read in any case ("mhz" is common); a power or a voltage is not, as its
 * prefix letter decides. */
static bool suffix_is(enum unit unit, const char *text, const char *suffix)
{
	return unit == UNIT_KHZ ? folds_alike(text, suffix) : strcmp(text, suffix) == 0;
}

static int find_suffix(enum unit unit, const char *text, int64_t *mul, int64_t *div)
{
	if (!*text) {
		*mul = units[unit].bare_mul;
		*div = 1;
		return 0;
	}
	for (const struct suffix *s = units[unit].suffixes; s->text; s++) {
		if (suffix_is(unit, text, s->text)) {
			*mul = s->mul;
			*div = s->div;
			return 0;
		}
	}
	return -1;
}

/* Most digits after the point: 10^15 times the largest divisor still fits. */
#define MAX_DECIMALS 15

/* Reads digits with at most one point: the number is *digits / *scale. Returns what follows. */
static const char *read_decimal(const char *p, int64_t *digits, int64_t *scale)
{
	int nr_digits = 0, decimals = 0;
	bool point = false;

	*digits = 0;
	*scale = 1;
	for (; is_digit(*p) || (*p == '.' && !point); p++) {
		if (*p == '.') {
			point = true;
			continue;
		}
		int digit = *p - '0';
		if (*digits > (INT64_MAX - digit) / 10 || (point && ++decimals > MAX_DECIMALS))
			return NULL;
		*digits = *digits * 10 + digit;
		if (point)
			*scale *= 10;
		nr_digits++;
	}
	/* "5." is half a number. */
	return nr_digits && !(point && !decimals) ? p : NULL;
}

static int64_t gcd(int64_t a, int64_t b)
{
	while (b) {
		int64_t r = a % b;

		a = b;
		b = r;
	}
	return a;
}

int str_to_i64(const char *text, enum unit unit, int64_t *value)
{
	bool negative = *text == '-';
	int64_t digits, scale, mul, div;
	const char *rest = read_decimal(text + negative, &digits, &scale);

	if (!rest)
		return -1;
	while (*rest == ' ')
		rest++;
	if (find_suffix(unit, rest, &mul, &div) < 0)
		return -1;
	/* Exact: digits x mul / (scale x div), reduced first so that nothing overflows early. */
	div *= scale;
	int64_t common = gcd(mul, div);
	mul /= common;
	div /= common;
	if (digits % div || digits / div > INT64_MAX / mul)
		return -1;
	*value = digits / div * mul;
	if (negative)
		*value = -*value;
	return 0;
}

/* @value in a unit that is mul / div of the stored one, as an exact decimal. 0 when there is none
 * of reasonable length. */
static int print_decimal(
	int64_t value, int64_t mul, int64_t div, const char *suffix, char *buf, size_t size)
{
	uint64_t v = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
	uint64_t m = (uint64_t)mul;
	char decimals[MAX_DECIMALS + 1];
	int nr = 0;

	if (v > UINT64_MAX / (uint64_t)div)
		return 0;
	v *= (uint64_t)div;
	/* m is far below 2^64 / 10 and so is the remainder. */
	for (uint64_t r = v % m; r; nr++) {
		if (nr == MAX_DECIMALS)
			return 0;
		decimals[nr] = (char)('0' + (char)(r * 10 / m));
		r = r * 10 % m;
	}
	decimals[nr] = '\0';
	return snprintf(buf, size, "%s%" PRIu64 "%s%s%s", value < 0 ? "-" : "", v / m,
		nr ? "." : "", decimals, suffix);
}

void str_from_i64(int64_t value, enum unit unit, char *buf, size_t size)
{
	const struct suffix *best = NULL;
	int best_len = 0;
	char text[64];

	if (unit == UNIT_PPM && print_decimal(value, units[unit].bare_mul, 1, "", buf, size))
		return;
	if (value)
		for (const struct suffix *s = units[unit].suffixes; s->text; s++) {
			int len = print_decimal(value, s->mul, s->div, s->text, text, sizeof(text));

			/* "100ms" reads better than the shorter "0.1s". */
			bool below_one = text[value < 0] == '0';
			if (len && !below_one && (!best || len < best_len)) {
				best = s;
				best_len = len;
			}
		}
	if (best)
		print_decimal(value, best->mul, best->div, best->text, buf, size);
	else
		snprintf(buf, size, "%" PRId64, value);
}

#define MAX_COMPARED 63

static int min3(int a, int b, int c)
{
	int m = a < b ? a : b;

	return m < c ? m : c;
}

int str_distance(const char *a, const char *b)
{
	int rows[3][MAX_COMPARED + 1];
	int *before = rows[0], *above = rows[1], *row = rows[2];
	int len_a = (int)strnlen(a, MAX_COMPARED), len_b = (int)strnlen(b, MAX_COMPARED);

	for (int j = 0; j <= len_b; j++)
		row[j] = j;
	for (int i = 1; i <= len_a; i++) {
		int *oldest = before;

		before = above;
		above = row;
		row = oldest;
		row[0] = i;
		for (int j = 1; j <= len_b; j++) {
			char ca = fold(a[i - 1]), cb = fold(b[j - 1]);

			row[j] = min3(above[j] + 1, row[j - 1] + 1, above[j - 1] + (ca != cb));
			if (i > 1 && j > 1 && ca == fold(b[j - 2]) && fold(a[i - 2]) == cb)
				row[j] = min3(row[j], before[j - 2] + 1, row[j]);
		}
	}
	return row[len_b];
}

/* The start of a longer name, as in "acpi" for "acpi-cpufreq". */
static bool is_start_of(const char *text, const char *name)
{
	size_t len = 0;

	while (text[len] && fold(text[len]) == fold(name[len]))
		len++;
	return !text[len] && len >= 3;
}

const char *str_nearest(const char *text, const char *const *names, size_t nr)
{
	int limit = (int)strnlen(text, MAX_COMPARED) / 3;
	const char *nearest = NULL;

	/* One slip is a typo in any word but one of a single letter. */
	if (limit < 1 && text[0] && text[1])
		limit = 1;
	for (size_t i = 0; i < nr; i++) {
		int distance = str_distance(text, names[i]);

		if (distance <= limit) {
			nearest = names[i];
			limit = distance - 1;
		}
	}
	for (size_t i = 0; i < nr && !nearest; i++)
		if (is_start_of(text, names[i]))
			nearest = names[i];
	return nearest;
}

#define MAX_LISTED 10

void str_suggest(const char *text, const char *const *names, size_t nr, char *buf, size_t size)
{
	const char *nearest = str_nearest(text, names, nr);

	if (nearest) {
		snprintf(buf, size, "did you mean \"%s\"?", nearest);
		return;
	}
	size_t used = (size_t)snprintf(buf, size, "%s", nr ? "known: " : "there are none");
	for (size_t i = 0; i < nr && i < MAX_LISTED && used < size; i++)
		used += (size_t)snprintf(buf + used, size - used, "%s%s", i ? ", " : "", names[i]);
	if (nr > MAX_LISTED && used < size)
		snprintf(buf + used, size - used, ", ...");
}
