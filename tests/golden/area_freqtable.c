/*
 * Frequency tables: searches, sorting, limits. Files without a version hold for 6.1 and 6.12 alike.
 */
#include "sim/kernel/freq_table.h"
#include "sim/kernel/version.h"
#include "tests/golden/golden.h"

#define ENTRIES_MAX 256

#define ENTRY(X)     \
	X(table_id)  \
	X(sorted)    \
	X(n_entries) \
	X(idx)       \
	X(frequency) \
	X(flags)
GOLDEN_ROW(entry, ENTRY);
#define FIND(X)         \
	X(table_id)     \
	X(fn)           \
	X(target)       \
	X(min)          \
	X(max)          \
	X(efficiencies) \
	X(idx)
GOLDEN_ROW(find, FIND);
#define TARGET(X)                 \
	X(table_id)               \
	X(target)                 \
	X(min)                    \
	X(max)                    \
	X(relation)               \
	X(efficiencies_available) \
	X(idx)
GOLDEN_ROW(target, TARGET);
#define UNSORTED(X) \
	X(table_id) \
	X(target)   \
	X(min)      \
	X(max)      \
	X(relation) \
	X(idx)      \
	X(warned)
GOLDEN_ROW(unsorted, UNSORTED);
#define RESOLVE(X)                \
	X(table_id)               \
	X(target)                 \
	X(policy_min)             \
	X(policy_max)             \
	X(efficiencies_available) \
	X(freq)                   \
	X(cached_target_freq)     \
	X(cached_resolved_idx)
GOLDEN_ROW(resolve, RESOLVE);
#define SORT(X)           \
	X(table_id)       \
	X(boost_enabled)  \
	X(in_cpuinfo_max) \
	X(ret)            \
	X(policy_min)     \
	X(policy_max)     \
	X(cpuinfo_min)    \
	X(cpuinfo_max)    \
	X(sorted)
GOLDEN_ROW(sort, SORT);
#define VERIFY(X)      \
	X(table_id)    \
	X(in_min)      \
	X(in_max)      \
	X(cpuinfo_min) \
	X(cpuinfo_max) \
	X(o_min)       \
	X(o_max)
GOLDEN_ROW(verify, VERIFY);
#define WITHIN(X)  \
	X(in_min)  \
	X(in_max)  \
	X(lim_min) \
	X(lim_max) \
	X(o_min)   \
	X(o_max)
GOLDEN_ROW(within, WITHIN);
#define INDEX(X)    \
	X(table_id) \
	X(freq)     \
	X(ret)
GOLDEN_ROW(get_index, INDEX);

#define EINVAL_RESULT -22

struct loaded {
	struct freq_entry entries[ENTRIES_MAX];
	struct freq_table table;
	uint64_t id;
	bool valid;
};

/* The table called @id, classified by the model; NULL when the file has none. */
static struct freq_table *load(struct golden *g, struct loaded *loaded, uint64_t id)
{
	const struct golden_csv *csv;
	const struct entry *rows;
	size_t nr;

	if (loaded->valid && loaded->id == id)
		return &loaded->table;
	csv = golden_open(g, "tables");
	rows = golden_find(g, csv, id, &nr);
	if (!rows)
		return NULL;
	if (nr > ENTRIES_MAX) {
		golden_fail(g, "table %d is too long", (int)id);
		return NULL;
	}
	for (size_t i = 0; i < nr; i++) {
		loaded->entries[i].khz = (uint32_t)rows[i].frequency;
		loaded->entries[i].boost = rows[i].flags & 1;
		loaded->entries[i].inefficient = rows[i].flags & 2;
	}
	loaded->table.entries = loaded->entries;
	loaded->table.nr = (int)nr;
	freq_table_sort(&loaded->table);
	loaded->id = id;
	loaded->valid = true;
	return &loaded->table;
}

static struct freq_limits limits(uint64_t min, uint64_t max)
{
	return (struct freq_limits){ (uint32_t)min, (uint32_t)max };
}

static void check_find(struct golden *g)
{
	struct loaded loaded = { .valid = false };
	const struct find *r;

	while ((r = golden_next(g)) != NULL) {
		struct freq_table *table = load(g, &loaded, r->table_id);

		if (!table)
			return;
		GOLDEN_EQ(g, r, idx,
			(int64_t)freq_table_find(table, (uint32_t)r->target, limits(r->min, r->max),
				(unsigned)r->fn, r->efficiencies != 0));
	}
}

static void check_target(struct golden *g)
{
	struct loaded loaded = { .valid = false };
	const struct target *r;

	while ((r = golden_next(g)) != NULL) {
		struct freq_table *table = load(g, &loaded, r->table_id);

		if (!table)
			return;
		table->efficiencies = r->efficiencies_available != 0;
		GOLDEN_EQ(g, r, idx,
			(int64_t)freq_table_target(table, (uint32_t)r->target,
				limits(r->min, r->max), (unsigned)r->relation, KVER(6, 1, 192)));
	}
}

static void check_unsorted(struct golden *g)
{
	struct loaded loaded = { .valid = false };
	const struct unsorted *r;

	while ((r = golden_next(g)) != NULL) {
		struct freq_table *table = load(g, &loaded, r->table_id);
		int index;

		if (!table)
			return;
		index = freq_table_find_unsorted(
			table, (uint32_t)r->target, limits(r->min, r->max), (unsigned)r->relation);
		GOLDEN_EQ(g, r, warned, index < 0);
		GOLDEN_EQ(g, r, idx, index < 0 ? 0 : index);
	}
}

static void check_resolve(struct golden *g)
{
	struct loaded loaded = { .valid = false };
	const struct resolve *r;

	while ((r = golden_next(g)) != NULL) {
		struct freq_table *table = NULL;
		struct freq_resolution out;

		if ((int64_t)r->table_id >= 0) {
			table = load(g, &loaded, r->table_id);
			if (!table)
				return;
			table->efficiencies = r->efficiencies_available != 0;
		}
		out = freq_resolve(table, (uint32_t)r->target, limits(r->policy_min, r->policy_max),
			KVER(6, 1, 192));
		GOLDEN_EQ(g, r, freq, out.khz);
		GOLDEN_EQ(g, r, cached_target_freq, out.cached_khz);
		GOLDEN_EQ(g, r, cached_resolved_idx, out.cached_index);
	}
}

static void check_sort(struct golden *g)
{
	struct loaded loaded = { .valid = false };
	const struct sort *r;

	while ((r = golden_next(g)) != NULL) {
		struct freq_table *table = load(g, &loaded, r->table_id);
		struct freq_limits cpuinfo = { 0, (uint32_t)r->in_cpuinfo_max };
		struct freq_limits policy;
		int ret;

		if (!table)
			return;
		ret = freq_table_cpuinfo(table, r->boost_enabled != 0, &policy, &cpuinfo);
		if (ret == 0)
			ret = freq_table_sort(table);
		else
			table->order = FREQ_UNSORTED;
		GOLDEN_EQ(g, r, ret, (int64_t)(ret < 0 ? EINVAL_RESULT : 0));
		GOLDEN_EQ(g, r, policy_min, policy.min_khz);
		GOLDEN_EQ(g, r, policy_max, policy.max_khz);
		GOLDEN_EQ(g, r, cpuinfo_min, cpuinfo.min_khz);
		GOLDEN_EQ(g, r, cpuinfo_max, cpuinfo.max_khz);
		GOLDEN_EQ(g, r, sorted, table->order);
		freq_table_sort(table);
	}
}

static void check_verify(struct golden *g)
{
	struct loaded loaded = { .valid = false };
	const unsigned *version = golden_arg(g);
	const struct verify *r;

	while ((r = golden_next(g)) != NULL) {
		struct freq_table *table = load(g, &loaded, r->table_id);
		struct freq_limits out = limits(r->in_min, r->in_max);

		if (!table)
			return;
		freq_table_verify(table, &out, limits(r->cpuinfo_min, r->cpuinfo_max), *version);
		GOLDEN_EQ(g, r, o_min, out.min_khz);
		GOLDEN_EQ(g, r, o_max, out.max_khz);
	}
}

static void check_within(struct golden *g)
{
	const struct within *r;

	while ((r = golden_next(g)) != NULL) {
		struct freq_limits out = limits(r->in_min, r->in_max);

		freq_limits_verify(&out, limits(r->lim_min, r->lim_max));
		GOLDEN_EQ(g, r, o_min, out.min_khz);
		GOLDEN_EQ(g, r, o_max, out.max_khz);
	}
}

static void check_get_index(struct golden *g)
{
	struct loaded loaded = { .valid = false };
	const struct get_index *r;

	while ((r = golden_next(g)) != NULL) {
		struct freq_table *table = load(g, &loaded, r->table_id);
		int index;

		if (!table)
			return;
		index = freq_table_index(table, (uint32_t)r->freq);
		GOLDEN_EQ(g, r, ret, (int64_t)(index < 0 ? EINVAL_RESULT : index));
	}
}

/* The rows of the tables themselves: -1 is an order the kernel refuses. */
static void check_tables(struct golden *g)
{
	struct loaded loaded = { .valid = false };
	const struct entry *r;

	while ((r = golden_next(g)) != NULL) {
		struct freq_table *table = load(g, &loaded, r->table_id);

		if (!table)
			return;
		GOLDEN_EQ(g, r, sorted, freq_table_sort(table) < 0 ? -1 : (int)table->order);
		GOLDEN_EQ(g, r, n_entries, table->nr);
	}
}

static const unsigned v510 = KVER(5, 10, 0), v61 = KVER(6, 1, 192), v612 = KVER(6, 12, 117);

static const struct golden_file files[] = {
	{ "find_index", find_columns, check_find, NULL },
	{ "table_target", target_columns, check_target, NULL },
	{ "index_unsorted", unsorted_columns, check_unsorted, NULL },
	{ "resolve_freq", resolve_columns, check_resolve, NULL },
	{ "validate_and_sort", sort_columns, check_sort, NULL },
	{ "table_verify_v5.10", verify_columns, check_verify, &v510 },
	{ "table_verify_v6.1", verify_columns, check_verify, &v61 },
	{ "table_verify_v6.12", verify_columns, check_verify, &v612 },
	{ "verify_within_limits", within_columns, check_within, NULL },
	{ "get_index", get_index_columns, check_get_index, NULL },
	{ "tables", entry_columns, check_tables, NULL },
	{ NULL, NULL, NULL, NULL },
};
const struct golden_area golden_area_freqtable = { "freqtable", files };
