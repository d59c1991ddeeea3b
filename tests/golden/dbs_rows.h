/*
 * What the vectors of the sampling governors have in common: frequency tables in rows, and counters
 * that grow by the increments of a step. Knows rows, no rule of a governor.
 */
#pragma once

#include <string.h>

#include "governors/dbs.h"
#include "tests/golden/golden.h"

#define DBS_TABLE_MAX 24

struct dbs_table_row {
	uint64_t table_id, n, order, f[DBS_TABLE_MAX];
};
static const char dbs_table_columns[] = "table_id,n,order,f0..f23";

struct dbs_rows_table {
	struct freq_entry entries[DBS_TABLE_MAX];
	struct freq_table table;
	bool valid;
	uint64_t id, inefficient;
};

/* Loads table @id, entries of the bit mask @inefficient marked; table.nr is 0 for "no table". */
static inline bool dbs_rows_table(
	struct golden *g, struct dbs_rows_table *out, uint64_t id, uint64_t inefficient)
{
	const struct dbs_table_row *row;

	if (out->valid && out->id == id && out->inefficient == inefficient)
		return true;
	row = golden_find(g, golden_open(g, "tables"), id, NULL);
	if (!row)
		return false;
	if (row->n > DBS_TABLE_MAX) {
		golden_fail(g, "table %d is too long", (int)id);
		return false;
	}
	memset(out, 0, sizeof(*out));
	for (uint64_t i = 0; i < row->n; i++) {
		out->entries[i].khz = (uint32_t)row->f[i];
		out->entries[i].inefficient = inefficient >> i & 1;
	}
	out->table.entries = out->entries;
	out->table.nr = (int)row->n;
	freq_table_sort(&out->table);
	out->valid = true;
	out->id = id;
	out->inefficient = inefficient;
	return true;
}

/* Checks a file of tables: the order is what the kernel finds in the frequencies. */
static inline void dbs_rows_check_tables(struct golden *g)
{
	const struct dbs_table_row *r;

	while ((r = golden_next(g)) != NULL) {
		struct dbs_rows_table loaded = { .valid = false };

		if (r->n > 0 && !dbs_rows_table(g, &loaded, r->table_id, 0))
			return;
		GOLDEN_EQ(g, r, order, loaded.table.order);
	}
}

/* Whole jiffies in @us, which the vectors may have rounded. */
static inline uint64_t dbs_rows_jiffies(uint64_t us, uint32_t hz)
{
	return (us * hz + 500000) / 1000000;
}

/* Counters when the governor starts. */
static inline struct dbs_counters dbs_rows_boot(const struct dbs_rules *rules, uint32_t hz)
{
	struct dbs_counters now = { .wall = 1000000, .idle = 500000, .iowait = 1000 };

	if (rules->ticks)
		now = (struct dbs_counters){ .wall = hz, .idle = hz / 2 };
	else if (rules->idle_has_iowait)
		now.iowait = 0;
	return now;
}

/* A step's increments. */
static inline void dbs_rows_add(const struct dbs_setup *setup, struct dbs_counters *now,
	uint64_t wall_us, uint64_t idle_us, uint64_t iowait_us, uint64_t nice_ns)
{
	if (setup->rules->ticks) {
		now->wall += dbs_rows_jiffies(wall_us, setup->hz);
		now->idle += dbs_rows_jiffies(idle_us, setup->hz);
		now->iowait += dbs_rows_jiffies(iowait_us, setup->hz);
		now->nice += dbs_rows_jiffies(nice_ns / 1000, setup->hz);
		return;
	}
	/* The vectors of 2.6.39 count iowait as idle, as that kernel does. */
	if (setup->rules->idle_has_iowait)
		idle_us -= iowait_us;
	now->wall += wall_us;
	now->idle += idle_us;
	now->iowait += iowait_us;
	now->nice += nice_ns;
}

/* "None" is -1 in the vectors. */
static inline int64_t dbs_rows_periods(uint32_t idle_periods)
{
	return idle_periods == DBS_NO_IDLE_PERIODS ? -1 : (int64_t)idle_periods;
}

/* What a governor asked for, and how often that reached the driver. */
struct dbs_rows_asked {
	uint64_t n_req, n_drv;
	struct dbs_request last;
};

/* Passes a request to the core. True if the driver was called; then @khz is what it was told. */
static inline bool dbs_rows_request(struct dbs_rows_asked *asked, const struct dbs_policy *policy,
	struct dbs_request wanted, bool counted, uint32_t *khz)
{
	const struct freq_request core = {
		.table = policy->table,
		.limits = policy->limits,
		.cur_khz = policy->cur_khz,
		.version = policy->version,
	};
	struct freq_outcome out;

	if (!wanted.wanted)
		return false;
	out = freq_request(&core, wanted.khz, wanted.relation);
	if (counted) {
		asked->n_req++;
		asked->last = wanted;
	}
	if (!out.driver_called)
		return false;
	asked->n_drv++;
	*khz = out.khz;
	return true;
}
