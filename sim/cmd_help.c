#include <stdio.h>

#include "sim/base/param.h"
#include "sim/base/str.h"
#include "sim/cmd.h"

#define MAX_PLUGINS 64

static void print_bound(const struct param *param, int64_t value, char *buf, size_t size)
{
	if (value == INT64_MAX)
		snprintf(buf, size, "max");
	else
		str_from_i64(value, param->unit, buf, size);
}

static void print_range(const struct param *param, char *buf, size_t size)
{
	char min[32], max[32];
	size_t used = 0;

	switch (param->type) {
	case PARAM_TYPE_INT:
		print_bound(param, param->min, min, sizeof(min));
		print_bound(param, param->max, max, sizeof(max));
		snprintf(buf, size, "%s..%s", min, max);
		return;
	case PARAM_TYPE_BOOL:
		snprintf(buf, size, "0|1");
		return;
	case PARAM_TYPE_CHOICE:
		for (size_t i = 0; param->choices[i] && used < size; i++)
			used += (size_t)snprintf(
				buf + used, size - used, "%s%s", i ? "|" : "", param->choices[i]);
		return;
	case PARAM_TYPE_TEXT:
	case PARAM_TYPE_END:
		snprintf(buf, size, "text");
	}
}

static void print_default(const struct param *param, char *buf, size_t size)
{
	if (param->type == PARAM_TYPE_TEXT)
		snprintf(buf, size, "%s", param->def_text ? param->def_text : "");
	else if (param->def == PARAM_AUTO)
		snprintf(buf, size, "auto");
	else if (param->type == PARAM_TYPE_CHOICE)
		snprintf(buf, size, "%s", param->choices[param->def]);
	else
		str_from_i64(param->def, param->unit, buf, size);
}

static void print_rows(const struct catalog_entry *entry)
{
	const struct param *p = entry->params;

	printf("%s: %s\n", entry->name, entry->summary);
	if (!p || p->type == PARAM_TYPE_END) {
		printf("\nno parameters\n");
		return;
	}
	printf("\n%-26s %-6s %-24s %-10s %s\n", "name", "unit", "range", "default", "meaning");
	for (; p->type != PARAM_TYPE_END; p++) {
		char range[256], def[64];

		print_range(p, range, sizeof(range));
		print_default(p, def, sizeof(def));
		printf("%-26s %-6s %-24s %-10s %s\n", p->name,
			p->type == PARAM_TYPE_INT ? unit_name(p->unit) : "", range, def, p->help);
	}
}

static int unknown_plugin(struct cmd_env *env, enum catalog_room room, const char *name)
{
	const char *names[MAX_PLUGINS];
	char suggestion[512];
	size_t nr = catalog_names(env->catalog, room, names, MAX_PLUGINS);

	str_suggest(name, names, nr, suggestion, sizeof(suggestion));
	return error_set(env->err, ERROR_USAGE, "unknown %s \"%.60s\"; %s", catalog_noun(room),
		name, suggestion);
}

static int help(struct cmd_env *env, int argc, char **argv)
{
	static const enum catalog_room rooms[] = { ROOM_GOVERNORS, ROOM_DRIVERS, ROOM_WORKLOADS };
	static const char *const nouns[] = { "governor", "driver", "workload", NULL };
	struct cmd_args args = { .command = &cmd_help, .argc = argc, .argv = argv };
	const char *operands[2] = { NULL, NULL };
	struct catalog_entry entry;
	int opt, noun, nr = 0;

	while ((opt = cmd_next(&args, env->err)) != CMD_END) {
		if (opt == CMD_BAD || cmd_operand(&args, &operands[nr < 2 ? nr : 1], env->err) < 0)
			return -1;
		nr++;
	}
	if (nr < 2)
		return cmd_missing(&cmd_help, nr ? "the name" : "the kind", env->err);
	if (cmd_choice("kind", operands[0], nouns, &noun, env->err) < 0)
		return -1;
	if (!catalog_find(env->catalog, rooms[noun], operands[1], &entry))
		return unknown_plugin(env, rooms[noun], operands[1]);
	print_rows(&entry);
	return 0;
}

const struct command cmd_help = {
	.name = "help",
	.operands = "governor|driver|workload NAME",
	.summary = "the parameters of a governor, driver or workload",
	.run = help,
};
