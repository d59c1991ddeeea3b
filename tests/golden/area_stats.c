/*
 * cpufreq statistics: time in state and transitions after every event.
 */
#include <string.h>

#include "sim/kernel/cpufreq_stats.h"
#include "tests/golden/dbs_rows.h"

struct event {
	uint64_t seq, step, ev, time_ns, freq, table_id, state_num, last_index, total_trans;
	uint64_t t[DBS_TABLE_MAX];
};
static const char event_columns[] =
	"seq,step,ev,time_ns,freq,table_id,state_num,last_index,total_trans,t0..t23";
#define TRANS(X)      \
	X(seq)        \
	X(from_index) \
	X(to_index)   \
	X(count)
GOLDEN_ROW(trans, TRANS);

enum { EVENT_TRANSITION, EVENT_RESET, EVENT_READ, EVENT_CREATE };

struct policy_stats {
	struct dbs_rows_table table;
	struct cpufreq_stats stats;
	int64_t time_ns[DBS_TABLE_MAX];
	uint32_t trans[DBS_TABLE_MAX * DBS_TABLE_MAX];
};

static bool step(struct golden *g, struct policy_stats *p, const struct event *r)
{
	struct cpufreq_stats *stats = &p->stats;
	int64_t now = (int64_t)r->time_ns;
	int state;

	if (!dbs_rows_table(g, &p->table, r->table_id, 0))
		return false;
	state = cpufreq_stats_state(&p->table.table, (uint32_t)r->freq);
	switch (r->ev) {
	case EVENT_CREATE:
		memset(p->time_ns, 0, sizeof(p->time_ns));
		memset(p->trans, 0, sizeof(p->trans));
		*stats = (struct cpufreq_stats){ .time_ns = p->time_ns, .trans = p->trans };
		stats->nr_states = cpufreq_stats_states(&p->table.table);
		cpufreq_stats_start(stats, state, now);
		break;
	case EVENT_TRANSITION:
		cpufreq_stats_record(stats, state, now);
		break;
	case EVENT_RESET:
		cpufreq_stats_reset(stats, now);
		break;
	case EVENT_READ:
		break;
	default:
		golden_fail(g, "no such event: %d", (int)r->ev);
		return false;
	}
	return true;
}

static void check_events(struct golden *g)
{
	struct policy_stats p = { .stats = { .nr_states = 0 } };
	const struct event *r;

	while ((r = golden_next(g)) != NULL) {
		if (!step(g, &p, r))
			return;
		GOLDEN_EQ(g, r, state_num, p.stats.nr_states);
		GOLDEN_EQ(g, r, last_index, (int64_t)p.stats.last);
		GOLDEN_EQ(g, r, total_trans, cpufreq_stats_total(&p.stats));
		for (int i = 0; i < DBS_TABLE_MAX; i++) {
			int64_t ns = i < p.stats.nr_states
				? cpufreq_stats_time_ns(&p.stats, i, (int64_t)r->time_ns)
				: 0;

			golden_eq(g, "t", r->t[i], (uint64_t)(ns / STATS_TICK_NS));
		}
	}
}

/* Plays the events of @seq and leaves its statistics in @p. */
static bool play(struct golden *g, struct policy_stats *p, uint64_t seq)
{
	size_t nr;
	const struct event *events = golden_find(g, golden_open(g, "stats_events"), seq, &nr);

	for (size_t i = 0; events && i < nr; i++)
		if (!step(g, p, &events[i]))
			return false;
	return events != NULL;
}

/* The cells that are not zero, in order. */
static void check_trans(struct golden *g)
{
	struct policy_stats p = { .stats = { .nr_states = 0 } };
	const struct trans *r = NULL, *next;
	uint64_t nonzero = 0;

	while ((next = golden_next(g)) != NULL) {
		if (!r || r->seq != next->seq) {
			if (!play(g, &p, next->seq))
				return;
			nonzero = 0;
			for (int i = 0; i < p.stats.nr_states * p.stats.nr_states; i++)
				nonzero += cpufreq_stats_trans(&p.stats, i / p.stats.nr_states,
						   i % p.stats.nr_states) > 0;
		}
		r = next;
		nonzero--;
		if (r->from_index >= (uint64_t)p.stats.nr_states ||
			r->to_index >= (uint64_t)p.stats.nr_states) {
			golden_fail(g, "no such state");
			return;
		}
		GOLDEN_EQ(g, r, count,
			cpufreq_stats_trans(&p.stats, (int)r->from_index, (int)r->to_index));
		next = golden_peek(g);
		if (!next || next->seq != r->seq)
			golden_eq(g, "cells left out", 0, nonzero);
	}
}

static const struct golden_file files[] = {
	{ "stats_events", event_columns, check_events, NULL },
	{ "stats_trans", trans_columns, check_trans, NULL },
	{ "tables", dbs_table_columns, dbs_rows_check_tables, NULL },
	{ NULL, NULL, NULL, NULL },
};
const struct golden_area golden_area_stats = { "stats", files };
