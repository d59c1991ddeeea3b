#include "sim/base/param.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Text of the user in a message: enough to recognise it. */
#define FOUND "%.60s"

#define MAX_NAMES 64

static const char **text_field(const struct param *param, void *object)
{
	return (const char **)(void *)((char *)object + param->offset);
}

int64_t *param_i64(const struct param *param, void *object)
{
	return (int64_t *)(void *)((char *)object + param->offset);
}

void param_defaults(const struct param *params, void *object)
{
	for (const struct param *p = params; p && p->type != PARAM_TYPE_END; p++) {
		if (p->type == PARAM_TYPE_TEXT)
			*text_field(p, object) = p->def_text;
		else
			*param_i64(p, object) = p->def;
	}
}

const struct param *param_find(const struct param *params, const char *name)
{
	for (const struct param *p = params; p && p->type != PARAM_TYPE_END; p++)
		if (strcmp(p->name, name) == 0)
			return p;
	return NULL;
}

static size_t choice_count(const struct param *param)
{
	size_t nr = 0;

	while (param->choices[nr])
		nr++;
	return nr;
}

/* A bound as the user would write it; counts and percents stay bare beside their unit's name. */
static void print_bound(const struct param *param, int64_t value, char *buf, size_t size)
{
	if (param->unit == UNIT_NONE || param->unit == UNIT_PCT)
		snprintf(buf, size, "%" PRId64, value);
	else
		str_from_i64(value, param->unit, buf, size);
}

/* What the row allows: "1..100 %", "10us..10s or auto", "at least 1". */
static void print_expected(const struct param *param, char *buf, size_t size)
{
	const char *unit = param->unit == UNIT_PCT ? " %" : "";
	const char *or_auto = param->def == PARAM_AUTO ? " or auto" : "";
	char min[32], max[32];

	print_bound(param, param->min, min, sizeof(min));
	print_bound(param, param->max, max, sizeof(max));
	if (param->max == INT64_MAX)
		snprintf(buf, size, "at least %s%s%s", min, unit, or_auto);
	else
		snprintf(buf, size, "%s..%s%s%s", min, max, unit, or_auto);
}

static int not_a_number(const struct param *param, const char *text, const char *expected,
	struct where at, struct error *err)
{
	const char *digits = text + (*text == '-');
	bool numeric = *digits >= '0' && *digits <= '9';
	const char *kind = numeric ? "whole number" : "number";
	const char *of = numeric && *unit_name(param->unit) ? " of " : "";
	char suffixes[64];

	unit_suffixes(param->unit, suffixes, sizeof(suffixes));
	bool choice = strchr(suffixes, ' ') != NULL;
	return error_at(err, ERROR_SCENARIO, at,
		"%s: \"" FOUND "\" is not a %s%s%s; expected %s%s%s%s", param->name, text, kind, of,
		*of ? unit_name(param->unit) : "", expected, choice ? " (units: " : "",
		choice ? suffixes : "", choice ? ")" : "");
}

static int set_int(const struct param *param, void *object, const char *text, struct where at,
	struct error *err)
{
	char expected[128];
	int64_t value;

	print_expected(param, expected, sizeof(expected));
	if (str_to_i64(text, param->unit, &value) < 0)
		return not_a_number(param, text, expected, at, err);
	if (value < param->min || value > param->max)
		return error_at(err, ERROR_SCENARIO, at,
			"%s: " FOUND " is out of range; expected %s", param->name, text, expected);
	*param_i64(param, object) = value;
	return 0;
}

static int set_bool(const struct param *param, void *object, const char *text, struct where at,
	struct error *err)
{
	static const char *const words[] = { "0", "1", "no", "yes", "false", "true", "off", "on" };

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (strcmp(text, words[i]) == 0) {
			*param_i64(param, object) = (int64_t)(i % 2);
			return 0;
		}
	}
	return error_at(err, ERROR_SCENARIO, at,
		"%s: \"" FOUND "\" is neither yes nor no; expected 0 or 1%s", param->name, text,
		param->def == PARAM_AUTO ? " or auto" : "");
}

static int set_choice(const struct param *param, void *object, const char *text, struct where at,
	struct error *err)
{
	size_t nr = choice_count(param), used = 0;
	char list[256] = "";

	for (size_t i = 0; i < nr; i++) {
		if (strcmp(text, param->choices[i]) == 0) {
			*param_i64(param, object) = (int64_t)i;
			return 0;
		}
		if (used < sizeof(list))
			used += (size_t)snprintf(list + used, sizeof(list) - used, "%s%s",
				i ? ", " : "", param->choices[i]);
	}
	const char *nearest = str_nearest(text, param->choices, nr);
	if (nearest)
		return error_at(err, ERROR_SCENARIO, at,
			"%s: \"" FOUND "\" is not one of %s; did you mean \"%s\"?", param->name,
			text, list, nearest);
	return error_at(err, ERROR_SCENARIO, at, "%s: \"" FOUND "\" is not one of %s", param->name,
		text, list);
}

int param_set(const struct param *param, void *object, const char *text, struct where at,
	struct error *err)
{
	if (param->type != PARAM_TYPE_TEXT && param->def == PARAM_AUTO &&
		strcmp(text, "auto") == 0) {
		*param_i64(param, object) = PARAM_AUTO;
		return 0;
	}
	switch (param->type) {
	case PARAM_TYPE_INT:
		return set_int(param, object, text, at, err);
	case PARAM_TYPE_BOOL:
		return set_bool(param, object, text, at, err);
	case PARAM_TYPE_CHOICE:
		return set_choice(param, object, text, at, err);
	case PARAM_TYPE_TEXT:
		*text_field(param, object) = text;
		return 0;
	case PARAM_TYPE_END:
		break;
	}
	return -1;
}

int param_unknown(const struct param *params, const char *const *also, const char *owner,
	const char *name, struct where at, struct error *err)
{
	const char *names[MAX_NAMES];
	char suggestion[512];
	size_t nr = 0;

	for (; also && *also && nr < MAX_NAMES; also++)
		names[nr++] = *also;
	for (const struct param *p = params; p && p->type != PARAM_TYPE_END && nr < MAX_NAMES; p++)
		names[nr++] = p->name;
	str_suggest(name, names, nr, suggestion, sizeof(suggestion));
	return error_at(err, ERROR_SCENARIO, at, "unknown key \"" FOUND "\" in %s; %s", name, owner,
		suggestion);
}

void param_print(const struct param *param, const void *object, char *buf, size_t size)
{
	const char *field = (const char *)object + param->offset;
	int64_t value;

	if (param->type == PARAM_TYPE_TEXT) {
		const char *text = *(const char *const *)(const void *)field;

		snprintf(buf, size, "%s", text ? text : "");
		return;
	}
	value = *(const int64_t *)(const void *)field;
	if (value == PARAM_AUTO)
		snprintf(buf, size, "auto");
	else if (param->type == PARAM_TYPE_CHOICE)
		snprintf(buf, size, "%s", param->choices[value]);
	else
		str_from_i64(value, param->unit, buf, size);
}
