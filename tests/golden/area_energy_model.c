/* energy-model: costs of states, and the energy of a domain. */
#include "sim/kernel/energy_model.h"
#include "sim/kernel/version.h"
#include "tests/golden/golden.h"

#define STATES_MAX 256

struct em_tag {
	unsigned version;
	const char *table;
	bool has_performance;
};

#define STATE(X)    \
	X(em_id)    \
	X(n)        \
	X(idx)      \
	X(freq_khz) \
	X(power)    \
	X(cost)     \
	X(inefficient)
GOLDEN_ROW(state, STATE);
#define STATE_6_12(X)  \
	X(em_id)       \
	X(cpu_scale)   \
	X(n)           \
	X(idx)         \
	X(freq_khz)    \
	X(power)       \
	X(performance) \
	X(cost)        \
	X(inefficient)
GOLDEN_ROW(state_6_12, STATE_6_12);

struct built {
	struct em_domain domain;
	struct em_state states[STATES_MAX];
};

/* Row @i of a table of either kind. */
static struct state_6_12 state_row(const struct em_tag *tag, const void *rows, size_t i)
{
	const struct state *old = rows;

	if (tag->has_performance)
		return ((const struct state_6_12 *)rows)[i];
	return (struct state_6_12){
		.em_id = old[i].em_id,
		.n = old[i].n,
		.idx = old[i].idx,
		.freq_khz = old[i].freq_khz,
		.power = old[i].power,
		.cost = old[i].cost,
		.inefficient = old[i].inefficient,
	};
}

/* The domain @id of @csv. @capacity is that of its first CPU, 0 to take it from the table. */
static bool build(struct golden *g, struct built *built, const struct golden_csv *csv, uint64_t id,
	uint64_t capacity)
{
	const struct em_tag *tag = golden_arg(g);
	size_t nr;
	const void *rows = golden_find(g, csv, id, &nr);
	uint64_t max_khz;

	if (rows == NULL)
		return false;
	if (nr > STATES_MAX || nr != state_row(tag, rows, 0).n) {
		golden_fail(g, "domain %d: %d states", (int)id, (int)nr);
		return false;
	}
	built->domain = (struct em_domain){
		.states = built->states,
		.nr = (int)nr,
		.capacity = capacity != 0 ? capacity : state_row(tag, rows, 0).cpu_scale,
		.version = tag->version,
	};
	max_khz = state_row(tag, rows, nr - 1).freq_khz;
	for (size_t i = 0; i < nr; i++) {
		struct state_6_12 row = state_row(tag, rows, i);

		if (row.idx != i || row.freq_khz == 0) {
			golden_fail(g, "domain %d: its states are not in order", (int)id);
			return false;
		}
		if (tag->has_performance && built->domain.capacity * row.freq_khz < max_khz) {
			golden_fail(g, "domain %d: a state without performance", (int)id);
			return false;
		}
		built->states[i] = (struct em_state){ .khz = row.freq_khz, .power = row.power };
	}
	em_compute(&built->domain);
	return true;
}

static void check_table(struct golden *g)
{
	const struct em_tag *tag = golden_arg(g);
	const struct golden_csv *csv = golden_open(g, tag->table);
	struct built built;
	const void *r;

	while ((r = golden_next(g)) != NULL) {
		struct state_6_12 row = state_row(tag, r, 0);
		const struct em_state *state;

		if (!build(g, &built, csv, row.em_id, 0))
			return;
		state = &built.states[row.idx];
		if (tag->has_performance)
			golden_eq(g, "performance", row.performance, state->performance);
		golden_eq(g, "cost", row.cost, state->cost);
		golden_eq(g, "inefficient", row.inefficient, state->inefficient);
	}
}

#define ENERGY(X)           \
	X(em_id)            \
	X(cpu_scale)        \
	X(skip_inefficient) \
	X(max_util)         \
	X(sum_util)         \
	X(allowed_cap)      \
	X(ps_idx)           \
	X(energy)
GOLDEN_ROW(energy, ENERGY);

static void check_energy(struct golden *g)
{
	const struct em_tag *tag = golden_arg(g);
	const struct golden_csv *csv = golden_open(g, tag->table);
	const struct energy *r;
	struct built built;

	while ((r = golden_next(g)) != NULL) {
		struct em_domain *domain = &built.domain;

		if (r->cpu_scale == 0) {
			golden_fail(g, "cpu_scale is 0");
			return;
		}
		if (!build(g, &built, csv, r->em_id, r->cpu_scale))
			return;
		domain->skip_inefficient = r->skip_inefficient != 0;
		GOLDEN_EQ(g, r, ps_idx, em_state_for(domain, r->max_util, r->allowed_cap));
		GOLDEN_EQ(
			g, r, energy, em_energy(domain, r->max_util, r->sum_util, r->allowed_cap));
	}
}

static const struct em_tag v5_10 = { KVER(5, 10, 255), "em_table_v5.10", false };
static const struct em_tag v6_1 = { KVER(6, 1, 192), "em_table_v6.1", false };
static const struct em_tag v6_12 = { KVER(6, 12, 117), "em_table_v6.12", true };

static const struct golden_file files[] = {
	{ "em_table_v5.10", state_columns, check_table, &v5_10 },
	{ "em_table_v6.1", state_columns, check_table, &v6_1 },
	{ "em_table_v6.12", state_6_12_columns, check_table, &v6_12 },
	{ "em_energy_v5.10", energy_columns, check_energy, &v5_10 },
	{ "em_energy_v6.1", energy_columns, check_energy, &v6_1 },
	{ "em_energy_v6.12", energy_columns, check_energy, &v6_12 },
	{ NULL, NULL, NULL, NULL },
};
const struct golden_area golden_area_energy_model = { "energy-model", files };
