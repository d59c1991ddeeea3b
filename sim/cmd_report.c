#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "sim/base/param.h"
#include "sim/base/units.h"
#include "sim/cmd_figures.h"
#include "sim/driver.h"
#include "sim/report/html.h"
#include "sim/report/provenance.h"
#include "sim/report/tables.h"
#include "sim/scenario/scenario.h"
#include "sim/sweep/store.h"
#include "sim/workload.h"

enum { OPT_OUT };

static const struct cmd_option options[] = {
	{ "--output", 'o', "FILE", "the page to write, such as report.html" },
	{ .name = NULL },
};

/* A directory as the page shows it. */
struct contents {
	const char *dir;
	struct csv table;
	bool is_sweep, is_experiment;
	const char *manifest; /* NULL: there is none */
	struct scenario scenario;
	const char **axes;
	size_t nr_axes;
};

static bool has_file(struct cmd_env *env, const char *dir, const char *name)
{
	return access(arena_printf(env->arena, "%s/%s", dir, name), R_OK) == 0;
}

/* A sweep keeps its manifest in the store. */
static int read_store(struct cmd_env *env, struct contents *c)
{
	struct store_info info;
	struct store store;
	int result = store_open(&store, env->arena, c->dir, env->err);

	if (result == 0)
		result = store_describe(&store, env->arena, &info, env->err);
	store_close(&store);
	if (result < 0)
		return -1;
	c->manifest = info.manifest;
	c->axes = info.axes;
	c->nr_axes = info.nr_axes;
	if (has_file(env, c->dir, "runs.csv"))
		return 0;
	return error_set(env->err, ERROR_RUN,
		"%s: the sweep has not ended; the command that began it goes on", c->dir);
}

static int read_manifest(struct cmd_env *env, struct contents *c)
{
	const char *path = arena_printf(env->arena, "%s/manifest.yaml", c->dir);
	struct node *root;

	if (c->is_experiment)
		return 0;
	if (!c->is_sweep)
		c->manifest = draw_read_text(env, path);
	if (!c->manifest || yaml_read_text(env->arena, path, c->manifest, &root, env->err) < 0)
		return -1;
	return scenario_from_tree(env->arena, env->catalog, root, &c->scenario, env->err);
}

static int read_directory(struct cmd_env *env, struct contents *c)
{
	c->is_sweep = has_file(env, c->dir, STORE_FILE);
	c->is_experiment = !c->is_sweep && has_file(env, c->dir, "comparison.csv");
	if (!c->is_sweep && !c->is_experiment && !has_file(env, c->dir, "runs.csv"))
		return error_set(env->err, ERROR_RUN,
			"%s: no results to report; expected a directory written by run -o, sweep "
			"-o or reproduce -o",
			c->dir);
	if (c->is_sweep && read_store(env, c) < 0)
		return -1;
	const char *table = c->is_experiment ? "comparison.csv" : "runs.csv";
	if (csv_read(env->arena, arena_printf(env->arena, "%s/%s", c->dir, table), &c->table,
		    env->err) < 0)
		return -1;
	return read_manifest(env, c);
}

static void write_paragraph(FILE *out, const char *text)
{
	fputs("<p>", out);
	html_text(out, text);
	fputs("</p>\n", out);
}

static void write_introduction(FILE *out, struct cmd_env *env, const struct contents *c)
{
	const struct scenario *s = &c->scenario;
	char version[64];
	size_t failed = 0;

	if (c->is_experiment) {
		write_paragraph(out,
			"Published numbers beside those of the simulation. Rows of "
			"the role calibration are those that parameters were fitted on; "
			"the others were not.");
		return;
	}
	param_print(param_find(kernel_params, "version"), &s->kernel, version, sizeof(version));
	if (s->summary)
		write_paragraph(out, s->summary);
	write_paragraph(out,
		arena_printf(env->arena,
			"Machine %s, kernel %s, driver %s, governor %s, workload %s, seed %lld; "
			"%zu runs by cpufreq-sim %s.",
			s->machine.name, version, s->driver->name, s->governor_name,
			s->workload->name, (long long)s->run.seed, c->table.nr_rows,
			CPUFREQSIM_VERSION));
	if (s->fallback)
		write_paragraph(out,
			"Linux refuses this pair of driver and governor: the governor "
			"performance ran instead.");
	if (s->machine.power.assumed)
		write_paragraph(out,
			"The power model of this machine has numbers without a public source: "
			"watts and joules are marked as assumed.");
	int failure = csv_column(&c->table, "failure");
	for (size_t row = 0; failure >= 0 && row < c->table.nr_rows; row++)
		failed += *csv_cell(&c->table, row, failure) != '\0';
	if (failed)
		write_paragraph(out,
			arena_printf(env->arena, "%zu runs failed and count nowhere.", failed));
}

static int write_figures(FILE *out, struct cmd_env *env, const struct contents *c)
{
	bool any = false;

	for (int kind = 0; figure_kinds[kind]; kind++) {
		const struct figures_request request = {
			.dirs = { c->dir }, .nr = 1, .window.to_ns = NEVER_NS
		};
		struct drawing drawing;

		if (!figures_has(env, c->dir, kind))
			continue;
		if (figures_prepare(env, &request, kind, &drawing) < 0)
			return -1;
		const char *svg = draw_svg(env, &drawing);
		if (!svg)
			return -1;
		if (!any)
			html_heading(out, "Figures");
		any = true;
		html_figure(out, arena_printf(env->arena, "figure-%s", figure_kinds[kind]),
			figure_captions[kind], svg);
	}
	return 0;
}

static void write_tables(FILE *out, struct cmd_env *env, const struct contents *c)
{
	bool assumed = c->scenario.machine.power.assumed;

	if (c->is_experiment) {
		html_heading(out, "Targets");
		tables_write_all(out, "targets", &c->table);
		return;
	}
	html_heading(out, c->is_sweep ? "Points" : "Metrics");
	if (c->is_sweep)
		tables_write_points(out, env->arena, &c->table, assumed);
	else
		tables_write_metrics(out, env->arena, &c->table, assumed);
}

static void write_provenance(FILE *out, struct cmd_env *env, const struct contents *c)
{
	const struct provenance provenance = { .arena = env->arena,
		.text = c->manifest,
		.root = c->scenario.root,
		.axes = c->axes,
		.nr_axes = c->nr_axes };

	if (!c->manifest)
		return;
	html_heading(out, "Scenario and provenance");
	write_paragraph(out,
		c->is_sweep ? "Every value in effect at the first point; those that the sweep "
			      "varies are marked, and those of the machine that have no public "
			      "source."
			    : "Every value in effect; those of the machine that have no public "
			      "source are marked as assumed.");
	provenance_write_kernel(out, &provenance);
	provenance_write_values(out, &provenance);
	fputs("<details><summary>The same as a scenario to run again</summary>\n<pre>", out);
	html_text(out, c->manifest);
	fputs("</pre></details>\n", out);
	html_heading(out, "Runs");
	tables_write_all(out, "runs", &c->table);
}

static int write_page(FILE *out, struct cmd_env *env, const struct contents *c)
{
	const char *style_path = cmd_data_path(env->arena, "plots/page.css");
	const char *script_path = cmd_data_path(env->arena, "plots/page.js");

	if (!style_path || !script_path)
		return error_set(env->err, ERROR_RUN,
			"plots/page.css is neither in the source tree nor installed");
	const char *style = draw_read_text(env, style_path);
	const char *script = style ? draw_read_text(env, script_path) : NULL;
	if (!script)
		return -1;
	html_start(out,
		c->is_experiment ? csv_cell(&c->table, 0, csv_column(&c->table, "experiment"))
				 : c->scenario.name,
		style, script);
	write_introduction(out, env, c);
	write_tables(out, env, c);
	if (write_figures(out, env, c) < 0)
		return -1;
	write_provenance(out, env, c);
	html_end(out);
	return 0;
}

/* The page appears when it is whole. */
static int write_report(struct cmd_env *env, const char *path, const struct contents *c)
{
	const char *temporary = arena_printf(env->arena, "%s.tmp", path);
	FILE *out = fopen(temporary, "w");
	int result = out ? write_page(out, env, c) : -1;
	bool bad = !out || ferror(out);

	if (out && fclose(out) != 0)
		bad = true;
	if (result == 0 && !bad && rename(temporary, path) == 0)
		return 0;
	if (env->err->code == ERROR_NONE)
		error_at(
			env->err, ERROR_RUN, (struct where){ .file = path }, "%s", strerror(errno));
	unlink(temporary);
	return -1;
}

static int report(struct cmd_env *env, int argc, char **argv)
{
	struct cmd_args args = { .command = &cmd_report, .argc = argc, .argv = argv };
	struct contents c = { .dir = NULL };
	const char *out = NULL;

	for (int opt; (opt = cmd_next(&args, env->err)) != CMD_END;) {
		if (opt == OPT_OUT)
			out = args.value;
		else if (opt == CMD_BAD || cmd_operand(&args, &c.dir, env->err) < 0)
			return -1;
	}
	if (!c.dir)
		return cmd_missing(&cmd_report, "the directory", env->err);
	if (!out)
		return cmd_missing(&cmd_report, "-o FILE", env->err);
	return read_directory(env, &c) < 0 ? -1 : write_report(env, out, &c);
}

const struct command cmd_report = {
	.name = "report",
	.operands = "DIR -o FILE",
	.summary = "one page of a directory's results: tables, figures, where numbers come from",
	.notes = "DIR is what run -o, sweep -o or reproduce -o wrote. The page needs no network "
		 "and\n"
		 "no other file. Click a column's head to sort by it.\n",
	.options = options,
	.run = report,
};
