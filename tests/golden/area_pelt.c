/* pelt: load tracking in its parts, and run queues event by event. */
#include "sim/kernel/rq_pelt.h"
#include "sim/kernel/util.h"
#include "sim/kernel/version.h"
#include "tests/golden/golden.h"

#define TASKS_MAX 6
#define WEIGHT_UNIT 1024 /* a stored weight over a scaled-down one */

static const unsigned v4_8 = KVER(4, 8, 15), v4_12 = KVER(4, 12, 4), v5_10 = KVER(5, 10, 255),
		      v6_1 = KVER(6, 1, 192), v6_12 = KVER(6, 12, 117);

#define DECAY(X) \
	X(val)   \
	X(n)     \
	X(out)
GOLDEN_ROW(decay, DECAY);

static void check_decay(struct golden *g)
{
	const struct decay *r;

	while ((r = golden_next(g)) != NULL)
		GOLDEN_EQ(g, r, out, pelt_decay(r->val, r->n));
}

#define SEGMENTS(X) \
	X(periods)  \
	X(d1)       \
	X(d3)       \
	X(contrib)
GOLDEN_ROW(segments, SEGMENTS);

static void check_segments(struct golden *g)
{
	const struct segments *r;

	while ((r = golden_next(g)) != NULL)
		GOLDEN_EQ(
			g, r, contrib, pelt_segments(r->periods, (uint32_t)r->d1, (uint32_t)r->d3));
}

#define CONTRIB(X) \
	X(n)       \
	X(contrib)
GOLDEN_ROW(contrib, CONTRIB);

static void check_contrib_4_8(struct golden *g)
{
	const struct contrib *r;

	while ((r = golden_next(g)) != NULL)
		GOLDEN_EQ(g, r, contrib, pelt_contrib_4_8(r->n));
}

#define STEP(X)               \
	X(now)                \
	X(last_update_time)   \
	X(load_sum)           \
	X(runnable_sum)       \
	X(util_sum)           \
	X(period_contrib)     \
	X(load)               \
	X(runnable)           \
	X(running)            \
	X(weight)             \
	X(ret)                \
	X(o_last_update_time) \
	X(o_load_sum)         \
	X(o_runnable_sum)     \
	X(o_util_sum)         \
	X(o_period_contrib)   \
	X(o_load_avg)         \
	X(o_runnable_avg)     \
	X(o_util_avg)
GOLDEN_ROW(step, STEP);

static void check_step(struct golden *g)
{
	const struct step *r;

	while ((r = golden_next(g)) != NULL) {
		struct pelt pelt = {
			.last_update_ns = r->last_update_time,
			.load_sum = r->load_sum,
			.runnable_sum = r->runnable_sum,
			.util_sum = (uint32_t)r->util_sum,
			.period_contrib = (uint32_t)r->period_contrib,
		};
		struct pelt_input in = { r->load, r->runnable, r->running != 0 };
		bool changed = pelt_update_sum(&pelt, r->now, in);

		if (changed)
			pelt_update_avg(&pelt, r->weight);
		GOLDEN_EQ(g, r, ret, changed);
		GOLDEN_EQ(g, r, o_last_update_time, pelt.last_update_ns);
		GOLDEN_EQ(g, r, o_load_sum, pelt.load_sum);
		GOLDEN_EQ(g, r, o_runnable_sum, pelt.runnable_sum);
		GOLDEN_EQ(g, r, o_util_sum, pelt.util_sum);
		GOLDEN_EQ(g, r, o_period_contrib, pelt.period_contrib);
		GOLDEN_EQ(g, r, o_load_avg, pelt.load_avg);
		GOLDEN_EQ(g, r, o_runnable_avg, pelt.runnable_avg);
		GOLDEN_EQ(g, r, o_util_avg, pelt.util_avg);
	}
}

static bool update_scaled(
	unsigned version, struct pelt *pelt, uint64_t now_ns, struct pelt_scaled_input in)
{
	if (pelt_rules(version)->form == PELT_FORM_4_8)
		return pelt_update_4_8(pelt, now_ns, in);
	return pelt_update_4_12(pelt, now_ns, in);
}

#define SCALED_STEP(X)         \
	X(now)                 \
	X(last_update_time)    \
	X(load_sum)            \
	X(util_sum)            \
	X(period_contrib)      \
	X(load_avg)            \
	X(util_avg)            \
	X(has_cfs)             \
	X(runnable_load_sum)   \
	X(runnable_load_avg)   \
	X(weight)              \
	X(running)             \
	X(scale_freq)          \
	X(scale_cpu)           \
	X(ret)                 \
	X(o_last_update_time)  \
	X(o_load_sum)          \
	X(o_util_sum)          \
	X(o_period_contrib)    \
	X(o_load_avg)          \
	X(o_util_avg)          \
	X(o_runnable_load_sum) \
	X(o_runnable_load_avg)
GOLDEN_ROW(scaled_step, SCALED_STEP);

static void check_scaled_step(struct golden *g)
{
	const unsigned *version = golden_arg(g);
	const struct scaled_step *r;

	while ((r = golden_next(g)) != NULL) {
		struct pelt pelt = {
			.last_update_ns = r->last_update_time,
			.load_sum = r->load_sum,
			.runnable_sum = r->runnable_load_sum,
			.util_sum = (uint32_t)r->util_sum,
			.period_contrib = (uint32_t)r->period_contrib,
			.load_avg = r->load_avg,
			.runnable_avg = r->runnable_load_avg,
			.util_avg = r->util_avg,
		};
		struct pelt_scaled_input in = {
			.weight = r->weight,
			.running = r->running != 0,
			.run_queue = r->has_cfs != 0,
			.freq_scale = r->scale_freq,
			.cpu_scale = r->scale_cpu,
		};

		GOLDEN_EQ(g, r, ret, update_scaled(*version, &pelt, r->now, in));
		GOLDEN_EQ(g, r, o_last_update_time, pelt.last_update_ns);
		GOLDEN_EQ(g, r, o_load_sum, pelt.load_sum);
		GOLDEN_EQ(g, r, o_util_sum, pelt.util_sum);
		GOLDEN_EQ(g, r, o_period_contrib, pelt.period_contrib);
		GOLDEN_EQ(g, r, o_load_avg, pelt.load_avg);
		GOLDEN_EQ(g, r, o_util_avg, pelt.util_avg);
		GOLDEN_EQ(g, r, o_runnable_load_sum, pelt.runnable_sum);
		GOLDEN_EQ(g, r, o_runnable_load_avg, pelt.runnable_avg);
	}
}

#define TASK_STEP(X)        \
	X(seq)              \
	X(step)             \
	X(start_ns)         \
	X(now_ns)           \
	X(weight)           \
	X(running)          \
	X(scale_freq)       \
	X(scale_cpu)        \
	X(ret)              \
	X(last_update_time) \
	X(load_sum)         \
	X(util_sum)         \
	X(period_contrib)   \
	X(load_avg)         \
	X(util_avg)
GOLDEN_ROW(task_step, TASK_STEP);

static void check_task_seq(struct golden *g)
{
	const unsigned *version = golden_arg(g);
	const struct task_step *r, *prev = NULL;
	struct task_pelt task;
	struct cfs_pelt empty = { .nr_queued = 0 };

	for (; (r = golden_next(g)) != NULL; prev = r) {
		struct pelt_scaled_input in = {
			.weight = r->weight,
			.running = r->running != 0,
			.freq_scale = r->scale_freq,
			.cpu_scale = r->scale_cpu,
		};

		if (prev == NULL || prev->seq != r->seq) {
			task_pelt_init(&task, 1024 * WEIGHT_UNIT);
			task_pelt_set_new_util(pelt_rules(*version), &empty, 0, &task);
			/* The vectors start without the utilisation a fork gives. */
			task.sig.util_avg = 0;
			task.sig.util_sum = 0;
			task.sig.last_update_ns = r->start_ns;
		}
		GOLDEN_EQ(g, r, ret, update_scaled(*version, &task.sig, r->now_ns, in));
		GOLDEN_EQ(g, r, last_update_time, task.sig.last_update_ns);
		GOLDEN_EQ(g, r, load_sum, task.sig.load_sum);
		GOLDEN_EQ(g, r, util_sum, task.sig.util_sum);
		GOLDEN_EQ(g, r, period_contrib, task.sig.period_contrib);
		GOLDEN_EQ(g, r, load_avg, task.sig.load_avg);
		GOLDEN_EQ(g, r, util_avg, task.sig.util_avg);
	}
}

#define CLOCK_STEP(X)     \
	X(is_idle)        \
	X(delta_ns)       \
	X(cpu_scale)      \
	X(freq_scale)     \
	X(clock_task)     \
	X(clock_pelt)     \
	X(lost_idle_time) \
	X(o_clock_pelt)   \
	X(o_rq_clock_pelt)
GOLDEN_ROW(clock_step, CLOCK_STEP);

static void check_clock(struct golden *g)
{
	const struct clock_step *r;

	while ((r = golden_next(g)) != NULL) {
		struct rq_clock clock = {
			.task_ns = r->clock_task,
			.pelt_ns = r->clock_pelt,
			.lost_idle_ns = r->lost_idle_time,
		};
		struct rq_scale scale = { r->cpu_scale, r->freq_scale };

		rq_clock_advance_pelt(&clock, r->delta_ns, r->is_idle != 0, scale);
		GOLDEN_EQ(g, r, o_clock_pelt, clock.pelt_ns);
		GOLDEN_EQ(g, r, o_rq_clock_pelt, rq_clock_pelt_ns(&clock));
	}
}

#define IDLE_ENTER(X)       \
	X(cfs_util_sum)     \
	X(rt_util_sum)      \
	X(dl_util_sum)      \
	X(clock_task)       \
	X(clock_pelt)       \
	X(lost_idle_time)   \
	X(o_clock_pelt)     \
	X(o_lost_idle_time) \
	X(o_rq_clock_pelt)
GOLDEN_ROW(idle_enter, IDLE_ENTER);

static void check_idle_enter(struct golden *g)
{
	const struct idle_enter *r;

	while ((r = golden_next(g)) != NULL) {
		struct rq_clock clock = {
			.task_ns = r->clock_task,
			.pelt_ns = r->clock_pelt,
			.lost_idle_ns = r->lost_idle_time,
		};

		rq_clock_enter_idle(&clock,
			(uint32_t)(r->cfs_util_sum + r->rt_util_sum + r->dl_util_sum), true);
		GOLDEN_EQ(g, r, o_clock_pelt, clock.pelt_ns);
		GOLDEN_EQ(g, r, o_lost_idle_time, clock.lost_idle_ns);
		GOLDEN_EQ(g, r, o_rq_clock_pelt, rq_clock_pelt_ns(&clock));
	}
}

#define RQ_STEP(X)            \
	X(seq)                \
	X(step)               \
	X(op)                 \
	X(task)               \
	X(arg)                \
	X(dt_ns)              \
	X(irq_ns)             \
	X(freq_scale)         \
	X(clock)              \
	X(clock_task)         \
	X(clock_pelt)         \
	X(lost_idle_time)     \
	X(cfs_last_update)    \
	X(cfs_period_contrib) \
	X(cfs_load_sum)       \
	X(cfs_runnable_sum)   \
	X(cfs_util_sum)       \
	X(cfs_load_avg)       \
	X(cfs_runnable_avg)   \
	X(cfs_util_avg)       \
	X(cfs_util_est)       \
	X(rt_util_sum)        \
	X(rt_util_avg)        \
	X(irq_util_sum)       \
	X(irq_util_avg)       \
	X(t_last_update)      \
	X(t_period_contrib)   \
	X(t_load_sum)         \
	X(t_runnable_sum)     \
	X(t_util_sum)         \
	X(t_load_avg)         \
	X(t_runnable_avg)     \
	X(t_util_avg)         \
	X(t_util_est_raw)     \
	X(t_ewma)             \
	X(cpu_util_cfs)       \
	X(cpufreq_calls)      \
	X(cpufreq_flagmask)
GOLDEN_ROW(rq_step, RQ_STEP);

struct rq_cfg {
	uint64_t seq, cpu_scale, n_tasks, weight[TASKS_MAX], has_irq, has_rt;
};

struct rq_run {
	struct rq_pelt rq;
	struct task_pelt tasks[TASKS_MAX];
	uint64_t irq_time_ns;
	uint64_t calls, flagmask;
};

static void count_call(void *ctx, unsigned flags)
{
	struct rq_run *run = ctx;

	run->calls++;
	run->flagmask |= UINT64_C(1) << flags;
}

/* False when the row asks for something that the state rules out. */
static bool rq_op(struct rq_run *run, const struct rq_cfg *cfg, const struct rq_step *r)
{
	struct rq_pelt *rq = &run->rq;
	struct task_pelt *task = r->task < cfg->n_tasks ? &run->tasks[r->task] : NULL;

	if (task == NULL && (r->op == 1 || r->op == 2 || r->op == 3 || r->op == 5))
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
		return true;
	case 5:
		if (task->queued)
			return false;
		task_pelt_init(task, cfg->weight[r->task] * WEIGHT_UNIT);
		rq_pelt_fork(rq, task);
		return true;
	case 6:
		rq_pelt_blocked(rq);
		return true;
	case 7:
		rq_pelt_switch_rt(rq);
		return true;
	case 8:
		rq_pelt_tick(rq);
		return true;
	default:
		return false;
	}
}

static void compare_task(struct golden *g, const struct rq_step *r, const struct task_pelt *task)
{
	GOLDEN_EQ(g, r, t_last_update, task->sig.last_update_ns);
	GOLDEN_EQ(g, r, t_period_contrib, task->sig.period_contrib);
	GOLDEN_EQ(g, r, t_load_sum, task->sig.load_sum);
	GOLDEN_EQ(g, r, t_runnable_sum, task->sig.runnable_sum);
	GOLDEN_EQ(g, r, t_util_sum, task->sig.util_sum);
	GOLDEN_EQ(g, r, t_load_avg, task->sig.load_avg);
	GOLDEN_EQ(g, r, t_runnable_avg, task->sig.runnable_avg);
	GOLDEN_EQ(g, r, t_util_avg, task->sig.util_avg);
	GOLDEN_EQ(g, r, t_util_est_raw, task->util_est.raw);
	GOLDEN_EQ(g, r, t_ewma, task->util_est.ewma);
}

static void compare_rq(
	struct golden *g, const struct rq_step *r, const struct rq_run *run, unsigned version)
{
	const struct rq_pelt *rq = &run->rq;
	const struct pelt *cfs = &rq->cfs.sig;
	struct util_input in;

	rq_pelt_read(rq, &in);
	GOLDEN_EQ(g, r, clock, rq->clock.clock_ns);
	GOLDEN_EQ(g, r, clock_task, rq->clock.task_ns);
	GOLDEN_EQ(g, r, clock_pelt, rq->clock.pelt_ns);
	GOLDEN_EQ(g, r, lost_idle_time, rq->clock.lost_idle_ns);
	GOLDEN_EQ(g, r, cfs_last_update, cfs->last_update_ns);
	GOLDEN_EQ(g, r, cfs_period_contrib, cfs->period_contrib);
	GOLDEN_EQ(g, r, cfs_load_sum, cfs->load_sum);
	GOLDEN_EQ(g, r, cfs_runnable_sum, cfs->runnable_sum);
	GOLDEN_EQ(g, r, cfs_util_sum, cfs->util_sum);
	GOLDEN_EQ(g, r, cfs_load_avg, cfs->load_avg);
	GOLDEN_EQ(g, r, cfs_runnable_avg, cfs->runnable_avg);
	GOLDEN_EQ(g, r, cfs_util_avg, cfs->util_avg);
	GOLDEN_EQ(g, r, cfs_util_est, rq->cfs.util_est);
	GOLDEN_EQ(g, r, rt_util_sum, rq->rt.util_sum);
	GOLDEN_EQ(g, r, rt_util_avg, rq->rt.util_avg);
	GOLDEN_EQ(g, r, irq_util_sum, rq->irq.util_sum);
	GOLDEN_EQ(g, r, irq_util_avg, rq->irq.util_avg);
	GOLDEN_EQ(g, r, cpu_util_cfs, util_cfs(util_rules(version), &in));
	GOLDEN_EQ(g, r, cpufreq_calls, run->calls);
	GOLDEN_EQ(g, r, cpufreq_flagmask, run->flagmask);
}

static void check_rq_seq(struct golden *g)
{
	static const struct task_pelt no_task;
	const unsigned *version = golden_arg(g);
	const struct golden_csv *cfgs = golden_open(g, "rq_seq_cfg");
	const struct rq_step *r, *prev = NULL;
	struct rq_run run;

	for (; (r = golden_next(g)) != NULL; prev = r) {
		const struct rq_cfg *cfg = golden_find(g, cfgs, r->seq, NULL);

		if (cfg == NULL)
			return;
		if (prev == NULL || prev->seq != r->seq) {
			run = (struct rq_run){ .irq_time_ns = 0 };
			run.rq.rules = pelt_rules(*version);
			run.rq.scale.cpu = cfg->cpu_scale;
			run.rq.cpufreq = count_call;
			run.rq.ctx = &run;
		}
		run.calls = 0;
		run.flagmask = 0;
		run.irq_time_ns += r->irq_ns;
		run.rq.scale.freq = r->freq_scale;
		rq_pelt_clock(&run.rq, r->dt_ns, run.irq_time_ns);
		if (cfg->n_tasks > TASKS_MAX || !rq_op(&run, cfg, r)) {
			golden_fail(g, "seq %d step %d: no such event", (int)r->seq, (int)r->step);
			return;
		}
		compare_rq(g, r, &run, *version);
		compare_task(g, r, r->task < TASKS_MAX ? &run.tasks[r->task] : &no_task);
	}
}

static const struct golden_file files[] = {
	{ "decay_load", decay_columns, check_decay, NULL },
	{ "accumulate_segments", segments_columns, check_segments, NULL },
	{ "runnable_contrib_v4.8", contrib_columns, check_contrib_4_8, NULL },
	{ "update_step", step_columns, check_step, NULL },
	{ "update_step_v4.8", scaled_step_columns, check_scaled_step, &v4_8 },
	{ "update_step_v4.12", scaled_step_columns, check_scaled_step, &v4_12 },
	{ "task_seq_v4.8", task_step_columns, check_task_seq, &v4_8 },
	{ "task_seq_v4.12", task_step_columns, check_task_seq, &v4_12 },
	{ "clock_pelt_step", clock_step_columns, check_clock, NULL },
	{ "idle_enter_step", idle_enter_columns, check_idle_enter, NULL },
	{ "rq_seq_v5.10", rq_step_columns, check_rq_seq, &v5_10 },
	{ "rq_seq_v6.1", rq_step_columns, check_rq_seq, &v6_1 },
	{ "rq_seq_v6.12", rq_step_columns, check_rq_seq, &v6_12 },
	{ "rq_seq_cfg", "seq,cpu_scale,n_tasks,w0..w5,has_irq,has_rt", NULL, NULL },
	{ NULL, NULL, NULL, NULL },
};
const struct golden_area golden_area_pelt = { "pelt", files };
