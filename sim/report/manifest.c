#include "sim/report/manifest.h"

#include <string.h>
#include <unistd.h>

#include "sim/base/param.h"
#include "sim/driver.h"
#include "sim/governor.h"
#include "sim/workload.h"

/* Text that YAML reads as itself needs no quotes. */
static bool is_plain(const char *text)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789_./+%-";

	return *text && *text != '-' && *text != '%' && text[strspn(text, plain)] == '\0';
}

static void write_text(FILE *out, const char *text)
{
	if (is_plain(text)) {
		fputs(text, out);
		return;
	}
	fputc('"', out);
	for (const unsigned char *p = (const unsigned char *)text; *p; p++) {
		if (*p == '"' || *p == '\\')
			fprintf(out, "\\%c", *p);
		else if (*p < 0x20)
			fprintf(out, "\\x%02X", (unsigned int)*p);
		else
			fputc(*p, out);
	}
	fputc('"', out);
}

static void write_flow(FILE *out, const struct node *node)
{
	bool map = node->type == NODE_MAP;

	if (node->type == NODE_SCALAR) {
		write_text(out, node->text);
		return;
	}
	fputs(map ? "{ " : "[ ", out);
	for (const struct node *child = node->first; child; child = child->next) {
		if (map) {
			write_text(out, child->key);
			fputs(": ", out);
		}
		write_flow(out, child);
		fputs(child->next ? ", " : " ", out);
	}
	fputc(map ? '}' : ']', out);
}

/* Members of a mapping, one a line; lists of mappings one element a line. */
static void write_members(FILE *out, const struct node *map, int indent)
{
	for (const struct node *child = map->first; child; child = child->next) {
		fprintf(out, "%*s", indent, "");
		write_text(out, child->key);
		fputc(':', out);
		if (child->type == NODE_SEQ && child->first && child->first->type != NODE_SCALAR) {
			fputc('\n', out);
			for (const struct node *item = child->first; item; item = item->next) {
				fprintf(out, "%*s- ", indent + 2, "");
				write_flow(out, item);
				fputc('\n', out);
			}
			continue;
		}
		fputc(' ', out);
		write_flow(out, child);
		fputc('\n', out);
	}
}

/* A text that names a file beside the scenario (it has a slash or a dot): the manifest stands
 * elsewhere, so the name becomes absolute. Any other text stays. */
static void write_file_name(FILE *out, const struct scenario *scenario, const char *text)
{
	char cwd[4096] = "", path[8192];
	const char *slash = strrchr(scenario->path, '/');
	int dir = slash ? (int)(slash - scenario->path) + 1 : 0;

	if (scenario->path[0] != '/' && !getcwd(cwd, sizeof(cwd)))
		cwd[0] = '\0';
	snprintf(path, sizeof(path), "%s%s%.*s%s", cwd, cwd[0] ? "/" : "", dir, scenario->path,
		text);
	bool names_file = strpbrk(text, "/.") && text[0] != '/' && access(path, R_OK) == 0;
	write_text(out, names_file ? path : text);
}

/* A row that is still "auto" or empty is left out: the default says the same. */
static void write_rows(
	FILE *out, const struct scenario *scenario, const struct param *params, const void *object)
{
	char value[4096];

	for (const struct param *p = params; p && p->type != PARAM_TYPE_END; p++) {
		param_print(p, object, value, sizeof(value));
		if (p->type == PARAM_TYPE_TEXT ? !value[0] : strcmp(value, "auto") == 0)
			continue;
		fprintf(out, "  %s: ", p->name);
		if (p->type == PARAM_TYPE_TEXT)
			write_file_name(out, scenario, value);
		else
			write_text(out, value);
		fputc('\n', out);
	}
}

static void write_plugin(FILE *out, const struct scenario *scenario, enum catalog_room room,
	const struct catalog_entry *entry, const void *object)
{
	fprintf(out, "%s:\n  name: %s\n", catalog_noun(room), entry->name);
	write_rows(out, scenario, entry->params, object);
}

static bool any_limit(const struct policy_limits_spec *limits)
{
	return limits->min_khz != PARAM_AUTO || limits->max_khz != PARAM_AUTO;
}

void manifest_write(FILE *out, const struct manifest *manifest)
{
	const struct scenario *s = manifest->scenario;

	fprintf(out,
		"# Every effective value of these runs, as cpufreq-sim %s had them.\n"
		"# This is a scenario: cpufreq-sim run gives the same runs.csv.\n",
		manifest->version);
	fputs("name: ", out);
	write_text(out, s->name);
	fputs("\nkernel:\n", out);
	write_rows(out, s, kernel_params, &s->kernel);
	write_plugin(out, s, ROOM_DRIVERS,
		&(struct catalog_entry){ .name = s->driver->name, .params = s->driver->params },
		s->driver_params);
	write_plugin(out, s, ROOM_GOVERNORS,
		&(struct catalog_entry){ .name = s->governor_name, .params = s->governor->params },
		manifest->tunables);
	write_plugin(out, s, ROOM_WORKLOADS,
		&(struct catalog_entry){ .name = s->workload->name, .params = s->workload->params },
		s->workload_params);
	if (any_limit(&s->limits)) {
		fputs("limits:\n", out);
		write_rows(out, s, limits_params, &s->limits);
	}
	fputs("run:\n", out);
	write_rows(out, s, run_params, &s->run);
	fputs("machine:\n", out);
	write_members(out, s->machine.root, 2);
}
