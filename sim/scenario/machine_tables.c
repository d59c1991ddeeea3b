#include "sim/base/units.h"
#include "sim/scenario/machine_reader.h"
#include "sim/scenario/rows.h"

#define MAX_OPPS 256
#define MAX_CSTATES 16

struct opp_row {
	struct opp_spec opp;
	int64_t turbo;
};

static const struct param opp_params[] = { PARAM_INT(struct opp_row, opp.khz, "freq", UNIT_KHZ,
						   1000, MACHINE_MAX_KHZ, 0,
						   "the frequency as Linux names it"),
	PARAM_INT(struct opp_row, opp.clock_khz, "clock", UNIT_KHZ, 1000, MACHINE_MAX_KHZ,
		PARAM_AUTO, "the clock that really runs"),
	PARAM_INT(struct opp_row, opp.uv, "voltage", UNIT_UV, 0, 5000000, 0,
		"voltage at that frequency"),
	PARAM_INT(struct opp_row, opp.power_uw, "power", UNIT_UW, 0, INT64_C(1000000000), 0,
		"of one fully busy CPU above idle; 0: from ceff and voltage"),
	PARAM_BOOL(struct opp_row, turbo, "turbo", 0, "hardware chooses the clock"), PARAM_END };

static int read_opps(
	struct machine_reader *r, const struct node *node, struct opp_spec **opps, size_t *nr)
{
	static const char *const required[] = { "freq", NULL };
	const struct rows_list list = { opp_params, sizeof(struct opp_row), required, node->key,
		MAX_OPPS };
	struct opp_row *rows;

	if (rows_fill_list(r->arena, &list, node, &rows, nr, r->err) < 0)
		return -1;
	*opps = arena_array(r->arena, *nr, sizeof(**opps));
	const struct node *element = node->first;
	for (size_t i = 0; i < *nr; i++, element = element->next) {
		struct opp_spec *opp = &(*opps)[i];

		*opp = rows[i].opp;
		opp->turbo = rows[i].turbo != 0;
		if (opp->clock_khz == PARAM_AUTO)
			opp->clock_khz = opp->khz;
		if (i && opp->khz <= opp[-1].khz)
			return machine_refuse(r, element, "freq is not above the one before it");
	}
	return 0;
}

/* Power has to come from somewhere, and a busy CPU takes some. */
static int check_points(
	const struct machine_reader *r, const struct node *node, const struct opp_table *table)
{
	const struct node *element = node->first;

	for (size_t i = 0; i < table->nr_points; i++, element = element->next) {
		const struct opp_spec *point = &table->points[i];

		if (!point->uv && !point->power_uw)
			return machine_refuse(r, element, "neither voltage nor power is given");
		if (!point->power_uw && !table->ceff_uw_per_mhz_v2 && !table->leak_uw)
			return machine_refuse(r, element,
				"a busy CPU would take no power; expected power here, or ceff");
	}
	return 0;
}

static const struct param table_params[] = {
	PARAM_INT(struct opp_table, ceff_uw_per_mhz_v2, "ceff", UNIT_NONE, 0, 1000000000, 0,
		"switched capacitance of a busy CPU, uW per MHz per V^2"),
	PARAM_INT(struct opp_table, latency_ns, "latency", UNIT_NS, 0, 1000000000, -1,
		"of a change of clock and regulator, for drivers that read it from the machine"),
	PARAM_INT(struct opp_table, leak_uw, "leak", UNIT_UW, 0, INT64_C(1000000000), 0,
		"per busy CPU, whatever its clock"),
	PARAM_END
};

static const struct param limits_params_of_table[] = {
	PARAM_INT(struct opp_table, min_khz, "min", UNIT_KHZ, 1000, MACHINE_MAX_KHZ, 0,
		"lowest frequency of a driver without a table"),
	PARAM_INT(struct opp_table, max_khz, "max", UNIT_KHZ, 1000, MACHINE_MAX_KHZ, 0,
		"highest frequency of a driver without a table"),
	PARAM_END
};

static int read_limits(struct machine_reader *r, const struct node *from, struct opp_table *table)
{
	static const char *const required[] = { "min", "max", NULL };
	const struct node *node = node_get(from, "limits");

	table->min_khz = table->points[0].khz;
	table->max_khz = table->points[table->nr_points - 1].khz;
	if (!node)
		return 0;
	if (rows_fill(limits_params_of_table, table, node, NULL, "limits", r->err) < 0 ||
		rows_require(node, required, "limits", r->err) < 0)
		return -1;
	if (table->min_khz > table->max_khz)
		return machine_refuse(r, node, "limits: min is above max");
	return 0;
}

/* Drivers that take any frequency need no table; then there are only points of the voltage curve.
 * With both, power is read off the points and the table is what drivers offer. */
static int read_table(struct machine_reader *r, const struct node *from, struct opp_table *table)
{
	const struct node *offered = node_get(from, "frequency_table");
	const struct node *points = node_get(from, "voltage_points");

	if (!offered && !points)
		return error_at(r->err, ERROR_SCENARIO,
			table->name ? from->at : (struct where){ .file = r->spec->path },
			"neither frequency_table nor voltage_points; expected one of them");
	table->has_table = offered != NULL;
	if (offered && read_opps(r, offered, &table->opps, &table->nr_opps) < 0)
		return -1;
	table->points = table->opps;
	table->nr_points = table->nr_opps;
	if (points && read_opps(r, points, &table->points, &table->nr_points) < 0)
		return -1;
	if (check_points(r, points ? points : offered, table) < 0)
		return -1;
	return read_limits(r, from, table);
}

static const struct param cstate_params[] = { PARAM_TEXT(struct cstate_spec, name, "name", NULL,
						      "the state's name"),
	PARAM_INT(struct cstate_spec, exit_latency_us, "exit_latency", UNIT_US, 0, 1000000, 0,
		"time to leave it"),
	PARAM_INT(struct cstate_spec, target_residency_us, "target_residency", UNIT_US, 0, 10000000,
		0, "least stay that pays"),
	PARAM_INT(struct cstate_spec, power_uw, "power", UNIT_UW, 0, INT64_C(1000000000), 0,
		"of one CPU in that state"),
	PARAM_END };

static int read_states(
	struct machine_reader *r, const struct node *node, struct cstate_spec **states, size_t *nr)
{
	static const char *const required[] = { "name", "exit_latency", "target_residency", NULL };
	const struct rows_list list = { cstate_params, sizeof(struct cstate_spec), required, "idle",
		MAX_CSTATES };

	if (rows_fill_list(r->arena, &list, node, states, nr, r->err) < 0)
		return -1;
	const struct node *element = node->first->next;
	for (size_t i = 1; i < *nr; i++, element = element->next)
		if ((*states)[i].target_residency_us < (*states)[i - 1].target_residency_us)
			return machine_refuse(r, element,
				"idle: target_residency is below that of the state before");
	return 0;
}

static int read_named_table(
	struct machine_reader *r, const struct node *node, struct opp_table *table)
{
	static const char *const sections[] = { "frequency_table", "voltage_points", "limits",
		"idle", NULL };
	const struct node *idle = node_get(node, "idle");
	struct cstate_spec *states;

	table->name = node->key;
	if (rows_fill(table_params, table, node, sections, "a table", r->err) < 0)
		return -1;
	if (idle) {
		if (read_states(r, idle, &states, &table->nr_cstates) < 0)
			return -1;
		table->cstates = states;
	}
	return read_table(r, node, table);
}

int machine_tables(struct machine_reader *r)
{
	const struct node *node = node_get(r->root, "tables");
	struct machine_spec *spec = r->spec;

	spec->nr_tables = node ? node->nr : 1;
	if (node && (node->type != NODE_MAP || !node->nr))
		return rows_mismatch(
			node, "tables", "a map from name to { frequency_table: ... }", r->err);
	spec->tables = arena_array(r->arena, spec->nr_tables, sizeof(*spec->tables));
	for (size_t i = 0; i < spec->nr_tables; i++) {
		spec->tables[i].latency_ns = -1;
		spec->tables[i].ceff_uw_per_mhz_v2 = spec->power.ceff_uw_per_mhz_v2;
		spec->tables[i].leak_uw = spec->power.leak_uw;
	}
	if (!node)
		return read_table(r, r->root, &spec->tables[0]);
	if (node_get(r->root, "frequency_table") || node_get(r->root, "voltage_points") ||
		node_get(r->root, "limits"))
		return machine_refuse(r, node,
			"tables beside frequency_table, voltage_points or limits; expected these "
			"inside it");
	size_t i = 0;
	for (const struct node *child = node->first; child; child = child->next)
		if (read_named_table(r, child, &spec->tables[i++]) < 0)
			return -1;
	return 0;
}

int machine_idle(struct machine_reader *r)
{
	static const char *const required[] = { "idle", NULL };
	const struct node *node = node_get(r->root, "idle");
	struct machine_spec *spec = r->spec;

	if (node)
		return read_states(r, node, &spec->cstates, &spec->nr_cstates);
	for (size_t i = 0; i < spec->nr_tables; i++)
		if (!spec->tables[i].cstates)
			return rows_require(r->root, required, "a machine file", r->err);
	return 0;
}
