/*
 * schedutil as kernels of phones have it, with window-assisted load tracking in place of PELT: a
 * CPU's utilisation is the work it did in the last window of 20 ms, scaled by clock and kind of
 * CPU, and every policy is evaluated when a window ends, idle or not. A task that is still awake
 * after 9.5 ms makes its CPU count as fully used, which a tick notices.
 *
 * Follows walt_irq_work(), freq_policy_load() and early_detection_notify() of kernel/sched/walt.c
 * in Qualcomm's Linux 4.14; of its further inputs (predicted load, top tasks, groups of tasks,
 * hispeed_freq) nothing. What a utilisation is worth is schedutil_core.h's. Assumed: that early
 * detection is on, which is so while the scheduler is boosted; and that windows begin with the
 * first frequency event, as nothing in a recording tells.
 */
#include "governors/schedutil_core.h"
#include "sim/base/units.h"
#include "sim/validate/model.h"

#define WINDOW_NS (20 * NSEC_PER_MSEC)
#define EARLY_NS (9500 * NSEC_PER_USEC)

struct window_load {
	int64_t current, last; /* ns x capacity */
	bool early;            /* a task has been awake for long */
};

struct machine_state {
	struct window_load *loads;
	int64_t since_ns;
};

static void start(struct model_policy *policy)
{
	struct model *model = policy->model;
	struct machine_state *machine = model->state;

	if (!machine) {
		model->state = machine = arena_alloc(model->arena, sizeof(*machine));
		machine->since_ns = model->loop.now_ns;
		machine->loads = arena_array(
			model->arena, (size_t)model->loop.nr_cpus, sizeof(*machine->loads));
	}
	model_schedutil_configure(policy, policy->state);
	sugov_start(policy->state, policy->cpu_state);
}

static void first(struct model_policy *policy, uint32_t khz, int64_t now_ns)
{
	struct open_loop *loop = &policy->model->loop;
	struct sugov_policy *sp = policy->state;

	sp->next_khz = khz;
	sp->cached_raw_khz = UINT32_MAX;
	if (loop->next_window_ns == NEVER_NS)
		loop->next_window_ns = now_ns + WINDOW_NS;
	loop->window_ns = WINDOW_NS;
}

/* They hold at the next window. */
static void limits(struct model_policy *policy)
{
	struct sugov_policy *sp = policy->state;

	/* No raw frequency equals this one, so the next is resolved anew. */
	sp->cached_raw_khz = UINT32_MAX;
}

static void hook(struct model_policy *policy, int cpu, int64_t now_ns, unsigned flags)
{
	(void)policy;
	(void)cpu;
	(void)now_ns;
	(void)flags;
}

static void passed(struct model *model, int64_t now_ns)
{
	struct machine_state *state = model->state;
	int64_t ns = min_i64(now_ns - state->since_ns, WINDOW_NS);

	if (ns <= 0)
		return;
	state->since_ns = now_ns;
	for (int i = 0; i < model->loop.nr_cpus; i++) {
		const struct open_cpu *cpu = &model->loop.cpus[i];

		if (cpu->running)
			state->loads[i].current += ns *
				(int64_t)(cpu->pelt.scale.cpu * cpu->pelt.scale.freq >> 10);
	}
}

static void evaluate(struct model_policy *policy)
{
	const struct model *model = policy->model;
	const struct machine_state *state = model->state;
	struct sugov_policy *sp = policy->state;
	const struct driver_info *info = &policy->info;
	const struct sugov_view view = {
		.table = info->has_table ? &info->table : NULL,
		.limits = policy->limits,
		.cur_khz = policy->cur_khz,
		.cpuinfo_max_khz = (uint32_t)info->clocks_khz[info->nr_clocks - 1],
	};
	uint64_t capacity = model->loop.cpus[policy->first_cpu].pelt.scale.cpu, util = 0;
	struct model_decision *decision;
	int busiest = policy->first_cpu;

	for (int cpu = busiest; cpu < policy->first_cpu + policy->nr_cpus; cpu++) {
		uint64_t mine = state->loads[cpu].early
			? CAPACITY_SCALE
			: (uint64_t)(state->loads[cpu].last / WINDOW_NS);

		if (mine <= util)
			continue;
		util = mine;
		busiest = cpu;
	}
	util = (uint64_t)min_i64((int64_t)util, (int64_t)capacity);
	sp->next_khz = sugov_next_khz(sp, &view, util, capacity, &sp->cached_raw_khz);
	decision = model_decide(policy, busiest, DECISION_UTIL);
	model_fact(decision, "early", state->loads[busiest].early, "");
	model_fact(decision, "util", (int64_t)util, "");
	model_fact(decision, "capacity", (int64_t)capacity, "");
	model_fact(decision, "raw", sp->cached_raw_khz, "kHz");
	model_fact(decision, "min", policy->limits.min_khz, "kHz");
	model_fact(decision, "max", policy->limits.max_khz, "kHz");
	model_target(policy, sp->next_khz, RELATION_L);
}

static bool has_early(const struct open_loop *loop, int cpu)
{
	for (const struct open_task *task = loop->cpus[cpu].queue; task; task = task->queue_next)
		if (loop->now_ns - task->woken_ns >= EARLY_NS)
			return true;
	return false;
}

/* Only that it begins is told at once. */
static void ticked(struct model *model, int cpu)
{
	struct machine_state *state = model->state;
	struct model_policy *policy = model->policy_of_cpu[cpu];

	state->loads[cpu].early = has_early(&model->loop, cpu);
	if (state->loads[cpu].early && policy->cur_khz != 0)
		evaluate(policy);
}

static void window(struct model *model)
{
	struct machine_state *state = model->state;

	for (int i = 0; i < model->loop.nr_cpus; i++) {
		state->loads[i].last = state->loads[i].current;
		state->loads[i].current = 0;
		state->loads[i].early &= has_early(&model->loop, i);
	}
	for (int i = 0; i < model->nr_policies; i++)
		if (model->policies[i].cur_khz != 0)
			evaluate(&model->policies[i]);
}

const struct model_governor model_schedutil_walt = {
	.name = "schedutil",
	.policy_size = sizeof(struct sugov_policy),
	.cpu_size = sizeof(struct sugov_cpu),
	.start = start,
	.first = first,
	.limits = limits,
	.hook = hook,
	.passed = passed,
	.ticked = ticked,
	.window = window,
};
