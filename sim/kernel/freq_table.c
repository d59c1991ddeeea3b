#include "sim/kernel/freq_table.h"

#include "sim/kernel/version.h"

/* Sorted searches came with 4.8, clamping and skipping of equal requests in the core with 3.8. */
#define VERSION_SORTED KVER(4, 8, 0)
#define VERSION_CORE_CLAMPS KVER(3, 8, 0)
/* The efficiency flag: new in 5.16, first seen by these rules in 6.1. */
#define VERSION_EFFICIENT KVER(5, 16, 0)
#define VERSION_VERIFY_DOWN KVER(6, 12, 0)

static uint32_t clamp_khz(uint32_t khz, struct freq_limits limits)
{
	if (khz < limits.min_khz)
		khz = limits.min_khz;
	return khz > limits.max_khz ? limits.max_khz : khz;
}

static bool inside(uint32_t khz, struct freq_limits limits)
{
	return khz >= limits.min_khz && khz <= limits.max_khz;
}

static bool valid(const struct freq_entry *entry)
{
	return entry->khz != FREQ_ENTRY_INVALID;
}

int freq_table_sort(struct freq_table *table)
{
	const struct freq_entry *prev = NULL;
	enum freq_order order = FREQ_UNSORTED;

	table->order = FREQ_UNSORTED;
	table->efficiencies = false;
	for (int i = 0; i < table->nr; i++)
		table->efficiencies |= valid(&table->entries[i]) && table->entries[i].inefficient;
	for (int i = 0; i < table->nr; i++) {
		const struct freq_entry *entry = &table->entries[i];

		if (!valid(entry))
			continue;
		if (prev) {
			enum freq_order step = entry->khz > prev->khz ? FREQ_ASCENDING
								      : FREQ_DESCENDING;

			if (entry->khz == prev->khz)
				return -1;
			/* The first change of direction decides: duplicates behind it pass. */
			if (order != FREQ_UNSORTED && order != step)
				return 0;
			order = step;
		}
		prev = entry;
	}
	table->order = order == FREQ_ASCENDING ? FREQ_ASCENDING : FREQ_DESCENDING;
	return 0;
}

int freq_table_cpuinfo(const struct freq_table *table, bool boost, struct freq_limits *limits,
	struct freq_limits *cpuinfo)
{
	struct freq_limits found = { UINT32_MAX, 0 };

	for (int i = 0; i < table->nr; i++) {
		const struct freq_entry *entry = &table->entries[i];

		if (!valid(entry) || (entry->boost && !boost))
			continue;
		if (entry->khz < found.min_khz)
			found.min_khz = entry->khz;
		if (entry->khz > found.max_khz)
			found.max_khz = entry->khz;
	}
	*limits = found;
	cpuinfo->min_khz = found.min_khz;
	if (cpuinfo->max_khz < found.max_khz)
		cpuinfo->max_khz = found.max_khz;
	return found.min_khz == UINT32_MAX ? -1 : 0;
}

int freq_table_find(const struct freq_table *table, uint32_t khz, struct freq_limits limits,
	unsigned relation, bool efficient)
{
	const struct freq_entry *entries = table->entries;
	bool ascending = table->order == FREQ_ASCENDING;
	int before = -1, at = -1; /* last entry short of the target, first one that reaches it */

	khz = clamp_khz(khz, limits);
	for (int i = 0; i < table->nr; i++) {
		if (!valid(&entries[i]) || (efficient && entries[i].inefficient))
			continue;
		if (ascending ? entries[i].khz >= khz : entries[i].khz <= khz) {
			at = i;
			break;
		}
		before = i;
	}
	if (at < 0 || before < 0)
		return at < 0 ? before : at;
	if (entries[at].khz == khz)
		return at;
	switch (relation & ~(unsigned)RELATION_E) {
	case RELATION_L:
		return ascending ? at : before;
	case RELATION_H:
		return ascending ? before : at;
	default:
		/* On equal distance the entry met first: the lower one in an ascending table. */
		if (ascending)
			return khz - entries[before].khz > entries[at].khz - khz ? at : before;
		return entries[before].khz - khz > khz - entries[at].khz ? at : before;
	}
}

/* |a - b| as a 32-bit signed absolute value makes it: it wraps above 2^31. */
static uint32_t distance(uint32_t a, uint32_t b)
{
	uint32_t d = a - b;

	return d > (uint32_t)INT32_MAX ? 0 - d : d;
}

/* Whether @khz serves @target better than @best does; of two equal ones the later wins, except
 * for C. */
static bool better(uint32_t khz, uint32_t best, uint32_t target, unsigned relation)
{
	bool above = khz > target, best_above = best > target;
	uint32_t d, best_d;

	switch (relation) {
	case RELATION_L:
		if (above != best_above)
			return above;
		return above ? khz <= best : khz >= best;
	case RELATION_H:
		if (above != best_above)
			return best_above;
		return above ? khz <= best : khz >= best;
	default:
		d = distance(khz, target);
		best_d = distance(best, target);
		return d < best_d || (d == best_d && khz > best);
	}
}

int freq_table_find_unsorted(
	const struct freq_table *table, uint32_t khz, struct freq_limits limits, unsigned relation)
{
	int best = -1;

	relation &= ~(unsigned)RELATION_E;
	for (int i = 0; i < table->nr; i++) {
		uint32_t entry_khz = table->entries[i].khz;

		if (!valid(&table->entries[i]) || !inside(entry_khz, limits))
			continue;
		if (entry_khz == khz)
			return i;
		if (best < 0 || better(entry_khz, table->entries[best].khz, khz, relation))
			best = i;
	}
	return best;
}

int freq_table_target(const struct freq_table *table, uint32_t khz, struct freq_limits limits,
	unsigned relation, unsigned version)
{
	bool efficient = (relation & RELATION_E) && table->efficiencies;
	int index;

	if (version < VERSION_SORTED)
		return freq_table_find_unsorted(table, khz, limits, relation);
	if (table->order == FREQ_UNSORTED) {
		index = freq_table_find_unsorted(table, khz, limits, relation);
		return index < 0 ? 0 : index;
	}
	index = freq_table_find(table, khz, limits, relation, efficient);
	if (efficient && (index < 0 || !inside(table->entries[index].khz, limits)))
		index = freq_table_find(table, khz, limits, relation, false);
	return index;
}

int freq_table_index(const struct freq_table *table, uint32_t khz)
{
	for (int i = 0; i < table->nr; i++)
		if (valid(&table->entries[i]) && table->entries[i].khz == khz)
			return i;
	return -1;
}

struct freq_resolution freq_resolve(
	const struct freq_table *table, uint32_t khz, struct freq_limits limits, unsigned version)
{
	bool efficient = version >= VERSION_EFFICIENT;
	unsigned relation = efficient ? RELATION_L | RELATION_E : RELATION_L;
	struct freq_resolution out = { .cached_khz = 0 };
	int index;

	if (efficient && limits.min_khz > limits.max_khz)
		limits.min_khz = limits.max_khz;
	out.khz = clamp_khz(khz, limits);
	if (!table)
		return out;
	index = freq_table_target(table, out.khz, limits, relation, version);
	out.cached_khz = out.khz;
	out.cached_index = index < 0 ? 0 : index;
	out.khz = table->entries[out.cached_index].khz;
	return out;
}

void freq_limits_verify(struct freq_limits *limits, struct freq_limits bounds)
{
	if (limits->min_khz < bounds.min_khz)
		limits->min_khz = bounds.min_khz;
	if (limits->max_khz < bounds.min_khz)
		limits->max_khz = bounds.min_khz;
	if (limits->min_khz > bounds.max_khz)
		limits->min_khz = bounds.max_khz;
	if (limits->max_khz > bounds.max_khz)
		limits->max_khz = bounds.max_khz;
	if (limits->min_khz > limits->max_khz)
		limits->min_khz = limits->max_khz;
}

void freq_table_verify(const struct freq_table *table, struct freq_limits *limits,
	struct freq_limits cpuinfo, unsigned version)
{
	uint32_t above = UINT32_MAX, below = 0;

	freq_limits_verify(limits, cpuinfo);
	for (int i = 0; i < table->nr; i++) {
		uint32_t khz = table->entries[i].khz;

		if (!valid(&table->entries[i]))
			continue;
		if (inside(khz, *limits))
			return;
		if (khz > limits->max_khz && khz < above)
			above = khz;
		if (khz <= limits->max_khz && khz > below)
			below = khz;
	}
	limits->max_khz = version >= VERSION_VERIFY_DOWN ? below : above;
	freq_limits_verify(limits, cpuinfo);
}

struct freq_outcome freq_request(
	const struct freq_request *request, uint32_t khz, unsigned relation)
{
	struct freq_outcome out = { .index = -1 };

	out.khz = khz;
	if (request->version >= VERSION_CORE_CLAMPS) {
		out.khz = clamp_khz(khz, request->limits);
		/* Up to 5.10 the clamped request is compared, later the entry found for it. */
		if (request->version < VERSION_EFFICIENT && !request->needs_limits &&
			out.khz == request->cur_khz)
			return out;
	}
	if (request->table) {
		out.index = freq_table_target(
			request->table, out.khz, request->limits, relation, request->version);
		if (out.index < 0)
			return out;
		out.khz = request->table->entries[out.index].khz;
	}
	/* Before the core compared, drivers did. */
	out.driver_called = out.khz != request->cur_khz ||
		(!request->table && request->needs_limits);
	return out;
}

uint32_t freq_transition_delay_us(uint32_t latency_ns, uint32_t delay_us, unsigned version)
{
	uint32_t latency_us = latency_ns / 1000;
	uint32_t scaled_us = latency_us * 1000;

	if (delay_us && version >= KVER(4, 12, 0))
		return delay_us;
	if (!latency_us)
		return 1000;
	if (version < KVER(4, 15, 0))
		return scaled_us;
	if (version < KVER(6, 9, 0))
		return scaled_us < 10000 ? scaled_us : 10000;
	if (version < KVER(6, 12, 0)) {
		if (latency_us > 2000)
			return latency_us;
		return scaled_us < 2000 ? scaled_us : 2000;
	}
	return latency_us + latency_us / 2;
}

uint32_t freq_fast_switch_khz(uint32_t khz, struct freq_limits limits, unsigned version)
{
	/* Crossed limits: later trees give the lower one, unless the upper is reached. */
	if (version >= KVER(5, 10, 0) && khz < limits.max_khz)
		return khz < limits.min_khz ? limits.min_khz : khz;
	return clamp_khz(khz, limits);
}
