#include "sim/validate/inputs.h"

#include "governors/pstate_load.h"
#include "sim/base/units.h"

void inputs_init(struct inputs *inputs, struct model *model)
{
	inputs->model = model;
	inputs->checks = arena_array(
		model->arena, (size_t)model->loop.nr_cpus, sizeof(struct input_check *));
}

static struct input_check *check_of(struct inputs *inputs, int cpu)
{
	struct model *model = inputs->model;
	struct input_check *check = inputs->checks[cpu];

	if (check)
		return check;
	check = inputs->checks[cpu] = arena_alloc(model->arena, sizeof(*check));
	check->cpu = cpu;
	check->policy = *model->policy_of_cpu[cpu];
	check->policy.cur_khz = 0;
	check->policy.aside = true;
	if (model->governor == &model_schedutil) {
		model_schedutil_configure(&check->policy, &check->sugov);
		sugov_start(&check->sugov, &check->sugov_cpu);
	}
	return check;
}

static void note_wrong(struct input_check *check, int64_t recorded_khz, int64_t predicted_khz,
	const struct model_decision *decision)
{
	if (check->nr_wrong == INPUT_MOMENTS)
		return;
	check->wrong[check->nr_wrong++] = (struct moment){
		.t_ns = decision->t_ns,
		.recorded_khz = (uint32_t)recorded_khz,
		.predicted_khz = (uint32_t)predicted_khz,
		.decision = *decision,
	};
}

/* The utilisation that was recorded, with the boost where that was more. */
static void read_marked(void *ctx, int cpu, struct util_input *in)
{
	const struct input_check *check = ctx;
	const struct trace_util *marks = check->marks;
	const struct model *model = check->policy.model;
	bool boosted = check->seen & 1u << TRACE_UTIL_BOOST;

	(void)cpu;
	open_loop_read(&model->loop, check->cpu, in);
	in->cfs_util_avg = (uint64_t)marks[boosted ? TRACE_UTIL_BOOST : TRACE_UTIL_SEEN].now;
	if (check->seen & 1u << TRACE_UTIL_EARLY)
		in->cfs_util_avg = (uint64_t)marks[TRACE_UTIL_EARLY].now;
	if (check->seen & 1u << TRACE_UTIL_INPUTS)
		in->capacity = (uint64_t)marks[TRACE_UTIL_INPUTS].now;
}

static struct sugov_action decide(struct input_check *check)
{
	const struct model_policy *policy = &check->policy;
	const struct open_cpu *cpu = &policy->model->loop.cpus[check->cpu];
	const struct driver_info *info = &policy->info;
	const struct sugov_view view = {
		.table = info->has_table ? &info->table : NULL,
		.limits = policy->limits,
		.cur_khz = policy->cur_khz,
		.cpuinfo_max_khz = (uint32_t)info->cpuinfo_max_khz,
	};
	const struct sugov_source source = { read_marked, check };
	/* The load of fair tasks can change, and call, while a real-time one runs: only such a call
	 * goes through the formula, whose inputs are then recorded. */
	bool fair = check->seen & 1u << TRACE_UTIL_INPUTS;
	const struct sugov_call call = {
		.time_ns = (uint64_t)check->call_ns,
		.flags = fair           ? 0
			: cpu->deadline ? HOOK_DL
			: cpu->realtime ? HOOK_RT
					: 0,
	};

	return sugov_update(&check->sugov, &check->sugov_cpu, &view, &source, &call);
}

/* What the first call says of before: the last frequency and the clock it was scaled by. */
static void start(struct input_check *check)
{
	if (check->started)
		return;
	check->started = true;
	check->sugov.next_khz = (uint32_t)check->marks[TRACE_UTIL_FREQ].before;
	check->policy.cur_khz = check->seen & 1u << TRACE_UTIL_INPUTS
		? (uint32_t)check->marks[TRACE_UTIL_INPUTS].before
		: check->sugov.next_khz;
}

static struct model_decision describe(const struct input_check *check)
{
	struct model_decision decision = { .t_ns = check->call_ns, .cpu = check->cpu };
	const struct open_cpu *cpu = &check->policy.model->loop.cpus[check->cpu];

	decision.rule = check->sugov.reason == SUGOV_HOLD ? DECISION_HOLD
		: check->sugov.reason == SUGOV_RT_MAX     ? DECISION_RT_MAX
		: check->sugov.reason == SUGOV_CACHE      ? DECISION_CACHE
		: check->sugov.reason == SUGOV_RATE_LIMIT ? DECISION_RATE_LIMIT
							  : DECISION_UTIL;
	model_fact(&decision, "util", check->marks[TRACE_UTIL_SEEN].now, "");
	model_fact(&decision, "cur", check->policy.cur_khz, "kHz");
	model_fact(&decision, "realtime", cpu->realtime, "");
	model_fact(&decision, "idle_calls", (int64_t)cpu->idle_calls, "");
	return decision;
}

static void request(struct input_check *check, const struct sugov_action *action)
{
	if (action->what == SUGOV_FAST_SWITCH) {
		model_fast_switch(&check->policy, action->khz);
	} else if (action->what == SUGOV_QUEUE_WORK) {
		model_target(&check->policy, sugov_work(&check->sugov), RELATION_L);
		sugov_work_done(&check->sugov);
	}
	check->unset = action->what != SUGOV_NOTHING;
}

static void end_evaluated(struct input_check *check)
{
	struct input_counts *counts = &check->counts;
	int64_t recorded_khz = check->marks[TRACE_UTIL_FREQ].now;
	struct model_decision decision;
	struct sugov_action action;

	start(check);
	action = decide(check);
	counts->evaluated++;
	if (check->sugov.next_khz == recorded_khz && check->sugov.reason != SUGOV_RATE_LIMIT) {
		counts->decided++;
		counts->realtime += check->sugov.reason == SUGOV_RT_MAX;
	} else {
		decision = describe(check);
		note_wrong(check, recorded_khz, check->sugov.next_khz, &decision);
		/* The next decision is judged by itself. */
		check->sugov.next_khz = (uint32_t)recorded_khz;
	}
	request(check, &action);
}

static void end_early(struct input_check *check)
{
	struct sugov_action action;

	/* Where the recording begins with such a call, the last change was not long before. */
	if (!check->started && check->counts.early == 0)
		check->sugov.last_freq_update_ns = (uint64_t)check->call_ns;
	action = decide(check);
	check->counts.early++;
	check->counts.refused += check->sugov.reason == SUGOV_RATE_LIMIT;
	if (check->sugov.reason == SUGOV_RATE_LIMIT)
		return;
	struct model_decision decision = describe(check);
	note_wrong(check, 0, check->sugov.next_khz, &decision);
	request(check, &action);
}

static void take_mark(struct inputs *inputs, const struct trace_event *event)
{
	struct input_check *check = check_of(inputs, event->cpu);
	const struct trace_util *util = &event->util;

	if (inputs->model->governor != &model_schedutil || util->mark == TRACE_UTIL_OTHER)
		return;
	if (check->seen == 0)
		check->call_ns = inputs->model->loop.now_ns;
	check->marks[util->mark] = *util;
	check->seen |= 1u << util->mark;
	if (util->mark == TRACE_UTIL_FREQ)
		end_evaluated(check);
	else if (util->mark == TRACE_UTIL_EARLY)
		end_early(check);
	else
		return;
	check->seen = 0;
}

/* What the driver set, against what the model's driver makes of the model's own decision. */
static void take_frequency(struct inputs *inputs, const struct trace_event *event)
{
	struct input_check *check = event->target_cpu >= 0 ? inputs->checks[event->target_cpu]
							   : NULL;

	if (!check || !check->unset)
		return;
	check->unset = false;
	check->counts.sets++;
	check->counts.set_equal += check->policy.cur_khz == event->khz;
}

/* The boost, a power of two of 256ths, that shows as @percent. */
static uint32_t boost_of(int64_t percent)
{
	uint32_t boost = 1;

	while (boost < 256 && boost * 100 >> 8 < percent)
		boost <<= 1;
	return percent > 0 ? boost : 0;
}

/* One sample of intel_pstate, whose counters and boost are recorded with the decision. */
static void take_pstate(struct inputs *inputs, const struct trace_event *event)
{
	struct input_check *check = check_of(inputs, event->cpu);
	const struct trace_pstate *seen = &event->pstate;
	const struct perf_counters counters = { .aperf = (uint64_t)seen->aperf,
		.mperf = (uint64_t)seen->mperf,
		.tsc = (uint64_t)seen->tsc };
	struct pstate_load_params params;
	struct pstate_load_cpu cpu = {
		.pstate = (int32_t)seen->from,
		.sample = { .time_ns = 1 },
		.iowait_boost_fp = boost_of(seen->io_boost),
	};
	struct model_decision decision = { .cpu = event->cpu, .rule = DECISION_UTIL };

	if (inputs->model->governor != &model_intel_pstate)
		return;
	model_pstate_params(&check->policy, &params);
	/* Until 5.0 the evaluation has halved the boost by the time it is recorded. */
	if (params.rules->boost_at_once)
		cpu.iowait_boost_fp = cpu.iowait_boost_fp < 128 ? 2 * cpu.iowait_boost_fp : 256;
	pstate_load_evaluate(&params, &cpu, &counters, (uint64_t)inputs->model->loop.now_ns);
	check->counts.evaluated++;
	if (cpu.pstate == seen->to) {
		check->counts.decided++;
		return;
	}
	decision.t_ns = inputs->model->loop.now_ns;
	model_fact(&decision, "mperf", seen->mperf, "cycles");
	model_fact(&decision, "aperf", seen->aperf, "cycles");
	model_fact(&decision, "tsc", seen->tsc, "cycles");
	model_fact(&decision, "io_boost", seen->io_boost, "%");
	model_fact(&decision, "average", cpu.average, "");
	note_wrong(check, seen->to * params.levels.scaling_khz,
		(int64_t)cpu.pstate * params.levels.scaling_khz, &decision);
}

void inputs_event(struct inputs *inputs, const struct trace_event *event)
{
	if (event->cpu < 0 || event->cpu >= inputs->model->loop.nr_cpus ||
		event->target_cpu >= inputs->model->loop.nr_cpus)
		return;
	if (event->kind == TRACE_UTIL)
		take_mark(inputs, event);
	else if (event->kind == TRACE_PSTATE)
		take_pstate(inputs, event);
	else if (event->kind == TRACE_FREQUENCY)
		take_frequency(inputs, event);
}
