/* closed-loop: a run queue and schedutil, whose frequency comes back as the queue's scale. */
#include "governors/schedutil_core.h"
#include "sim/kernel/invariance.h"
#include "sim/kernel/rq_pelt.h"
#include "sim/kernel/version.h"
#include "tests/golden/golden_table.h"

#define TASKS_MAX 4
#define WEIGHT_UNIT 1024 /* a stored weight over a scaled-down one */

static const unsigned v6_1 = KVER(6, 1, 192), v6_12 = KVER(6, 12, 117);

#define STEP(X)             \
	X(seq)              \
	X(step)             \
	X(op)               \
	X(task)             \
	X(arg)              \
	X(clock_ns)         \
	X(calls)            \
	X(cfs_util_avg)     \
	X(cfs_util_est)     \
	X(cfs_runnable_avg) \
	X(task_util_avg)    \
	X(n_fast)           \
	X(next_freq)        \
	X(cached_raw)       \
	X(cur)              \
	X(freq_scale)       \
	X(iowait_boost)     \
	X(clock_pelt)
GOLDEN_ROW(step, STEP);

struct cfg {
	uint64_t seq, cpu_scale, tick_ns, rate_limit_us, table_id, cpuinfo_max, policy_min,
		policy_max, start_cur, n_tasks, weight[TASKS_MAX];
};

struct loop {
	struct rq_pelt rq;
	struct task_pelt tasks[TASKS_MAX];
	struct sugov_policy sp;
	struct sugov_cpu cpu;
	struct sugov_view view;
	struct golden_table table;
	uint64_t idle_calls;
	uint64_t calls, n_fast;
	bool started;
	uint64_t seq;
};

static void read_rq(void *ctx, int cpu, struct util_input *in)
{
	const struct loop *loop = ctx;

	(void)cpu;
	rq_pelt_read(&loop->rq, in);
	in->idle_calls = loop->idle_calls;
}

static void set_scale(struct loop *loop)
{
	loop->rq.scale.freq = freq_scale_of(
		loop->rq.scale.freq, loop->view.cur_khz, loop->view.cpuinfo_max_khz);
}

static void hook(void *ctx, unsigned flags)
{
	struct loop *loop = ctx;
	struct sugov_source source = { read_rq, loop };
	struct sugov_call call = { .time_ns = loop->rq.clock.clock_ns, .flags = flags };
	struct sugov_action action = sugov_update(
		&loop->sp, &loop->cpu, &loop->view, &source, &call);

	loop->calls++;
	if (action.what != SUGOV_FAST_SWITCH)
		return;
	loop->n_fast++;
	loop->view.cur_khz = freq_fast_switch_khz(action.khz, loop->view.limits, loop->sp.version);
	set_scale(loop);
}

static bool start(struct golden *g, struct loop *loop, const struct cfg *cfg)
{
	const unsigned *version = golden_arg(g);
	bool ok;

	if (cfg->cpu_scale == 0) {
		golden_fail(g, "seq %d: a CPU without capacity", (int)cfg->seq);
		return false;
	}
	*loop = (struct loop){ .started = true, .seq = cfg->seq };
	loop->view.table = golden_table(
		g, golden_open(g, "tables"), cfg->table_id, &loop->table, &ok);
	if (!ok)
		return false;
	loop->view.limits = (struct freq_limits){ (uint32_t)cfg->policy_min,
		(uint32_t)cfg->policy_max };
	loop->view.cur_khz = (uint32_t)cfg->start_cur;
	loop->view.cpuinfo_max_khz = (uint32_t)cfg->cpuinfo_max;
	loop->sp.rules = sugov_rules(*version, 0);
	loop->sp.version = *version;
	loop->sp.nr_cpus = 1;
	loop->sp.tick_ns = cfg->tick_ns;
	loop->sp.delay_ns = cfg->rate_limit_us * 1000;
	loop->sp.fast_switch = true;
	loop->sp.invariant = true;
	loop->sp.ref_khz = (uint32_t)cfg->cpuinfo_max;
	sugov_start(&loop->sp, &loop->cpu);
	loop->rq.rules = pelt_rules(*version);
	loop->rq.scale.cpu = cfg->cpu_scale;
	loop->rq.cpufreq = hook;
	loop->rq.ctx = loop;
	set_scale(loop);
	return true;
}

/* False when the row asks for something that the state rules out. */
static bool step_op(struct loop *loop, const struct cfg *cfg, const struct step *r)
{
	struct rq_pelt *rq = &loop->rq;
	bool known = r->task < cfg->n_tasks && r->task < TASKS_MAX;
	struct task_pelt *task = known ? &loop->tasks[r->task] : NULL;

	if (!known && r->op != 0 && r->op != 4)
		return false;
	switch (r->op) {
	case 0:
		rq_pelt_tick(rq);
		return true;
	case 1:
		if (task->queued)
			return false;
		rq_pelt_wake(rq, task, r->arg != 0);
		return true;
	case 2:
		if (!task->queued)
			return false;
		rq_pelt_sleep(rq, task);
		return true;
	case 3:
		rq_pelt_switch(rq, task);
		return true;
	case 4:
		rq_pelt_switch_idle(rq);
		loop->idle_calls++;
		return true;
	case 5:
		if (task->queued)
			return false;
		task_pelt_init(task, cfg->weight[r->task] * WEIGHT_UNIT);
		rq_pelt_fork(rq, task);
		return true;
	default:
		return false;
	}
}

static void compare(struct golden *g, const struct step *r, const struct loop *loop)
{
	const struct pelt *cfs = &loop->rq.cfs.sig;
	uint64_t task_util = r->task < TASKS_MAX ? loop->tasks[r->task].sig.util_avg : 0;

	GOLDEN_EQ(g, r, calls, loop->calls);
	GOLDEN_EQ(g, r, cfs_util_avg, cfs->util_avg);
	GOLDEN_EQ(g, r, cfs_util_est, loop->rq.cfs.util_est);
	GOLDEN_EQ(g, r, cfs_runnable_avg, cfs->runnable_avg);
	GOLDEN_EQ(g, r, task_util_avg, task_util);
	GOLDEN_EQ(g, r, n_fast, loop->n_fast);
	GOLDEN_EQ(g, r, next_freq, loop->sp.next_khz);
	GOLDEN_EQ(g, r, cached_raw, loop->sp.cached_raw_khz);
	GOLDEN_EQ(g, r, cur, loop->view.cur_khz);
	GOLDEN_EQ(g, r, freq_scale, loop->rq.scale.freq);
	GOLDEN_EQ(g, r, iowait_boost, loop->cpu.iowait_boost);
	GOLDEN_EQ(g, r, clock_pelt, loop->rq.clock.pelt_ns);
}

static void check_loop(struct golden *g)
{
	const struct golden_csv *cfgs = golden_open(g, "closed_loop_cfg");
	struct loop loop = { .started = false };
	const struct step *r;

	while ((r = golden_next(g)) != NULL) {
		const struct cfg *cfg = golden_find(g, cfgs, r->seq, NULL);

		if (cfg == NULL)
			return;
		if ((!loop.started || loop.seq != r->seq) && !start(g, &loop, cfg))
			return;
		loop.calls = 0;
		loop.n_fast = 0;
		if (r->clock_ns > loop.rq.clock.clock_ns)
			rq_pelt_clock(&loop.rq, r->clock_ns - loop.rq.clock.clock_ns, 0);
		if (!step_op(&loop, cfg, r)) {
			golden_fail(g, "seq %d step %d: no such event", (int)r->seq, (int)r->step);
			return;
		}
		compare(g, r, &loop);
	}
}

static const char cfg_columns[] =
	"seq,cpu_scale,tick_ns,rate_limit_us,table_id,cpuinfo_max,policy_min,policy_max,"
	"start_cur,n_tasks,w0..w3";

static const struct golden_file files[] = {
	{ "closed_loop_v6.1", step_columns, check_loop, &v6_1 },
	{ "closed_loop_v6.12", step_columns, check_loop, &v6_12 },
	{ "closed_loop_cfg", cfg_columns, NULL, NULL },
	{ "tables", golden_table_columns, golden_check_tables, "tables" },
	{ NULL, NULL, NULL, NULL },
};
const struct golden_area golden_area_closed_loop = { "closed-loop", files };
