#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/cmd.h"
#include "sim/kernel/components.h"
#include "sim/report/metric.h"
#include "sim/scenario/search.h"
#include "sim/scenario/yaml.h"

#define MAX_FILES 512

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static bool is_yaml(const char *name)
{
	size_t len = strlen(name);

	return name[0] != '.' && len > 5 && strcmp(name + len - 5, ".yaml") == 0;
}

/* Names of the .yaml files of a directory, sorted. */
static size_t list_files(struct arena *arena, const char *path, const char **names)
{
	DIR *dir = opendir(path);
	struct dirent *entry;
	size_t nr = 0;

	while (dir && nr < MAX_FILES && (entry = readdir(dir)))
		if (is_yaml(entry->d_name))
			names[nr++] = arena_strdup(arena, entry->d_name);
	if (dir)
		closedir(dir);
	qsort(names, nr, sizeof(*names), compare_names);
	return nr;
}

static int list_configs(struct cmd_env *env, const char *room)
{
	const char *dir = search_file(env->arena, NULL, room);
	const char **names = arena_array(env->arena, MAX_FILES, sizeof(*names));
	size_t nr = dir ? list_files(env->arena, dir, names) : 0;

	for (size_t i = 0; i < nr; i++) {
		const char *path = arena_printf(env->arena, "%s/%s", dir, names[i]);
		const struct node *summary;
		struct node *root;

		if (yaml_read_file(env->arena, path, &root, env->err) < 0)
			return -1;
		summary = node_get(root, "summary");
		printf("%-32.*s %s\n", (int)strlen(names[i]) - 5, names[i],
			summary && summary->text ? summary->text : "");
	}
	return 0;
}

static int list_plugins(struct cmd_env *env, enum catalog_room room)
{
	struct catalog_entry entry;

	for (size_t i = 0; catalog_at(env->catalog, room, i, &entry); i++)
		printf("%-32s %s\n", entry.name, entry.summary);
	return 0;
}

static int list_metrics(void)
{
	static const char *const better[] = { [LESS] = "less", [MORE] = "more", [NEITHER] = "" };

	printf("%-20s %-6s %-8s %-6s %s\n", "name", "unit", "scope", "better", "meaning");
	for (int m = 0; m < METRIC_NR; m++) {
		const struct metric_info *info = &metric_infos[m];

		printf("%-20s %-6s %-8s %-6s %s\n", info->name, info->unit, info->scope,
			better[info->better], info->help);
	}
	return 0;
}

static int list_kernels(void)
{
	const struct component *component;

	printf("%-18s %-24s %-9s %s\n", "component", "kernels", "as in", "basis (what is new)");
	for (size_t i = 0; (component = component_at(i)); i++) {
		for (size_t r = 0; r < component->nr_rows; r++) {
			const struct component_row *row = &component->rows[r];
			char range[64];

			component_range(row, range, sizeof(range));
			printf("%-18s %-24s %-9s %s", component->name, range, row->source,
				component_basis_name(row->basis));
			if (*row->change)
				printf(" (%s)", row->change);
			putchar('\n');
		}
	}
	return 0;
}

static const char *const topics[] = { "governors", "drivers", "workloads", "machines", "scenarios",
	"metrics", "experiments", "kernels", NULL };

enum {
	GOVERNORS,
	DRIVERS,
	WORKLOADS,
	MACHINES,
	SCENARIOS,
	METRICS,
	EXPERIMENTS,
	KERNELS,
	NR_TOPICS
};

static int list_topic(struct cmd_env *env, int topic)
{
	switch (topic) {
	case GOVERNORS:
		return list_plugins(env, ROOM_GOVERNORS);
	case DRIVERS:
		return list_plugins(env, ROOM_DRIVERS);
	case WORKLOADS:
		return list_plugins(env, ROOM_WORKLOADS);
	case METRICS:
		return list_metrics();
	case KERNELS:
		return list_kernels();
	}
	return list_configs(env, topics[topic]);
}

static int list(struct cmd_env *env, int argc, char **argv)
{
	struct cmd_args args = { .command = &cmd_list, .argc = argc, .argv = argv };
	const char *wanted = NULL;
	int opt, topic;

	while ((opt = cmd_next(&args, env->err)) != CMD_END)
		if (opt == CMD_BAD || cmd_operand(&args, &wanted, env->err) < 0)
			return -1;
	if (wanted) {
		if (cmd_choice("list", wanted, topics, &topic, env->err) < 0)
			return -1;
		return list_topic(env, topic);
	}
	for (topic = 0; topic < NR_TOPICS; topic++) {
		printf("%s%s:\n", topic ? "\n" : "", topics[topic]);
		if (list_topic(env, topic) < 0)
			return -1;
	}
	return 0;
}

const struct command cmd_list = {
	.name = "list",
	.operands = "[governors|drivers|workloads|machines|scenarios|metrics|experiments|kernels]",
	.summary = "what there is, by name",
	.run = list,
};
