#include "sim/validate/validate.h"

#include <stdlib.h>
#include <string.h>

#include "governors/pstate_load.h"
#include "sim/base/units.h"
#include "sim/kernel/kernel.h"

/* Utilisation as recorded and as the model has it, at one call. */
struct util_pair {
	int32_t recorded, model;
};

struct util_pairs {
	struct util_pair *pairs;
	size_t nr, max;
};

struct validator {
	struct validation *out;
	struct arena *arena;
	struct model *model;
	struct inputs inputs;
	struct series *recorded, *predicted; /* by policy */
	struct util_pairs *utils;            /* by CPU */
	int64_t warmup_ns;
	bool shows_samples; /* each evaluation of intel_pstate has an event of its own */
};

static void predicted_changed(void *ctx, const struct model_policy *policy, int64_t now_ns)
{
	struct validator *v = ctx;

	if (!v->model->governor->at_events)
		series_add(&v->predicted[policy->index], v->arena, now_ns, policy->cur_khz,
			&policy->last);
}

/* A policy of several CPUs shows a change once for each of them. */
static bool is_repeat(const struct model_policy *policy, const struct series *recorded, int64_t khz)
{
	return policy->nr_cpus > 1 && recorded->nr && recorded->points[recorded->nr - 1].khz == khz;
}

/* @cpu's policy was at @khz from now on: the model's own choice goes beside it. */
static void compare(struct validator *v, int cpu, uint32_t khz)
{
	struct model_policy *policy = v->model->policy_of_cpu[cpu];
	struct series *recorded = &v->recorded[policy->index];
	int64_t now_ns = v->model->loop.now_ns;

	if (recorded->nr == 0)
		model_first(policy, khz);
	else if (v->model->governor->at_events)
		v->model->governor->evaluate(policy, cpu, now_ns);
	series_add(recorded, v->arena, now_ns, khz, &policy->last);
	if (v->model->governor->at_events)
		series_add(&v->predicted[policy->index], v->arena, now_ns, policy->cur_khz,
			&policy->last);
}

static void take_frequency(struct validator *v, const struct trace_event *event)
{
	const struct model_policy *policy = v->model->policy_of_cpu[event->target_cpu];
	const struct series *recorded = &v->recorded[policy->index];

	if (is_repeat(policy, recorded, event->khz) || (v->shows_samples && recorded->nr > 0))
		return;
	compare(v, event->target_cpu, (uint32_t)event->khz);
}

static void take_sample(struct validator *v, const struct trace_event *event)
{
	const struct model_policy *policy = v->model->policy_of_cpu[event->cpu];
	struct pstate_load_params params;

	if (!v->shows_samples)
		return;
	model_pstate_params(policy, &params);
	compare(v, event->cpu,
		(uint32_t)(clamp_i64(event->pstate.to, 0, params.levels.turbo) *
			params.levels.scaling_khz));
}

static void add_pair(struct util_pairs *utils, struct arena *arena, struct util_pair pair)
{
	if (utils->nr == utils->max) {
		size_t max = utils->max ? 2 * utils->max : 256;
		struct util_pair *pairs = arena_array(arena, max, sizeof(*pairs));

		if (utils->nr)
			memcpy(pairs, utils->pairs, utils->nr * sizeof(*pairs));
		utils->pairs = pairs;
		utils->max = max;
	}
	utils->pairs[utils->nr++] = pair;
}

/* A marker tells utilisation: the model's own at that instant goes beside it. */
static void take_util(struct validator *v, const struct trace_event *event)
{
	struct open_loop *loop = &v->model->loop;
	struct util_input in;

	if (event->util.mark != TRACE_UTIL_SEEN && event->util.mark != TRACE_UTIL_EARLY)
		return;
	open_loop_update(loop, event->cpu);
	if (loop->now_ns < KERNEL_UPTIME_NS + v->warmup_ns)
		return;
	open_loop_read(loop, event->cpu, &in);
	add_pair(&v->utils[event->cpu], v->arena,
		(struct util_pair){ (int32_t)event->util.now, (int32_t)in.cfs_util_avg });
}

static int take_event(struct validator *v, const struct trace_reader *reader,
	const struct trace_event *event, struct error *err)
{
	struct open_loop *loop = &v->model->loop;

	if (event->kind == TRACE_CPUS || event->kind == TRACE_LOST || event->cpu < 0)
		return 0;
	if (event->cpu >= loop->nr_cpus || event->target_cpu >= loop->nr_cpus)
		return error_at(err, ERROR_TRACE, trace_where(reader),
			"the recording shows CPU %d; machine %s has CPUs 0-%d",
			event->cpu >= loop->nr_cpus ? event->cpu : event->target_cpu,
			v->model->scenario->machine.name, loop->nr_cpus - 1);
	open_loop_advance(loop, event->t_ns);
	if (event->kind == TRACE_FREQUENCY && event->target_cpu >= 0)
		take_frequency(v, event);
	else if (event->kind == TRACE_LIMITS && event->target_cpu >= 0)
		model_limits(v->model->policy_of_cpu[event->target_cpu],
			(struct freq_limits){ (uint32_t)event->min_khz, (uint32_t)event->khz });
	else if (event->kind == TRACE_UTIL)
		take_util(v, event);
	else if (event->kind == TRACE_PSTATE)
		take_sample(v, event);
	else
		open_loop_event(loop, event);
	inputs_event(&v->inputs, event);
	return 0;
}

static int read_all(struct validator *v, const char *path, struct error *err)
{
	struct trace_reader reader;
	struct trace_event event;
	int got, rc = 0;

	if (trace_open(&reader, v->arena, path, err))
		return -1;
	while (rc == 0 && (got = trace_next(&reader, &event, err)) != 0)
		rc = got < 0 ? -1 : take_event(v, &reader, &event, err);
	if (rc == 0 && reader.reading.events[TRACE_SWITCH] == 0)
		rc = trace_no_scheduling(&reader, err);
	if (rc == 0 && reader.reading.events[TRACE_FREQUENCY] == 0)
		rc = error_set(err, ERROR_TRACE,
			"%s: no cpu_frequency event: there is nothing to compare with", path);
	v->out->reading = reader.reading;
	trace_close(&reader);
	return rc;
}

/* A first look, for what has to be known from the beginning. Which events show the evaluations of
 * intel_pstate: samples, where there are any, else frequencies. And how wide limits are before the
 * first limits event: as wide as those ever show them. A pipe cannot be read twice; there it is
 * frequencies, and the hardware's limits. */
static int read_ahead(struct validator *v, const char *path, struct error *err)
{
	struct model *model = v->model;
	struct freq_limits *widest;
	struct trace_reader reader;
	struct trace_event event;
	int got;

	if (strcmp(path, "-") == 0)
		return 0;
	widest = arena_array(v->arena, (size_t)model->nr_policies, sizeof(*widest));
	if (trace_open(&reader, v->arena, path, err))
		return -1;
	while ((got = trace_next(&reader, &event, err)) > 0) {
		v->shows_samples |= event.kind == TRACE_PSTATE && model->governor->at_events;
		if (event.kind != TRACE_LIMITS || event.target_cpu < 0 ||
			event.target_cpu >= model->loop.nr_cpus)
			continue;
		struct freq_limits *limits = &widest[model->policy_of_cpu[event.target_cpu]->index];

		if (limits->max_khz == 0 || event.min_khz < limits->min_khz)
			limits->min_khz = (uint32_t)event.min_khz;
		if (event.khz > limits->max_khz)
			limits->max_khz = (uint32_t)event.khz;
	}
	trace_close(&reader);
	for (int i = 0; i < model->nr_policies && got == 0; i++)
		if (widest[i].max_khz > 0)
			model_limits(&model->policies[i], widest[i]);
	return got;
}

static void judge_policy(struct validator *v, int index, size_t moments)
{
	const struct model_policy *policy = &v->model->policies[index];
	const struct series *recorded = &v->recorded[index];
	struct policy_verdict *verdict = &v->out->policies[v->out->nr_policies];
	struct comparison cmp = {
		.arena = v->arena,
		.recorded = recorded,
		.predicted = &v->predicted[index],
		.clocks_khz = policy->info.clocks_khz,
		.nr_clocks = policy->info.nr_clocks,
		.to_ns = v->model->loop.now_ns,
		.at_events = v->model->governor->at_events,
		.tolerance_ns = v->model->loop.tick_ns,
	};

	if (recorded->nr == 0 || v->predicted[index].nr == 0)
		return;
	cmp.from_ns = max_i64(recorded->points[0].t_ns, KERNEL_UPTIME_NS + v->warmup_ns);
	if (cmp.from_ns >= cmp.to_ns)
		return;
	v->out->nr_policies++;
	verdict->policy = policy;
	verdict->model = score_prediction(&cmp);
	verdict->constant = score_constant(&cmp);
	verdict->keep = score_keep(&cmp);
	verdict->recorded = score_recorded(&cmp);
	verdict->nr_worst = score_worst(&cmp, verdict->worst, moments);
}

static int by_value(const void *a, const void *b)
{
	const int64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static int64_t median(int64_t *values, size_t nr)
{
	qsort(values, nr, sizeof(*values), by_value);
	return values[nr / 2];
}

static void judge_util(struct validator *v, int cpu)
{
	const struct util_pairs *utils = &v->utils[cpu];
	struct util_verdict *verdict = &v->out->utils[v->out->nr_utils];
	int64_t *values;

	if (utils->nr == 0)
		return;
	v->out->nr_utils++;
	values = arena_array(v->arena, utils->nr, sizeof(*values));
	verdict->cpu = cpu;
	verdict->calls = (int64_t)utils->nr;
	for (size_t i = 0; i < utils->nr; i++)
		values[i] = llabs((long long)utils->pairs[i].recorded - utils->pairs[i].model);
	verdict->median_error = median(values, utils->nr);
	for (size_t i = 0; i < utils->nr; i++)
		values[i] = utils->pairs[i].recorded;
	verdict->constant = median(values, utils->nr);
	for (size_t i = 0; i < utils->nr; i++)
		values[i] = llabs((long long)utils->pairs[i].recorded - verdict->constant);
	verdict->constant_error = median(values, utils->nr);
}

int validate(struct validation *out, struct arena *arena, const struct scenario *scenario,
	const struct validate_options *options, struct error *err)
{
	struct validator v = { .out = out, .arena = arena, .model = &out->model };
	size_t nr_cpus = (size_t)scenario->machine.nr_cpus;

	*out = (struct validation){ .nr_policies = 0 };
	if (model_build(&out->model, arena, scenario, options->tracking, err))
		return -1;
	out->model.changed = predicted_changed;
	out->model.ctx = &v;
	inputs_init(&v.inputs, &out->model);
	v.recorded = arena_array(arena, (size_t)out->model.nr_policies, sizeof(*v.recorded));
	v.predicted = arena_array(arena, (size_t)out->model.nr_policies, sizeof(*v.predicted));
	v.utils = arena_array(arena, nr_cpus, sizeof(*v.utils));
	v.warmup_ns = options->warmup_ns == PARAM_AUTO ? out->model.governor->warmup_ns
						       : options->warmup_ns;
	if (read_ahead(&v, options->trace, err) || read_all(&v, options->trace, err))
		return -1;
	out->policies = arena_array(arena, (size_t)out->model.nr_policies, sizeof(*out->policies));
	out->utils = arena_array(arena, nr_cpus, sizeof(*out->utils));
	for (int i = 0; i < out->model.nr_policies; i++)
		judge_policy(&v, i, options->moments);
	for (int cpu = 0; cpu < out->model.loop.nr_cpus; cpu++)
		judge_util(&v, cpu);
	out->model.changed = NULL;
	out->checks = v.inputs.checks;
	out->warmup_ns = v.warmup_ns;
	out->span_ns = out->model.loop.now_ns - KERNEL_UPTIME_NS;
	if (out->nr_policies == 0)
		return error_set(err, ERROR_TRACE,
			"%s: no cpu_frequency event after %lld ms of warm-up", options->trace,
			(long long)(v.warmup_ns / NSEC_PER_MSEC));
	return 0;
}
