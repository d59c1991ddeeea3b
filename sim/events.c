#include "sim/events.h"

#include <string.h>

#include "sim/kernel/hotplug.h"
#include "sim/kernel/rt.h"
#include "sim/run.h"

struct event {
	struct timer timer;
	struct run *run;
	const struct event_spec *spec;
	const void **tunables; /* of each policy after a write, NULL where it is not concerned */
};

/* scaling_min_freq and scaling_max_freq as the user asked, before the hardware limits them. */
struct asked {
	int64_t min_khz, max_khz;
};

struct events {
	struct event *list;
	struct asked *asked; /* of each policy */
};

static bool concerns(const struct event_spec *spec, int policy)
{
	return spec->kind != EVENT_ONLINE && (spec->policy == EVENT_ALL || spec->policy == policy);
}

static void write_tunable(struct policy *policy, const char *name, const void *tunables)
{
	policy->tunables = tunables;
	if (policy->governor->written && policy->nr_online > 0)
		policy->governor->written(policy, name, policy->kernel->engine->now_ns);
}

static void write_limit(struct run *run, const struct event_spec *spec, struct policy *policy)
{
	struct asked *asked = &run->events->asked[policy->index];

	if (spec->kind == EVENT_MIN_FREQ)
		asked->min_khz = spec->khz;
	else
		asked->max_khz = spec->khz;
	cpufreq_set_limits(policy, asked->min_khz, asked->max_khz);
}

/* The user's write returns when the CPU is gone, which may have to wait. */
static void set_online(struct event *event)
{
	struct kernel *kernel = &event->run->kernel;
	int64_t when_ns = hotplug_wait_ns(kernel, event->spec->cpu);

	if (when_ns)
		timer_arm(&event->timer, when_ns);
	else
		hotplug_set_online(kernel, event->spec->cpu, event->spec->online);
}

static void happen(struct timer *timer)
{
	struct event *event = container_of(timer, struct event, timer);
	const struct event_spec *spec = event->spec;
	struct run *run = event->run;
	struct kernel *kernel = &run->kernel;

	if (spec->kind == EVENT_ONLINE) {
		set_online(event);
		return;
	}
	if (spec->kind == EVENT_TURBO && !event->tunables) {
		cpufreq_set_turbo(kernel, spec->turbo);
		return;
	}
	for (int i = 0; i < kernel->nr_policies; i++) {
		struct policy *policy = &kernel->policies[i];

		if (!concerns(spec, i))
			continue;
		switch (spec->kind) {
		case EVENT_TUNABLE:
			write_tunable(policy, spec->row->name, event->tunables[i]);
			break;
		case EVENT_TURBO:
			write_tunable(policy, "no_turbo", event->tunables[i]);
			break;
		case EVENT_MIN_FREQ:
		case EVENT_MAX_FREQ:
			write_limit(run, spec, policy);
			break;
		case EVENT_GOVERNOR:
			cpufreq_change_governor(
				policy, spec->governor, spec->governor_name, event->tunables[i]);
			break;
		case EVENT_ONLINE:
			break;
		}
	}
}

/* Where building has got to: what runs each policy and with which tunables. */
struct builder {
	struct run *run;
	const struct governor **governors;
	const void **tunables;
	struct error *err;
};

static struct governor_env env_of(const struct run *run, int policy)
{
	const struct driver_info *info = &run->infos[policy];
	const struct kernel_spec *kernel = &run->scenario->kernel;

	return (struct governor_env){
		.version = (unsigned)kernel->version,
		.patches = kernel->patches,
		.hz = kernel->hz,
		.tick_latency_ns = kernel->tick_latency_ns,
		.transition_latency_ns = info->transition_latency_ns,
		.transition_delay_us = info->transition_delay_us,
		.has_table = info->has_table,
	};
}

/* A copy of tunables that @row's new text, when there is one, and tune() have gone over. */
static const void *make_tunables(struct builder *b, int policy, const struct governor *governor,
	const void *from, const struct param *row, const char *value, struct where at)
{
	const struct governor_env env = env_of(b->run, policy);
	void *out = arena_alloc(&b->run->arena, governor->tunables_size);
	struct error inner = { .code = ERROR_NONE };
	const char *key = NULL;

	if (governor->tunables_size)
		memcpy(out, from, governor->tunables_size);
	if (row && param_set(row, out, value, at, b->err) < 0)
		return NULL;
	if (governor->tune && governor->tune(&env, out, &key, &inner)) {
		error_at(b->err, inner.code, at, "%s", inner.text);
		return NULL;
	}
	return out;
}

/* Policies with the same tunables before a write have the same ones after it. */
static int build_tunables(struct builder *b, struct event *event, const struct governor *governor,
	const struct param *row, const char *value)
{
	struct run *run = b->run;
	const struct event_spec *spec = event->spec;
	const void *before = NULL, *after = NULL;

	event->tunables = arena_array(
		&run->arena, (size_t)run->kernel.nr_policies, sizeof(*event->tunables));
	for (int i = 0; i < run->kernel.nr_policies; i++) {
		const void *from = row ? b->tunables[i] : spec->tunables;

		if (!concerns(spec, i))
			continue;
		if (row && b->governors[i] != governor)
			return error_at(b->err, ERROR_SCENARIO, spec->where,
				"set: %s of %s: the policy runs %s", row->name, governor->name,
				b->governors[i]->name);
		if (!after || from != before)
			after = make_tunables(b, i, governor, from, row, value, spec->where);
		if (!after)
			return -1;
		before = from;
		event->tunables[i] = b->tunables[i] = after;
	}
	return 0;
}

static int build_change(struct builder *b, struct event *event)
{
	struct run *run = b->run;
	const struct event_spec *spec = event->spec;
	unsigned version = (unsigned)run->scenario->kernel.version;

	if (version < spec->governor->first_version)
		return error_at(b->err, ERROR_SCENARIO, spec->where,
			"governor %s appeared in Linux %u.%u, this kernel is %s",
			spec->governor->name, spec->governor->first_version >> 16,
			spec->governor->first_version >> 8 & 0xff,
			run->scenario->kernel.version_text);
	for (int i = 0; i < run->kernel.nr_policies; i++) {
		const char *why = cpufreq_refusal(spec->governor, &run->infos[i], version);

		if (!concerns(spec, i))
			continue;
		if (why)
			return error_at(b->err, ERROR_SCENARIO, spec->where,
				"Linux %s refuses governor %s: %s",
				run->scenario->kernel.version_text, spec->governor->name, why);
		if (spec->governor->flags & GOVERNOR_NEEDS_HWP && !run->infos[i].hwp_capability)
			return error_at(b->err, ERROR_SCENARIO, spec->where,
				"governor %s needs hardware that takes levels (HWP); driver %s has "
				"none",
				spec->governor->name, run->scenario->driver->name);
		b->governors[i] = spec->governor;
	}
	return build_tunables(b, event, spec->governor, NULL, NULL);
}

/* no_turbo of a governor that has it, else the driver's boost file. */
static int build_turbo(struct builder *b, struct event *event)
{
	const struct event_spec *spec = event->spec;
	const struct governor *governor = b->governors[0];
	const struct param *row = param_find(governor->params, "no_turbo");

	if (spec->policy != EVENT_ALL)
		return error_at(b->err, ERROR_SCENARIO, spec->where,
			"turbo: one switch for the whole machine, not for a policy");
	if (row)
		return build_tunables(b, event, governor, row, spec->turbo ? "0" : "1");
	if (!b->run->scenario->driver->set_turbo)
		return error_at(b->err, ERROR_SCENARIO, spec->where,
			"turbo: driver %s and governor %s have no switch for it",
			b->run->scenario->driver->name, governor->name);
	return 0;
}

static int build_event(struct builder *b, struct event *event)
{
	const struct event_spec *spec = event->spec;

	switch (spec->kind) {
	case EVENT_TUNABLE:
		return build_tunables(b, event, spec->governor, spec->row, spec->value);
	case EVENT_GOVERNOR:
		return build_change(b, event);
	case EVENT_TURBO:
		return build_turbo(b, event);
	case EVENT_MIN_FREQ:
	case EVENT_MAX_FREQ:
	case EVENT_ONLINE:
		break;
	}
	return 0;
}

/* Tunables of single policies from the start. */
static int build_policy_tunables(struct builder *b)
{
	struct run *run = b->run;
	const struct scenario *scenario = run->scenario;

	for (size_t i = 0; i < scenario->nr_policy_tunables; i++) {
		const struct policy_tunables *own = &scenario->policy_tunables[i];
		struct policy *policy = &run->kernel.policies[own->policy];

		if (policy->governor != scenario->governor)
			continue;
		policy->tunables = make_tunables(
			b, own->policy, policy->governor, own->tunables, NULL, NULL, own->where);
		if (!policy->tunables)
			return -1;
	}
	return 0;
}

/* Room for the state of whichever governor a policy will have. */
static void build_states(struct builder *b)
{
	const struct scenario *scenario = b->run->scenario;
	size_t policy_size = b->run->governor->policy_size;
	size_t cpu_size = b->run->governor->cpu_size;

	for (size_t i = 0; i < scenario->nr_events; i++) {
		const struct event_spec *spec = &scenario->events[i];

		if (spec->kind != EVENT_GOVERNOR)
			continue;
		if (spec->governor->policy_size > policy_size)
			policy_size = spec->governor->policy_size;
		if (spec->governor->cpu_size > cpu_size)
			cpu_size = spec->governor->cpu_size;
	}
	for (int i = 0; i < b->run->kernel.nr_policies; i++) {
		struct policy *policy = &b->run->kernel.policies[i];

		policy->governor_state = arena_alloc(&b->run->arena, policy_size);
		policy->cpu_state = arena_array(&b->run->arena, (size_t)policy->nr_cpus, cpu_size);
	}
}

int events_build(struct run *run, struct error *err)
{
	const struct scenario *scenario = run->scenario;
	size_t nr_policies = (size_t)run->kernel.nr_policies;
	struct builder b = { .run = run, .err = err };

	if (build_policy_tunables(&b) < 0)
		return -1;
	if (!scenario->nr_events)
		return 0;
	build_states(&b);
	run->events = arena_alloc(&run->arena, sizeof(*run->events));
	run->events->list = arena_array(
		&run->arena, scenario->nr_events, sizeof(*run->events->list));
	run->events->asked = arena_array(&run->arena, nr_policies, sizeof(*run->events->asked));
	b.governors = arena_array(&run->arena, nr_policies, sizeof(*b.governors));
	b.tunables = arena_array(&run->arena, nr_policies, sizeof(*b.tunables));
	for (size_t i = 0; i < nr_policies; i++) {
		b.governors[i] = run->kernel.policies[i].governor;
		b.tunables[i] = run->kernel.policies[i].tunables;
	}
	for (size_t i = 0; i < scenario->nr_events; i++) {
		struct event *event = &run->events->list[i];

		event->run = run;
		event->spec = &scenario->events[i];
		timer_init(&run->engine, &event->timer, ORDER_EVENT, happen);
		if (build_event(&b, event) < 0)
			return -1;
	}
	return 0;
}

int events_check(const struct run *run, struct error *err)
{
	struct cpumask online = run->kernel.online;

	for (size_t i = 0; i < run->scenario->nr_events; i++) {
		const struct event_spec *spec = &run->scenario->events[i];

		if (spec->kind != EVENT_ONLINE)
			continue;
		cpumask_assign(&online, spec->cpu, spec->online);
		if (!rt_admits(&run->kernel, &online))
			return error_at(err, ERROR_SCENARIO, spec->where,
				"cpu: without CPU %d the deadline tasks do not fit (EBUSY)",
				spec->cpu);
	}
	return 0;
}

void events_start(struct run *run)
{
	for (size_t i = 0; i < run->scenario->nr_events; i++)
		timer_arm(&run->events->list[i].timer, run->scenario->events[i].at_ns);
	if (!run->events)
		return;
	for (int i = 0; i < run->kernel.nr_policies; i++) {
		const struct policy *policy = &run->kernel.policies[i];
		const struct policy_limits_spec *limits = &run->scenario->limits;

		run->events->asked[i] = (struct asked){
			limits->min_khz == PARAM_AUTO ? policy->cpuinfo_min_khz : limits->min_khz,
			limits->max_khz == PARAM_AUTO ? policy->cpuinfo_max_khz : limits->max_khz,
		};
	}
}
