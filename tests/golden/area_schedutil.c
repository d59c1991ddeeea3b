/* schedutil: its parts, and policies callback by callback. */
#include "governors/schedutil_core.h"
#include "sim/governor.h"
#include "sim/kernel/version.h"
#include "tests/golden/golden_table.h"

#define CPUS_MAX 4

/* A kernel as the file names call it. */
struct kernel_tag {
	unsigned version, patches;
	const char *tables, *cfg;
};

static struct sugov_policy make_policy(const struct kernel_tag *tag)
{
	return (struct sugov_policy){
		.rules = sugov_rules(tag->version, tag->patches),
		.version = tag->version,
		.nr_cpus = 1,
	};
}

#define NEXT_FREQ(X)        \
	X(table_id)         \
	X(util)             \
	X(max)              \
	X(freq_invariant)   \
	X(freq_ref)         \
	X(cpuinfo_max)      \
	X(cur)              \
	X(policy_min)       \
	X(policy_max)       \
	X(in_cached_raw)    \
	X(in_next_freq)     \
	X(need_freq_update) \
	X(out_freq)         \
	X(out_cached_raw)
GOLDEN_ROW(next_freq, NEXT_FREQ);

#define NEXT_FREQ_4_8(X)  \
	X(table_id)       \
	X(util)           \
	X(max)            \
	X(freq_invariant) \
	X(cpuinfo_max)    \
	X(cur)            \
	X(policy_min)     \
	X(policy_max)     \
	X(in_cached_raw)  \
	X(in_next_freq)   \
	X(out_freq)       \
	X(out_cached_raw)
GOLDEN_ROW(next_freq_4_8, NEXT_FREQ_4_8);

/* One call of get_next_freq(); the columns of the outcome are the caller's. */
static bool next_freq(struct golden *g, const struct golden_csv *tables, const struct next_freq *r,
	uint32_t *khz, uint32_t *cached_raw_khz)
{
	struct sugov_policy sp = make_policy(golden_arg(g));
	struct golden_table buf;
	bool ok;
	struct sugov_view view = {
		.table = golden_table(g, tables, r->table_id, &buf, &ok),
		.limits = { (uint32_t)r->policy_min, (uint32_t)r->policy_max },
		.cur_khz = (uint32_t)r->cur,
		.cpuinfo_max_khz = (uint32_t)r->cpuinfo_max,
	};

	if (!ok)
		return false;
	if (r->max == 0) {
		golden_fail(g, "max is 0");
		return false;
	}
	sp.invariant = r->freq_invariant != 0;
	sp.ref_khz = (uint32_t)r->freq_ref;
	sp.need_update = r->need_freq_update != 0;
	sp.next_khz = (uint32_t)r->in_next_freq;
	*cached_raw_khz = (uint32_t)r->in_cached_raw;
	*khz = sugov_next_khz(&sp, &view, r->util, r->max, cached_raw_khz);
	return true;
}

static void check_next_freq(struct golden *g)
{
	const struct kernel_tag *tag = golden_arg(g);
	const struct golden_csv *tables = golden_open(g, tag->tables);
	const struct next_freq *r;
	uint32_t khz, cached_raw_khz;

	while ((r = golden_next(g)) != NULL) {
		if (!next_freq(g, tables, r, &khz, &cached_raw_khz))
			return;
		GOLDEN_EQ(g, r, out_freq, khz);
		GOLDEN_EQ(g, r, out_cached_raw, cached_raw_khz);
	}
}

static void check_next_freq_4_8(struct golden *g)
{
	const struct kernel_tag *tag = golden_arg(g);
	const struct golden_csv *tables = golden_open(g, tag->tables);
	const struct next_freq_4_8 *r;
	uint32_t khz, cached_raw_khz;

	while ((r = golden_next(g)) != NULL) {
		struct next_freq in = {
			.table_id = r->table_id,
			.util = r->util,
			.max = r->max,
			.freq_invariant = r->freq_invariant,
			.cpuinfo_max = r->cpuinfo_max,
			.cur = r->cur,
			.policy_min = r->policy_min,
			.policy_max = r->policy_max,
			.in_cached_raw = r->in_cached_raw,
			.in_next_freq = r->in_next_freq,
		};

		if (!next_freq(g, tables, &in, &khz, &cached_raw_khz))
			return;
		GOLDEN_EQ(g, r, out_freq, khz);
		GOLDEN_EQ(g, r, out_cached_raw, cached_raw_khz);
	}
}

#define IOWAIT(X)         \
	X(seq)            \
	X(step)           \
	X(tick_ns)        \
	X(max_cap)        \
	X(time_ns)        \
	X(flags)          \
	X(do_apply)       \
	X(o_iowait_boost) \
	X(o_pending)      \
	X(o_applied_boost)
GOLDEN_ROW(iowait, IOWAIT);

static void check_iowait(struct golden *g)
{
	struct sugov_policy sp = make_policy(golden_arg(g));
	const struct iowait *r, *prev = NULL;
	struct sugov_cpu cpu;

	for (; (r = golden_next(g)) != NULL; prev = r) {
		uint64_t boost = 0;

		if (prev == NULL || prev->seq != r->seq)
			sugov_start(&sp, &cpu);
		sp.tick_ns = r->tick_ns;
		sugov_iowait_boost(&sp, &cpu, r->time_ns, (unsigned)r->flags);
		if (r->do_apply)
			boost = sugov_iowait_apply(
				&sp, &cpu, r->time_ns, r->max_cap, (unsigned)r->flags);
		GOLDEN_EQ(g, r, o_iowait_boost, cpu.iowait_boost);
		GOLDEN_EQ(g, r, o_pending, cpu.iowait_pending);
		GOLDEN_EQ(g, r, o_applied_boost, boost);
	}
}

/* A policy under schedutil with a driver that obeys at once. */
struct run {
	const struct kernel_tag *tag;
	struct sugov_policy sp;
	struct sugov_cpu cpus[CPUS_MAX];
	struct util_input inputs[CPUS_MAX];
	struct sugov_view view;
	struct golden_table table;
	bool started;
	uint64_t seq;
	struct sugov_action action;
	uint64_t n_fast, fast_khz, n_queued, n_target;
};

/* What the three kinds of sequence configure alike. */
struct setup {
	uint64_t seq, n_cpus, tick_ns, rate_limit_us, table_id, fast_switch, freq_invariant,
		cpuinfo_max, policy_min, policy_max, cur;
};

static bool run_start(struct golden *g, struct run *run, const struct setup *s)
{
	const struct kernel_tag *tag = golden_arg(g);
	bool ok;

	*run = (struct run){ .tag = tag, .started = true, .seq = s->seq };
	if (s->n_cpus == 0 || s->n_cpus > CPUS_MAX) {
		golden_fail(g, "seq %d: %d CPUs", (int)s->seq, (int)s->n_cpus);
		return false;
	}
	run->view.table = golden_table(
		g, golden_open(g, tag->tables), s->table_id, &run->table, &ok);
	if (!ok)
		return false;
	run->view.limits = (struct freq_limits){ (uint32_t)s->policy_min, (uint32_t)s->policy_max };
	run->view.cur_khz = (uint32_t)s->cur;
	run->view.cpuinfo_max_khz = (uint32_t)s->cpuinfo_max;
	run->sp = make_policy(tag);
	run->sp.nr_cpus = (int)s->n_cpus;
	run->sp.shared = s->n_cpus > 1;
	run->sp.tick_ns = s->tick_ns;
	run->sp.delay_ns = s->rate_limit_us * 1000;
	run->sp.fast_switch = s->fast_switch != 0;
	run->sp.invariant = s->freq_invariant != 0;
	return true;
}

static void read_input(void *ctx, int cpu, struct util_input *in)
{
	const struct run *run = ctx;

	*in = run->inputs[cpu];
}

static void target(struct run *run, uint32_t khz, unsigned relation)
{
	struct freq_request request = {
		.table = run->view.table,
		.limits = run->view.limits,
		.cur_khz = run->view.cur_khz,
		.needs_limits = run->sp.needs_limits,
		.version = run->sp.version,
	};
	struct freq_outcome out = freq_request(&request, khz, relation);

	if (!out.driver_called)
		return;
	run->n_target++;
	run->view.cur_khz = out.khz;
}

static void callback(struct run *run, const struct sugov_call *call)
{
	struct sugov_source source = { read_input, run };

	run->action = sugov_update(&run->sp, run->cpus, &run->view, &source, call);
	if (run->action.what == SUGOV_QUEUE_WORK)
		run->n_queued++;
	if (run->action.what != SUGOV_FAST_SWITCH)
		return;
	run->n_fast++;
	run->fast_khz = freq_fast_switch_khz(run->action.khz, run->view.limits, run->sp.version);
	run->view.cur_khz = (uint32_t)run->fast_khz;
}

static void limits(struct run *run, uint64_t min_khz, uint64_t max_khz)
{
	uint32_t khz;
	unsigned relation;

	run->view.limits = (struct freq_limits){ (uint32_t)min_khz, (uint32_t)max_khz };
	if (sugov_limits(&run->sp, &run->view, &khz, &relation))
		target(run, khz, relation);
}

/* A row as all kinds of sequence have it. False when there is no such op. */
static bool run_op(struct golden *g, struct run *run, uint64_t op, uint64_t a0, uint64_t a1,
	const struct sugov_call *call)
{
	run->action = (struct sugov_action){ .what = SUGOV_NOTHING };
	run->n_fast = run->fast_khz = run->n_queued = run->n_target = 0;
	switch (op) {
	case 0:
		callback(run, call);
		return true;
	case 1:
		limits(run, a0, a1);
		return true;
	case 2:
		if (run->sp.work_in_progress) {
			target(run, sugov_work(&run->sp), RELATION_L);
			sugov_work_done(&run->sp);
		}
		return true;
	case 3:
		run->sp.delay_ns = a0 * 1000;
		return true;
	case 4:
		return true;
	default:
		golden_fail(g, "no such op: %d", (int)op);
		return false;
	}
}

#define COMPARE_POLICY(g, r, run, cached)                                           \
	do {                                                                        \
		GOLDEN_EQ(g, r, o_n_fast, (run)->n_fast);                           \
		GOLDEN_EQ(g, r, o_fast_freq, (run)->fast_khz);                      \
		GOLDEN_EQ(g, r, o_irq_work, (run)->n_queued);                       \
		GOLDEN_EQ(g, r, o_n_target, (run)->n_target);                       \
		GOLDEN_EQ(g, r, o_cur, (run)->view.cur_khz);                        \
		GOLDEN_EQ(g, r, o_next_freq, (run)->sp.next_khz);                   \
		GOLDEN_EQ(g, r, o_cached_raw, (cached));                            \
		GOLDEN_EQ(g, r, o_last_freq_update, (run)->sp.last_freq_update_ns); \
		GOLDEN_EQ(g, r, o_need_update, (run)->sp.need_update);              \
		GOLDEN_EQ(g, r, o_work_in_progress, (run)->sp.work_in_progress);    \
	} while (0)

#define STEP(X)               \
	X(seq)                \
	X(step)               \
	X(op)                 \
	X(cpu)                \
	X(time_ns)            \
	X(flags)              \
	X(a0)                 \
	X(a1)                 \
	X(cfs_util_avg)       \
	X(cfs_runnable_avg)   \
	X(cfs_util_est)       \
	X(rt_util)            \
	X(dl_util)            \
	X(irq_util)           \
	X(dl_running_bw)      \
	X(rt_runnable)        \
	X(uclamp_min)         \
	X(uclamp_max)         \
	X(idle_calls)         \
	X(o_n_fast)           \
	X(o_fast_freq)        \
	X(o_irq_work)         \
	X(o_n_target)         \
	X(o_cur)              \
	X(o_next_freq)        \
	X(o_cached_raw)       \
	X(o_last_freq_update) \
	X(o_need_update)      \
	X(o_limits_changed)   \
	X(o_work_in_progress) \
	X(o_iowait_boost)     \
	X(o_iowait_pending)   \
	X(o_last_update)      \
	X(o_util)             \
	X(o_bw)               \
	X(o_n_adjust)         \
	X(o_adj_min)          \
	X(o_adj_target)       \
	X(o_adj_cap)
GOLDEN_ROW(step, STEP);

struct cfg {
	uint64_t seq, n_cpus, cap[CPUS_MAX], tick_ns, rate_limit_us, table_id, fast_switch,
		has_adjust_perf, need_update_limits, freq_invariant, freq_ref, cpuinfo_min,
		cpuinfo_max, policy_min, policy_max, cur, uclamp_used;
};
static const char cfg_columns[] =
	"seq,n_cpus,cap0..cap3,tick_ns,rate_limit_us,table_id,fast_switch,has_adjust_perf,"
	"need_update_limits,freq_invariant,freq_ref,cpuinfo_min,cpuinfo_max,policy_min,"
	"policy_max,cur,uclamp_used";

static bool seq_start(struct golden *g, struct run *run, const struct cfg *cfg)
{
	struct setup setup = { cfg->seq, cfg->n_cpus, cfg->tick_ns, cfg->rate_limit_us,
		cfg->table_id, cfg->fast_switch, cfg->freq_invariant, cfg->cpuinfo_max,
		cfg->policy_min, cfg->policy_max, cfg->cur };

	if (!run_start(g, run, &setup))
		return false;
	run->sp.adjust_perf = cfg->has_adjust_perf != 0;
	run->sp.needs_limits = cfg->need_update_limits != 0;
	run->sp.ref_khz = (uint32_t)cfg->freq_ref;
	for (uint64_t i = 0; i < cfg->n_cpus; i++) {
		if (cfg->cap[i] == 0) {
			golden_fail(g, "seq %d: a CPU without capacity", (int)cfg->seq);
			return false;
		}
		run->inputs[i].capacity = cfg->cap[i];
		run->inputs[i].uclamp_used = cfg->uclamp_used != 0;
		run->inputs[i].uclamp_max = 1024;
	}
	sugov_start(&run->sp, run->cpus);
	return true;
}

static void set_inputs(struct util_input *in, const struct step *r)
{
	in->cfs_util_avg = r->cfs_util_avg;
	in->cfs_runnable_avg = r->cfs_runnable_avg;
	in->cfs_util_est = r->cfs_util_est;
	in->rt_util = r->rt_util;
	in->dl_util = r->dl_util;
	in->irq_util = r->irq_util;
	in->dl_running_bw = r->dl_running_bw;
	in->rt_queued = r->rt_runnable != 0;
	in->uclamp_min = r->uclamp_min;
	in->uclamp_max = r->uclamp_max;
	in->idle_calls = r->idle_calls;
}

static void compare(struct golden *g, const struct step *r, const struct run *run)
{
	const struct sugov_cpu *cpu = &run->cpus[r->cpu];
	const struct sugov_action *action = &run->action;
	bool keeps_util = run->sp.version >= KVER(5, 11, 0);

	COMPARE_POLICY(g, r, run, run->sp.cached_raw_khz);
	GOLDEN_EQ(g, r, o_limits_changed, run->sp.limits_changed);
	GOLDEN_EQ(g, r, o_iowait_boost, cpu->iowait_boost);
	GOLDEN_EQ(g, r, o_iowait_pending, cpu->iowait_pending);
	GOLDEN_EQ(g, r, o_last_update, cpu->last_update_ns);
	GOLDEN_EQ(g, r, o_util, keeps_util ? cpu->util : 0);
	GOLDEN_EQ(g, r, o_bw, cpu->bw_min);
	GOLDEN_EQ(g, r, o_n_adjust, action->what == SUGOV_ADJUST_PERF);
	GOLDEN_EQ(g, r, o_adj_min, action->perf_min);
	GOLDEN_EQ(g, r, o_adj_target, action->perf_target);
	GOLDEN_EQ(g, r, o_adj_cap, action->perf_capacity);
}

static void check_seq(struct golden *g)
{
	const struct kernel_tag *tag = golden_arg(g);
	const struct golden_csv *cfgs = golden_open(g, tag->cfg);
	const struct step *r;
	struct run run = { .started = false };

	while ((r = golden_next(g)) != NULL) {
		const struct cfg *cfg = golden_find(g, cfgs, r->seq, NULL);
		struct sugov_call call = { .time_ns = r->time_ns, .flags = (unsigned)r->flags };

		if (cfg == NULL)
			return;
		if ((!run.started || run.seq != r->seq) && !seq_start(g, &run, cfg))
			return;
		if (r->cpu >= cfg->n_cpus) {
			golden_fail(g, "seq %d step %d: no such CPU", (int)r->seq, (int)r->step);
			return;
		}
		call.cpu = (int)r->cpu;
		set_inputs(&run.inputs[r->cpu], r);
		if (!run_op(g, &run, r->op, r->a0, r->a1, &call))
			return;
		compare(g, r, &run);
	}
}

#define STEP_4_12(X)          \
	X(seq)                \
	X(step)               \
	X(op)                 \
	X(cpu)                \
	X(time_ns)            \
	X(flags)              \
	X(a0)                 \
	X(a1)                 \
	X(cfs_util_avg)       \
	X(idle_calls)         \
	X(o_n_fast)           \
	X(o_fast_freq)        \
	X(o_irq_work)         \
	X(o_n_target)         \
	X(o_cur)              \
	X(o_next_freq)        \
	X(o_cached_raw)       \
	X(o_last_freq_update) \
	X(o_need_update)      \
	X(o_work_in_progress) \
	X(o_iowait_boost)     \
	X(o_last_update)
GOLDEN_ROW(step_4_12, STEP_4_12);

#define CFG_4_12(X)       \
	X(seq)            \
	X(n_cpus)         \
	X(capacity)       \
	X(tick_ns)        \
	X(rate_limit_us)  \
	X(table_id)       \
	X(fast_switch)    \
	X(freq_invariant) \
	X(cpuinfo_min)    \
	X(cpuinfo_max)    \
	X(policy_min)     \
	X(policy_max)     \
	X(cur)
GOLDEN_ROW(cfg_4_12, CFG_4_12);

static bool seq_start_4_12(struct golden *g, struct run *run, const struct cfg_4_12 *cfg)
{
	struct setup setup = { cfg->seq, cfg->n_cpus, cfg->tick_ns, cfg->rate_limit_us,
		cfg->table_id, cfg->fast_switch, cfg->freq_invariant, cfg->cpuinfo_max,
		cfg->policy_min, cfg->policy_max, cfg->cur };

	if (cfg->capacity == 0) {
		golden_fail(g, "seq %d: CPUs without capacity", (int)cfg->seq);
		return false;
	}
	if (!run_start(g, run, &setup))
		return false;
	for (uint64_t i = 0; i < cfg->n_cpus; i++)
		run->inputs[i].capacity = cfg->capacity;
	sugov_start(&run->sp, run->cpus);
	return true;
}

/* 4.12 numbers its flags in another way. */
static unsigned hook_flags_4_12(uint64_t flags)
{
	return (flags & 1 ? HOOK_RT : 0u) | (flags & 2 ? HOOK_DL : 0u) |
		(flags & 4 ? HOOK_IOWAIT : 0u);
}

static void check_seq_4_12(struct golden *g)
{
	const struct kernel_tag *tag = golden_arg(g);
	const struct golden_csv *cfgs = golden_open(g, tag->cfg);
	const struct step_4_12 *r;
	struct run run = { .started = false };

	while ((r = golden_next(g)) != NULL) {
		const struct cfg_4_12 *cfg = golden_find(g, cfgs, r->seq, NULL);
		struct sugov_call call = {
			.time_ns = r->time_ns,
			.flags = hook_flags_4_12(r->flags),
		};

		if (cfg == NULL)
			return;
		if ((!run.started || run.seq != r->seq) && !seq_start_4_12(g, &run, cfg))
			return;
		if (r->cpu >= cfg->n_cpus) {
			golden_fail(g, "seq %d step %d: no such CPU", (int)r->seq, (int)r->step);
			return;
		}
		call.cpu = (int)r->cpu;
		run.inputs[r->cpu].cfs_util_avg = r->cfs_util_avg;
		run.inputs[r->cpu].idle_calls = r->idle_calls;
		if (!run_op(g, &run, r->op, r->a0, r->a1, &call))
			return;
		COMPARE_POLICY(g, r, &run, run.sp.cached_raw_khz);
		GOLDEN_EQ(g, r, o_iowait_boost, run.cpus[r->cpu].iowait_boost);
		GOLDEN_EQ(g, r, o_last_update, run.cpus[r->cpu].last_update_ns);
	}
}

#define STEP_4_8(X)           \
	X(seq)                \
	X(step)               \
	X(op)                 \
	X(cpu)                \
	X(time_ns)            \
	X(a0)                 \
	X(a1)                 \
	X(util)               \
	X(max)                \
	X(o_n_fast)           \
	X(o_fast_freq)        \
	X(o_irq_work)         \
	X(o_n_target)         \
	X(o_cur)              \
	X(o_next_freq)        \
	X(o_cached_raw)       \
	X(o_last_freq_update) \
	X(o_need_update)      \
	X(o_work_in_progress)
GOLDEN_ROW(step_4_8, STEP_4_8);

#define CFG_4_8(X)        \
	X(seq)            \
	X(n_cpus)         \
	X(tick_ns)        \
	X(rate_limit_us)  \
	X(table_id)       \
	X(fast_switch)    \
	X(freq_invariant) \
	X(cpuinfo_min)    \
	X(cpuinfo_max)    \
	X(policy_min)     \
	X(policy_max)     \
	X(cur)
GOLDEN_ROW(cfg_4_8, CFG_4_8);

static bool seq_start_4_8(struct golden *g, struct run *run, const struct cfg_4_8 *cfg)
{
	struct setup setup = { cfg->seq, cfg->n_cpus, cfg->tick_ns, cfg->rate_limit_us,
		cfg->table_id, cfg->fast_switch, cfg->freq_invariant, cfg->cpuinfo_max,
		cfg->policy_min, cfg->policy_max, cfg->cur };

	if (!run_start(g, run, &setup))
		return false;
	sugov_start(&run->sp, run->cpus);
	return true;
}

static void check_seq_4_8(struct golden *g)
{
	const struct kernel_tag *tag = golden_arg(g);
	const struct golden_csv *cfgs = golden_open(g, tag->cfg);
	const struct step_4_8 *r;
	struct run run = { .started = false };

	while ((r = golden_next(g)) != NULL) {
		const struct cfg_4_8 *cfg = golden_find(g, cfgs, r->seq, NULL);
		struct sugov_call call = {
			.time_ns = r->time_ns,
			.util = r->util,
			.max = r->max,
		};

		if (cfg == NULL)
			return;
		if ((!run.started || run.seq != r->seq) && !seq_start_4_8(g, &run, cfg))
			return;
		if (r->cpu >= cfg->n_cpus || (r->max == 0 && r->util != SUGOV_UTIL_MAX)) {
			golden_fail(g, "seq %d step %d: no such CPU or utilisation", (int)r->seq,
				(int)r->step);
			return;
		}
		call.cpu = (int)r->cpu;
		if (!run_op(g, &run, r->op, r->a0, r->a1, &call))
			return;
		COMPARE_POLICY(g, r, &run, run.cpus[r->cpu].cached_raw_khz);
	}
}

#define DELAY(X)                 \
	X(transition_delay_us)   \
	X(transition_latency_ns) \
	X(rate_limit_us)
GOLDEN_ROW(delay, DELAY);

static void check_delay(struct golden *g)
{
	const struct kernel_tag *tag = golden_arg(g);
	const struct delay *r;

	while ((r = golden_next(g)) != NULL)
		GOLDEN_EQ(g, r, rate_limit_us,
			freq_transition_delay_us((uint32_t)r->transition_latency_ns,
				(uint32_t)r->transition_delay_us, tag->version));
}

/* Version, patches and tables of a kernel the file names mention. */
#define V4_8 KVER(4, 8, 15), 0, "tables_v4.8"
#define V4_12 KVER(4, 12, 4), 0, "tables_v4.12"
#define V5_10 KVER(5, 10, 255), 0, "tables_v5.10"
#define V6_1 KVER(6, 1, 192), 0, "tables"
#define V6_1_BASE KVER(6, 1, 192), SUGOV_BASE, "tables"
#define V6_12 KVER(6, 12, 117), 0, "tables"
#define PATCH_V7 KVER(6, 12, 117), SUGOV_CONSOLIDATED, "tables"

/* A sequence file and its configuration. */
#define SEQ(stem, columns, cfg_columns, check, ...)                                       \
	{ stem, columns, check, &(const struct kernel_tag){ __VA_ARGS__, stem "_cfg" } }, \
	{                                                                                 \
		stem "_cfg", cfg_columns, NULL, NULL                                      \
	}
#define SEQ_NOW(stem, ...) SEQ(stem, step_columns, cfg_columns, check_seq, __VA_ARGS__)
#define PART(stem, columns, check, ...)                          \
	{                                                        \
		stem, columns, check, &(const struct kernel_tag) \
		{                                                \
			__VA_ARGS__, NULL                        \
		}                                                \
	}

static const struct golden_file files[] = {
	PART("get_next_freq_v4.8", next_freq_4_8_columns, check_next_freq_4_8, V4_8),
	PART("get_next_freq_v5.10", next_freq_columns, check_next_freq, V5_10),
	PART("get_next_freq_v6.1", next_freq_columns, check_next_freq, V6_1),
	PART("get_next_freq_v6.12", next_freq_columns, check_next_freq, V6_12),
	PART("iowait_seq", iowait_columns, check_iowait, V6_1),
	PART("iowait_seq_patchv7", iowait_columns, check_iowait, PATCH_V7),
	PART("transition_delay_v5.10", delay_columns, check_delay, V5_10),
	PART("transition_delay_v6.1", delay_columns, check_delay, V6_1),
	PART("transition_delay_v6.12", delay_columns, check_delay, V6_12),
	SEQ("single_seq_v4.8", step_4_8_columns, cfg_4_8_columns, check_seq_4_8, V4_8),
	SEQ("shared_seq_v4.8", step_4_8_columns, cfg_4_8_columns, check_seq_4_8, V4_8),
	SEQ("single_seq_v4.12", step_4_12_columns, cfg_4_12_columns, check_seq_4_12, V4_12),
	SEQ("shared_seq_v4.12", step_4_12_columns, cfg_4_12_columns, check_seq_4_12, V4_12),
	SEQ_NOW("single_freq_seq_v5.10", V5_10),
	SEQ_NOW("single_freq_seq_v6.1", V6_1),
	SEQ_NOW("single_freq_seq_v6.1base", V6_1_BASE),
	SEQ_NOW("single_freq_seq_v6.12", V6_12),
	SEQ_NOW("single_freq_seq_patchv7", PATCH_V7),
	SEQ_NOW("single_perf_seq_v6.1", V6_1),
	SEQ_NOW("single_perf_seq_v6.1base", V6_1_BASE),
	SEQ_NOW("single_perf_seq_v6.12", V6_12),
	SEQ_NOW("single_perf_seq_patchv7", PATCH_V7),
	SEQ_NOW("shared_seq_v5.10", V5_10),
	SEQ_NOW("shared_seq_v6.1", V6_1),
	SEQ_NOW("shared_seq_v6.1base", V6_1_BASE),
	SEQ_NOW("shared_seq_v6.12", V6_12),
	SEQ_NOW("shared_seq_patchv7", PATCH_V7),
	{ "tables", golden_table_columns, golden_check_tables, "tables" },
	{ "tables_v4.8", golden_table_columns, golden_check_tables, "tables_v4.8" },
	{ "tables_v4.12", golden_table_columns, golden_check_tables, "tables_v4.12" },
	{ "tables_v5.10", golden_table_columns, golden_check_tables, "tables_v5.10" },
	{ NULL, NULL, NULL, NULL },
};
const struct golden_area golden_area_schedutil = { "schedutil", files };
