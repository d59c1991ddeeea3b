#include "sim/report/manifest.h"

#include <string.h>
#include <unistd.h>

#include "sim/base/param.h"
#include "sim/base/sha256.h"
#include "sim/driver.h"
#include "sim/governor.h"
#include "sim/kernel/components.h"
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

void manifest_write_value(FILE *out, const struct node *node)
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
		manifest_write_value(out, child);
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
				manifest_write_value(out, item);
				fputc('\n', out);
			}
			continue;
		}
		fputc(' ', out);
		manifest_write_value(out, child);
		fputc('\n', out);
	}
}

static void write_file_digest(FILE *out, const char *path)
{
	FILE *file = fopen(path, "rb");
	unsigned char bytes[65536];
	struct digest digest;
	struct sha256 sha;
	size_t nr;

	sha256_start(&sha);
	while (file && (nr = fread(bytes, 1, sizeof(bytes), file)) > 0)
		sha256_add(&sha, bytes, nr);
	sha256_end(&sha, &digest);
	if (file)
		fclose(file);
	fputs(digest.hex, out);
}

/* A text that names a file beside the scenario (it has a slash or a dot): the manifest stands
 * elsewhere, so the name becomes absolute. Any other text stays. For an identity the file is what
 * it holds, wherever it is. */
static void write_file_name(FILE *out, const struct manifest *manifest, const char *text)
{
	const struct scenario *scenario = manifest->scenario;
	char cwd[4096] = "", path[8192];
	const char *slash = strrchr(scenario->path, '/');
	int dir = slash ? (int)(slash - scenario->path) + 1 : 0;

	if (scenario->path[0] != '/' && !getcwd(cwd, sizeof(cwd)))
		cwd[0] = '\0';
	int length = snprintf(path, sizeof(path), "%s%s%.*s%s", cwd, cwd[0] ? "/" : "", dir,
		scenario->path, text);
	bool names_file = length > 0 && (size_t)length < sizeof(path) && strpbrk(text, "/.") &&
		text[0] != '/' && access(path, R_OK) == 0;
	if (manifest->identity && (names_file || text[0] == '/'))
		write_file_digest(out, names_file ? path : text);
	else
		write_text(out, names_file ? path : text);
}

/* A row that is still "auto" or empty is left out: the default says the same. */
static void write_rows(FILE *out, const struct manifest *manifest, const struct param *params,
	const void *object, int indent)
{
	char value[4096];

	for (const struct param *p = params; p && p->type != PARAM_TYPE_END; p++) {
		param_print(p, object, value, sizeof(value));
		if (p->type == PARAM_TYPE_TEXT ? !value[0] : strcmp(value, "auto") == 0)
			continue;
		fprintf(out, "%*s%s: ", indent, "", p->name);
		if (p->type == PARAM_TYPE_TEXT)
			write_file_name(out, manifest, value);
		else
			write_text(out, value);
		fputc('\n', out);
	}
}

static void write_plugin(FILE *out, const struct manifest *manifest, enum catalog_room room,
	const struct catalog_entry *entry, const void *object)
{
	fprintf(out, "%s:\n  name: %s\n", catalog_noun(room), entry->name);
	write_rows(out, manifest, entry->params, object, 2);
}

static void write_place(
	FILE *out, const struct manifest *manifest, const struct workload_place *place, int indent)
{
	if (place->start_ns)
		write_rows(out, manifest, place_params, place, indent);
	if (!place->cpuset)
		return;
	fprintf(out, "%*scpuset: ", indent, "");
	write_text(out, place->cpuset->name);
	fputc('\n', out);
}

static void write_beside(FILE *out, const struct manifest *manifest)
{
	const struct scenario *s = manifest->scenario;

	if (s->nr_beside)
		fputs("beside:\n", out);
	for (size_t i = 0; i < s->nr_beside; i++) {
		const struct workload_use *use = &s->beside[i];

		fprintf(out, "  - name: %s\n", use->workload->name);
		write_place(out, manifest, &use->place, 4);
		write_rows(out, manifest, use->workload->params, use->params, 4);
	}
}

static bool any_limit(const struct policy_limits_spec *limits)
{
	return limits->min_khz != PARAM_AUTO || limits->max_khz != PARAM_AUTO;
}

/* Which parts of this kernel follow a source of another version, or none with vectors. */
static void write_sources(FILE *out, const struct scenario *s)
{
	const struct component *component;
	char range[64];

	for (size_t i = 0; (component = component_at(i)); i++) {
		const struct component_row *row = component_row(
			component, (unsigned)s->kernel.version, s->kernel.patches);

		if (!row || row->basis == COMPONENT_CHECKED)
			continue;
		if (!component_used_by(component, s->governor->name) &&
			!component_used_by(component, s->driver->name))
			continue;
		component_range(row, range, sizeof(range));
		if (row->basis == COMPONENT_EXTRAPOLATED)
			fprintf(out, "# %s: an extrapolation; %s follows the source of %s.\n",
				component->name, range, row->source);
		else
			fprintf(out, "# %s: only described; %s follows the text of %s.\n",
				component->name, range, row->source);
	}
}

/* Tunables of single policies, and the events, as the scenario has them. */
static void write_policies(FILE *out, const struct scenario *s)
{
	const struct node *governor = node_get(s->root, "governor");

	if (!s->nr_policy_tunables)
		return;
	fputs("  policies: ", out);
	manifest_write_value(out, node_get(governor, "policies"));
	fputc('\n', out);
}

static void write_events(FILE *out, const struct scenario *s)
{
	if (!s->nr_events)
		return;
	fputs("events:\n", out);
	for (const struct node *e = node_get(s->root, "events")->first; e; e = e->next) {
		fputs("  - ", out);
		manifest_write_value(out, e);
		fputc('\n', out);
	}
}

static void write_head(FILE *out, const struct manifest *manifest)
{
	if (manifest->identity)
		return;
	fprintf(out,
		"# Every effective value of these runs, as cpufreq-sim %s had them.\n"
		"# This is a scenario: cpufreq-sim run gives the same runs.csv.\n",
		manifest->version);
	write_sources(out, manifest->scenario);
	fputs("name: ", out);
	write_text(out, manifest->scenario->name);
	fputc('\n', out);
}

void manifest_write(FILE *out, const struct manifest *manifest)
{
	const struct scenario *s = manifest->scenario;
	struct run_spec run = s->run;

	write_head(out, manifest);
	fputs("kernel:\n", out);
	write_rows(out, manifest, kernel_params, &s->kernel, 2);
	if (s->kernel.patches & KERNEL_CONSOLIDATED)
		fprintf(out, "  patches: [ consolidate-v7%s ]\n",
			s->kernel.no_preempt_site ? "-no-preempt" : "");
	write_plugin(out, manifest, ROOM_DRIVERS,
		&(struct catalog_entry){ .name = s->driver->name, .params = s->driver->params },
		s->driver_params);
	write_plugin(out, manifest, ROOM_GOVERNORS,
		&(struct catalog_entry){ .name = s->governor_name, .params = s->governor->params },
		manifest->tunables);
	write_policies(out, s);
	write_plugin(out, manifest, ROOM_WORKLOADS,
		&(struct catalog_entry){ .name = s->workload->name, .params = s->workload->params },
		s->workload_params);
	write_place(out, manifest, &s->workload_place, 2);
	write_beside(out, manifest);
	if (s->nr_cpusets) {
		fputs("cpusets:\n", out);
		write_members(out, node_get(s->root, "cpusets"), 2);
	}
	if (any_limit(&s->limits)) {
		fputs("limits:\n", out);
		write_rows(out, manifest, limits_params, &s->limits, 2);
	}
	fputs("hardware:\n", out);
	write_rows(out, manifest, hardware_params, &s->machine.hardware, 2);
	write_events(out, s);
	fputs("run:\n", out);
	if (manifest->identity)
		run.repeats = 1;
	write_rows(out, manifest, run_params, &run, 2);
	fputs("machine:\n", out);
	write_members(out, s->machine.root, 2);
}
