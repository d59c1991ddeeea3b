#include "sim/base/str.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <criterion/parameterized.h>
#include <stdio.h>
#include <string.h>

struct number {
	char text[32];
	enum unit unit;
	int64_t value;
	char printed[32];
};

ParameterizedTestParameters(str, numbers_with_units_are_exact)
{
	static struct number rows[] = {
		{ "417", UNIT_NONE, 417, "417" },
		{ "-17", UNIT_NONE, -17, "-17" },
		{ "0", UNIT_US, 0, "0" },
		{ "10ms", UNIT_US, 10000, "10ms" },
		{ "43.815 ms", UNIT_US, 43815, "43815us" },
		{ "2000ns", UNIT_US, 2, "2us" },
		{ "1.5min", UNIT_NS, INT64_C(90000000000), "90s" },
		{ "510us", UNIT_NS, 510000, "510us" },
		{ "0.25s", UNIT_NS, 250000000, "250ms" },
		{ "1885000", UNIT_KHZ, 1885000, "1885MHz" },
		{ "2.8GHz", UNIT_KHZ, 2800000, "2.8GHz" },
		{ "1200mhz", UNIT_KHZ, 1200000, "1.2GHz" },
		{ "3401001", UNIT_KHZ, 3401001, "3401001kHz" },
		{ "95%", UNIT_PCT, 95, "95%" },
		{ "0.24", UNIT_PPM, 240000, "0.24" },
		{ "24%", UNIT_PPM, 240000, "0.24" },
		{ "37ppm", UNIT_PPM, 37, "0.000037" },
		{ "1", UNIT_PPM, 1000000, "1" },
		{ "0.81125V", UNIT_UV, 811250, "811250uV" },
		{ "980mV", UNIT_UV, 980000, "980mV" },
		{ "7.6667W", UNIT_UW, 7666700, "7.6667W" },
		{ "15.259uJ", UNIT_NJ, 15259, "15259nJ" },
		{ "95C", UNIT_MC, 95000, "95C" },
		{ "61.5C", UNIT_MC, 61500, "61.5C" },
		{ "4MiB", UNIT_BYTES, 4194304, "4MiB" },
		{ "1.5KiB", UNIT_BYTES, 1536, "1536B" },
		{ "9223372036854775807", UNIT_NONE, INT64_MAX, "9223372036854775807" },
		{ "9223372036854775807", UNIT_NS, INT64_MAX, "9223372036854775807ns" },
	};

	return cr_make_param_array(struct number, rows, sizeof(rows) / sizeof(rows[0]));
}

ParameterizedTest(struct number *row, str, numbers_with_units_are_exact)
{
	int64_t value, again;
	char printed[64];

	cr_assert(eq(int, str_to_i64(row->text, row->unit, &value), 0), "%s", row->text);
	cr_assert(eq(i64, value, row->value), "%s", row->text);
	str_from_i64(value, row->unit, printed, sizeof(printed));
	cr_assert(eq(str, printed, row->printed));
	cr_assert(eq(int, str_to_i64(printed, row->unit, &again), 0), "%s", printed);
	cr_assert(eq(i64, again, value));
}

Test(str, what_is_no_exact_number_is_refused)
{
	static const struct {
		const char *text;
		enum unit unit;
	} rows[] = {
		{ "", UNIT_NONE },
		{ "-", UNIT_NONE },
		{ "abc", UNIT_NONE },
		{ "1.5", UNIT_NONE },
		{ "5.", UNIT_PPM },
		{ ".", UNIT_PPM },
		{ "1.2.3", UNIT_PPM },
		{ "0x10", UNIT_NONE },
		{ "1e3", UNIT_NONE },
		{ " 7", UNIT_NONE },
		{ "7 m", UNIT_NONE },
		{ "10m", UNIT_US },
		{ "10MS", UNIT_US },
		{ "10ms x", UNIT_US },
		{ "1.0005ms", UNIT_US },
		{ "999ns", UNIT_US },
		{ "7MW", UNIT_UW },
		{ "0.0000001", UNIT_PPM },
		{ "0.0000000000000001s", UNIT_NS },
		{ "9223372036854775808", UNIT_NONE },
		{ "9223372036854776us", UNIT_NS },
		{ "99999999999999999999", UNIT_NS },
	};
	int64_t value = 4711;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		cr_assert(eq(int, str_to_i64(rows[i].text, rows[i].unit, &value), -1), "\"%s\"",
			rows[i].text);
	cr_assert(eq(i64, value, 4711));
}

Test(str, every_value_reads_back_as_itself)
{
	static const enum unit all[] = { UNIT_NONE, UNIT_NS, UNIT_US, UNIT_KHZ, UNIT_PCT, UNIT_PPM,
		UNIT_UV, UNIT_UW, UNIT_NJ, UNIT_MC, UNIT_BYTES };
	uint64_t state = 88172645463325252;

	for (int i = 0; i < 20000; i++) {
		state ^= state << 13;
		state ^= state >> 7;
		state ^= state << 17;
		int64_t value = (int64_t)(state >> (1 + state % 60)), again = -1;
		char text[64];

		if (i % 2)
			value = -value;
		enum unit unit = all[(size_t)i % (sizeof(all) / sizeof(all[0]))];
		str_from_i64(value, unit, text, sizeof(text));
		cr_assert(eq(int, str_to_i64(text, unit, &again), 0), "%s", text);
		cr_assert(eq(i64, again, value), "%s", text);
	}
}

Test(str, units_have_names_and_suffixes)
{
	char buf[64];

	cr_assert(eq(str, (char *)unit_name(UNIT_US), "us"));
	cr_assert(eq(str, (char *)unit_name(UNIT_NONE), ""));
	cr_assert(eq(str, (char *)unit_name(UNIT_PPM), ""));
	unit_suffixes(UNIT_KHZ, buf, sizeof(buf));
	cr_assert(eq(str, buf, "kHz MHz GHz"));
	unit_suffixes(UNIT_NONE, buf, sizeof(buf));
	cr_assert(eq(str, buf, ""));
}

Test(str, distance_counts_slips)
{
	cr_assert(eq(int, str_distance("up_threshold", "up-Threshold"), 0));
	cr_assert(eq(int, str_distance("up_treshold", "up_threshold"), 1));
	cr_assert(eq(int, str_distance("pu_threshold", "up_threshold"), 1));
	cr_assert(eq(int, str_distance("", "hz"), 2));
	cr_assert(eq(int, str_distance("kitten", "sitting"), 3));
}

Test(str, distance_reads_no_more_than_63_bytes)
{
	char a[201], b[201];

	memset(a, 'a', 200);
	memset(b, 'a', 200);
	a[200] = b[200] = '\0';
	b[150] = 'b';
	cr_assert(eq(int, str_distance(a, b), 0));
	b[60] = 'b';
	cr_assert(eq(int, str_distance(a, b), 1));
}

static const char *const names[] = { "up_threshold", "sampling_rate", "old", "acpi-cpufreq", "hz" };

Test(str, nearest_finds_typos_and_beginnings)
{
	cr_assert(eq(str, (char *)str_nearest("up_treshold", names, 5), "up_threshold"));
	cr_assert(eq(str, (char *)str_nearest("samplng-rate", names, 5), "sampling_rate"));
	cr_assert(eq(str, (char *)str_nearest("od", names, 5), "old"));
	cr_assert(eq(str, (char *)str_nearest("acpi", names, 5), "acpi-cpufreq"));
	cr_assert(eq(ptr, (void *)str_nearest("frequency", names, 5), NULL));
	cr_assert(eq(ptr, (void *)str_nearest("x", names, 5), NULL));
	cr_assert(eq(ptr, (void *)str_nearest("", names, 5), NULL));
	cr_assert(eq(ptr, (void *)str_nearest("hz", names, 0), NULL));
}

Test(str, suggestions_name_the_nearest_or_all)
{
	static const char *const many[] = { "aaaa", "bbbb", "cccc", "dddd", "eeee", "ffff", "gggg",
		"hhhh", "iiii", "jjjj", "kkkk" };
	char buf[256], tiny[10];

	str_suggest("up_treshold", names, 5, buf, sizeof(buf));
	cr_assert(eq(str, buf, "did you mean \"up_threshold\"?"));
	str_suggest("zzzz", many, 11, buf, sizeof(buf));
	cr_assert(eq(str, buf,
		"known: aaaa, bbbb, cccc, dddd, eeee, ffff, gggg, hhhh, iiii, jjjj, ..."));
	str_suggest("zzzz", NULL, 0, buf, sizeof(buf));
	cr_assert(eq(str, buf, "there are none"));
	str_suggest("zzzz", many, 11, tiny, sizeof(tiny));
	cr_assert(eq(str, tiny, "known: aa"));
}
