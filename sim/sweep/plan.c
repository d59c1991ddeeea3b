#include "sim/sweep/plan.h"

#include <gsl/gsl_qrng.h>
#include <inttypes.h>
#include <string.h>

#include "sim/base/rng.h"
#include "sim/base/str.h"
#include "sim/sweep/axis_text.h"

const char *const design_names[] = { "grid", "latin", "sobol", NULL };

/* What a plan is read with. */
struct reader {
	struct plan *plan;
	struct arena *arena;
	struct error *err;
};

const char *axis_value(const struct axis *axis, struct arena *arena, size_t i)
{
	if (axis->values)
		return axis->values[i];
	int64_t value = axis->lo + (int64_t)i * axis->step;
	int64_t one = 1;
	int decimals = axis->decimals;

	/* A trailing zero behind the point says nothing. */
	for (; decimals > 0 && value % 10 == 0; decimals--)
		value /= 10;
	for (int d = 0; d < decimals; d++)
		one *= 10;
	if (decimals == 0)
		return arena_printf(arena, "%" PRId64 "%s", value, axis->suffix);
	int64_t size = value < 0 ? -value : value;
	return arena_printf(arena, "%s%" PRId64 ".%0*" PRId64 "%s", value < 0 ? "-" : "",
		size / one, decimals, size % one, axis->suffix);
}

size_t plan_value_of(const struct plan *plan, size_t point, size_t axis)
{
	if (plan->chosen)
		return plan->chosen[point * plan->nr_axes + axis];
	for (size_t a = plan->nr_axes - 1; a > axis; a--)
		point /= plan->axes[a].nr;
	return point % plan->axes[axis].nr;
}

const char *plan_describe(const struct plan *plan, size_t point, struct arena *arena)
{
	const char *text = "";

	for (size_t a = 0; a < plan->nr_axes; a++) {
		const struct axis *axis = &plan->axes[a];

		text = arena_printf(arena, "%s%s%s=%s", text, a ? " " : "", axis->path,
			axis_value(axis, arena, plan_value_of(plan, point, a)));
	}
	return text;
}

/* The axis called @path, made when there is none. */
static struct axis *take_axis(struct reader *r, const char *path, struct where at)
{
	struct plan *plan = r->plan;

	for (size_t a = 0; a < plan->nr_axes; a++)
		if (strcmp(plan->axes[a].path, path) == 0)
			return &plan->axes[a];
	if (plan->nr_axes == PLAN_MAX_AXES) {
		error_at(r->err, ERROR_SCENARIO, at, "more than %d axes", PLAN_MAX_AXES);
		return NULL;
	}
	plan->axes[plan->nr_axes].path = path;
	return &plan->axes[plan->nr_axes++];
}

static int read_option(struct reader *r, const struct node *node)
{
	struct plan *plan = r->plan;
	const char *text = node->type == NODE_SCALAR ? node->text : "";

	if (strcmp(node->key, "samples") == 0) {
		if (str_to_i64(text, UNIT_NONE, &plan->samples) < 0 || plan->samples < 1 ||
			plan->samples > PLAN_MAX_POINTS)
			return error_at(r->err, ERROR_SCENARIO, node->at,
				"samples: expected a whole number in 1..%d", PLAN_MAX_POINTS);
		return 1;
	}
	if (strcmp(node->key, "design") != 0)
		return 0;
	for (int i = 0; design_names[i]; i++) {
		if (strcmp(design_names[i], text) == 0) {
			plan->design = i;
			return 1;
		}
	}
	return error_at(r->err, ERROR_SCENARIO, node->at,
		"design: found \"%.60s\"; expected grid, latin or sobol", text);
}

/* The part of the file that says what to sweep is cut off: what remains is a scenario. */
static int read_file(struct reader *r)
{
	struct node *root = r->plan->root, *sweep = node_get(root, "sweep");

	if (!sweep)
		return 0;
	if (sweep->type != NODE_MAP)
		return error_at(r->err, ERROR_SCENARIO, sweep->at,
			"sweep: expected a map { section.key: values, ... }");
	for (struct node **link = &root->first; *link; link = &(*link)->next) {
		if (*link == sweep) {
			*link = sweep->next;
			root->nr--;
			break;
		}
	}
	for (const struct node *node = sweep->first; node; node = node->next) {
		int option = read_option(r, node);

		if (option < 0)
			return -1;
		if (option > 0)
			continue;
		struct axis *axis = take_axis(r, node->key, node->at);
		if (!axis || axis_from_node(axis, r->arena, node, r->err) < 0)
			return -1;
	}
	return 0;
}

static int read_command_line(struct reader *r, const struct plan_request *request)
{
	for (size_t i = 0; i < request->nr_sweeps; i++) {
		const char *text = request->sweeps[i];
		const struct where at = { .file = arena_printf(r->arena,
						  "(command line) --sweep %.200s", text) };
		const char *equals = strchr(text, '=');

		if (!equals || equals == text)
			return error_at(r->err, ERROR_SCENARIO, at,
				"expected section.key=lo:hi:step or section.key=a,b,c");
		struct axis *axis = take_axis(
			r, arena_printf(r->arena, "%.*s", (int)(equals - text), text), at);
		if (!axis || axis_from_text(axis, r->arena, at, equals + 1, r->err) < 0)
			return -1;
	}
	if (request->design >= 0)
		r->plan->design = request->design;
	if (request->samples > 0)
		r->plan->samples = request->samples;
	return 0;
}

/* No two samples in the same of @samples equal parts of the axis. */
static void choose_latin(struct reader *r, size_t a)
{
	const uint32_t fine = UINT32_C(1) << 24;
	struct plan *plan = r->plan;
	size_t nr = plan->nr_points;
	uint32_t *part = arena_array(r->arena, nr, sizeof(*part));
	struct rng rng;

	rng_set(&rng, (uint64_t)plan->samples, a + 1);
	for (size_t i = 0; i < nr; i++) {
		uint32_t j = rng_below(&rng, (uint32_t)i + 1);

		part[i] = part[j];
		part[j] = (uint32_t)i;
	}
	for (size_t i = 0; i < nr; i++) {
		double within = (double)rng_below(&rng, fine) / fine;

		plan->chosen[i * plan->nr_axes + a] = (uint32_t)(((double)part[i] + within) /
			(double)nr * (double)plan->axes[a].nr);
	}
}

static int choose_sobol(struct reader *r)
{
	struct plan *plan = r->plan;
	gsl_qrng *sequence = gsl_qrng_alloc(gsl_qrng_sobol, (unsigned int)plan->nr_axes);
	double at[PLAN_MAX_AXES];

	if (!sequence)
		return error_set(r->err, ERROR_RUN, "out of memory for Sobol's sequence");
	for (size_t i = 0; i < plan->nr_points; i++) {
		gsl_qrng_get(sequence, at);
		for (size_t a = 0; a < plan->nr_axes; a++)
			plan->chosen[i * plan->nr_axes + a] = (uint32_t)(at[a] *
				(double)plan->axes[a].nr);
	}
	gsl_qrng_free(sequence);
	return 0;
}

static int choose_points(struct reader *r)
{
	struct plan *plan = r->plan;
	double all = 1;

	for (size_t a = 0; a < plan->nr_axes; a++)
		all *= (double)plan->axes[a].nr;
	if (plan->design == DESIGN_GRID) {
		if (plan->samples)
			return error_set(r->err, ERROR_SCENARIO,
				"samples go with design latin or sobol; a grid is every point");
		if (all > PLAN_MAX_POINTS)
			return error_set(r->err, ERROR_SCENARIO,
				"the axes have %.3g points; expected at most %d (or --samples N)",
				all, PLAN_MAX_POINTS);
		plan->nr_points = (size_t)all;
		return 0;
	}
	if (!plan->samples)
		return error_set(r->err, ERROR_SCENARIO,
			"design %s: the number of samples is "
			"missing",
			design_names[plan->design]);
	plan->nr_points = (size_t)plan->samples;
	plan->chosen = arena_array(
		r->arena, plan->nr_points * plan->nr_axes, sizeof(*plan->chosen));
	if (plan->design == DESIGN_SOBOL)
		return choose_sobol(r);
	for (size_t a = 0; a < plan->nr_axes; a++)
		choose_latin(r, a);
	return 0;
}

int plan_load(struct plan *plan, struct arena *arena, const struct catalog *catalog,
	const struct plan_request *request, struct error *err)
{
	struct reader r = { .plan = plan, .arena = arena, .err = err };

	*plan = (struct plan){ .catalog = catalog };
	if (yaml_read_file(arena, request->path, &plan->root, err) < 0)
		return -1;
	if (plan->root->type == NODE_MAP && read_file(&r) < 0)
		return -1;
	for (size_t i = 0; i < request->nr_overrides; i++)
		if (yaml_override(arena, plan->root, request->overrides[i], err) < 0)
			return -1;
	if (read_command_line(&r, request) < 0)
		return -1;
	return choose_points(&r);
}

/* A copy that overrides may change; texts are shared. */
static struct node *copy_tree(struct arena *arena, const struct node *from)
{
	struct node *node = arena_alloc(arena, sizeof(*node));
	struct node **end = &node->first;

	*node = *from;
	node->next = node->first = NULL;
	for (const struct node *child = from->first; child; child = child->next) {
		*end = copy_tree(arena, child);
		end = &(*end)->next;
	}
	return node;
}

int plan_scenario(const struct plan *plan, size_t point, struct arena *arena,
	struct scenario *scenario, struct error *err)
{
	struct node *root = copy_tree(arena, plan->root);
	struct error inner = { .code = ERROR_NONE };

	for (size_t a = 0; a < plan->nr_axes; a++) {
		const struct axis *axis = &plan->axes[a];
		const char *assignment = arena_printf(arena, "%s=%s", axis->path,
			axis_value(axis, arena, plan_value_of(plan, point, a)));

		if (yaml_override(arena, root, assignment, &inner) < 0)
			break;
	}
	if (inner.code == ERROR_NONE &&
		scenario_from_tree(arena, plan->catalog, root, scenario, &inner) == 0)
		return 0;
	if (plan->nr_axes == 0)
		return error_set(err, inner.code, "%s", inner.text);
	return error_set(err, inner.code, "point %zu (%.300s): %s", point + 1,
		plan_describe(plan, point, arena), inner.text);
}
