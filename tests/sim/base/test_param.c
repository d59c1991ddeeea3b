#include "sim/base/param.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <string.h>

struct settings {
	int64_t threshold_pct, rate_us, map, lock, share_ppm, count;
	const char *file;
};

static const char *const maps[] = { "new", "old", "steps", "minmax", NULL };

static const struct param rows[] = {
	PARAM_INT(struct settings, threshold_pct, "up_threshold", UNIT_PCT, 1, 100, 95, "t"),
	PARAM_INT(
		struct settings, rate_us, "sampling_rate", UNIT_US, 10, 10000000, PARAM_AUTO, "r"),
	PARAM_CHOICE(struct settings, map, "load_map", maps, 1, "m"),
	PARAM_BOOL(struct settings, lock, "lock", PARAM_AUTO, "l"),
	PARAM_INT(struct settings, share_ppm, "share", UNIT_PPM, 0, 1000000, 240000, "s"),
	PARAM_INT(struct settings, count, "count", UNIT_NONE, 3, INT64_MAX, 417, "c"),
	PARAM_TEXT(struct settings, file, "file", "build.trace", "f"),
	PARAM_END,
};

static const struct where here = { .file = "x.yaml", .line = 12, .col = 34 };

static void expect_mistake(const char *name, const char *text, const char *message)
{
	struct settings s, before;
	struct error err = { 0 };

	param_defaults(rows, &s);
	before = s;
	cr_assert(eq(int, param_set(param_find(rows, name), &s, text, here, &err), -1), "%s=%s",
		name, text);
	cr_assert(eq(str, err.text, (char *)message));
	cr_assert(eq(int, err.code, ERROR_SCENARIO));
	cr_assert(eq(int, memcmp(&s, &before, sizeof(s)), 0), "%s=%s left a mark", name, text);
}

static void set(struct settings *s, const char *name, const char *text)
{
	struct error err = { 0 };

	cr_assert(
		eq(int, param_set(param_find(rows, name), s, text, here, &err), 0), "%s", err.text);
}

Test(param, defaults_fill_every_field)
{
	struct settings s;

	param_defaults(NULL, NULL);
	param_defaults(rows, &s);
	cr_assert(eq(i64, s.threshold_pct, 95));
	cr_assert(eq(i64, s.rate_us, PARAM_AUTO));
	cr_assert(eq(i64, s.map, 1));
	cr_assert(eq(i64, s.lock, PARAM_AUTO));
	cr_assert(eq(i64, s.share_ppm, 240000));
	cr_assert(eq(i64, s.count, 417));
	cr_assert(eq(str, (char *)s.file, "build.trace"));
}

Test(param, find_knows_its_rows_only)
{
	cr_assert(eq(ptr, (void *)param_find(rows, "lock"), (void *)&rows[3]));
	cr_assert(eq(ptr, (void *)param_find(rows, "lo"), NULL));
	cr_assert(eq(ptr, (void *)param_find(NULL, "lock"), NULL));
}

Test(param, values_reach_their_field_and_print_back)
{
	static const char *const given[][3] = {
		{ "up_threshold", "63 %", "63%" },
		{ "sampling_rate", "43.815ms", "43815us" },
		{ "sampling_rate", "auto", "auto" },
		{ "load_map", "minmax", "minmax" },
		{ "lock", "yes", "1" },
		{ "lock", "off", "0" },
		{ "lock", "auto", "auto" },
		{ "share", "12.5%", "0.125" },
		{ "count", "9223372036854775807", "9223372036854775807" },
		{ "file", "auto", "auto" },
	};

	for (size_t i = 0; i < sizeof(given) / sizeof(given[0]); i++) {
		const struct param *param = param_find(rows, given[i][0]);
		struct settings s = { 0 };
		char text[64], again[64];

		param_defaults(rows, &s);
		set(&s, given[i][0], given[i][1]);
		param_print(param, &s, text, sizeof(text));
		cr_assert(eq(str, text, (char *)given[i][2]));
		set(&s, given[i][0], text);
		param_print(param, &s, again, sizeof(again));
		cr_assert(eq(str, again, text));
	}
}

Test(param, a_missing_text_prints_empty)
{
	struct settings s = { 0 };
	char text[8] = "x";

	param_print(param_find(rows, "file"), &s, text, sizeof(text));
	cr_assert(eq(str, text, ""));
}

Test(param, each_mistake_says_what_is_allowed)
{
	expect_mistake("up_threshold", "120",
		"x.yaml:12:34: up_threshold: 120 is out of range; expected 1..100 %");
	expect_mistake("up_threshold", "abc",
		"x.yaml:12:34: up_threshold: \"abc\" is not a number; expected 1..100 %");
	expect_mistake("up_threshold", "",
		"x.yaml:12:34: up_threshold: \"\" is not a number; expected 1..100 %");
	expect_mistake("up_threshold", "auto",
		"x.yaml:12:34: up_threshold: \"auto\" is not a number; expected 1..100 %");
	expect_mistake("sampling_rate", "9us",
		"x.yaml:12:34: sampling_rate: 9us is out of range; expected 10us..10s or auto");
	expect_mistake("sampling_rate", "10m",
		"x.yaml:12:34: sampling_rate: \"10m\" is not a whole number of us; expected "
		"10us..10s or auto (units: us ns ms s min)");
	expect_mistake("share", "1.000001",
		"x.yaml:12:34: share: 1.000001 is out of range; expected 0..1");
	expect_mistake("count", "2", "x.yaml:12:34: count: 2 is out of range; expected at least 3");
	expect_mistake("count", "2.5",
		"x.yaml:12:34: count: \"2.5\" is not a whole number; expected at least 3");
	expect_mistake("load_map", "od",
		"x.yaml:12:34: load_map: \"od\" is not one of new, old, steps, minmax; did you "
		"mean "
		"\"old\"?");
	expect_mistake("load_map", "xyz",
		"x.yaml:12:34: load_map: \"xyz\" is not one of new, old, steps, minmax");
	expect_mistake("lock", "maybe",
		"x.yaml:12:34: lock: \"maybe\" is neither yes nor no; expected 0 or 1 or auto");
}

static void expect_unknown(
	const struct param *params, const char *const *also, const char *name, const char *message)
{
	struct error err = { 0 };

	cr_assert(eq(int, param_unknown(params, also, "governor ondemand", name, here, &err), -1));
	cr_assert(eq(str, err.text, (char *)message));
}

Test(param, an_unknown_key_meets_its_nearest)
{
	static const char *const also[] = { "name", NULL };

	expect_unknown(rows, NULL, "up_treshold",
		"x.yaml:12:34: unknown key \"up_treshold\" in governor ondemand; did you mean "
		"\"up_threshold\"?");
	expect_unknown(rows, also, "nmae",
		"x.yaml:12:34: unknown key \"nmae\" in governor ondemand; did you mean \"name\"?");
	expect_unknown(rows, also, "zzz",
		"x.yaml:12:34: unknown key \"zzz\" in governor ondemand; known: name, "
		"up_threshold, "
		"sampling_rate, load_map, lock, share, count, file");
	expect_unknown(NULL, NULL, "zzz",
		"x.yaml:12:34: unknown key \"zzz\" in governor ondemand; there are none");
}
