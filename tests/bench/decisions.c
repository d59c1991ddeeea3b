/*
 * The two models a busy run calls most: one update of a load signal, and one evaluation of
 * schedutil. Each is called through a pointer, as the run loop's hook is, with inputs drawn before
 * the clock starts; the baseline is a function that does nothing, called through the same pointer
 * with the same inputs.
 */
#include <stdio.h>
#include <stdlib.h>

#include "governors/schedutil_core.h"
#include "sim/governor.h"
#include "sim/kernel/pelt.h"
#include "sim/kernel/version.h"
#include "tests/bench/bench.h"

/* Short rounds, so that some of them are not interrupted. */
#define CALLS 200000
#define ROUNDS 50
#define INPUTS 2048
#define TABLE_MAX 16

/* Small, so that all of them stay in the nearest cache. */
struct input {
	uint32_t delta_ns, idle_calls;
	uint16_t util;
	bool running, iowait;
};

struct subject {
	uint64_t now_ns;
	struct pelt pelt;
	struct sugov_policy policy;
	struct sugov_cpu cpu;
	struct sugov_view view;
	struct freq_table table;
	struct freq_entry entries[TABLE_MAX];
	uint64_t issued;
	struct input inputs[INPUTS];
};

typedef void measured(struct subject *subject, const struct input *in);

static void empty(struct subject *subject, const struct input *in)
{
	(void)subject;
	(void)in;
}

static void update_pelt(struct subject *subject, const struct input *in)
{
	const struct pelt_input load = { 1, 1, in->running };

	subject->now_ns += in->delta_ns;
	if (pelt_update_sum(&subject->pelt, subject->now_ns, load))
		pelt_update_avg(&subject->pelt, CAPACITY_SCALE);
}

static void read_util(void *ctx, int cpu, struct util_input *in)
{
	const struct input *now = *(const struct input **)ctx;

	(void)cpu;
	*in = (struct util_input){
		.capacity = CAPACITY_SCALE,
		.cfs_util_avg = now->util,
		.cfs_util_est = now->util,
		.uclamp_max = CAPACITY_SCALE,
		.idle_calls = now->idle_calls,
	};
}

static void update_schedutil(struct subject *subject, const struct input *in)
{
	const struct sugov_source source = { read_util, &in };
	struct sugov_call call = { .flags = in->iowait ? HOOK_IOWAIT : 0 };
	struct sugov_action action;

	subject->now_ns += in->delta_ns;
	call.time_ns = subject->now_ns;
	action = sugov_update(&subject->policy, &subject->cpu, &subject->view, &source, &call);
	if (action.what == SUGOV_FAST_SWITCH) {
		subject->view.cur_khz = action.khz;
		subject->issued++;
	}
}

/* Every step takes @min_ns and up to @range_ns more. Utilisation walks as fast as a load average can
 * move in a millisecond. */
static void draw_inputs(struct subject *subject, uint32_t min_ns, uint32_t range_ns)
{
	uint64_t state = UINT64_C(88172645463325252);
	uint32_t idle_calls = 0, util = CAPACITY_SCALE / 2;

	for (int i = 0; i < INPUTS; i++) {
		struct input *in = &subject->inputs[i];

		in->delta_ns = min_ns + (uint32_t)(draw(&state) % range_ns);
		util = util + (uint32_t)(draw(&state) % 51) - 25;
		util = util < 25 ? 25 : util;
		util = util > CAPACITY_SCALE - 25 ? CAPACITY_SCALE - 25 : util;
		in->util = (uint16_t)util;
		in->running = draw(&state) % 4 > 0;
		in->iowait = draw(&state) % 16 == 0;
		idle_calls += draw(&state) % 3 == 0;
		in->idle_calls = idle_calls;
	}
}

static double ns_per_call(measured *volatile call, struct subject *subject)
{
	int64_t from_ns = wall_ns();

	for (int64_t i = 0; i < CALLS; i++)
		call(subject, &subject->inputs[i % INPUTS]);
	return (double)(wall_ns() - from_ns) / CALLS;
}

static double fastest(measured *call, struct subject *subject)
{
	double best = ns_per_call(call, subject);

	for (int i = 1; i < ROUNDS; i++) {
		double next = ns_per_call(call, subject);

		if (next < best)
			best = next;
	}
	return best;
}

static void report(const char *what, measured *call, struct subject *subject)
{
	double base = fastest(empty, subject);
	double ours = fastest(call, subject);

	printf("%-28s %12.1f %12.1f %8.1f\n", what, ours, base, ours / base);
}

/* One CPU whose driver switches from the hook, with a table of sixteen frequencies. */
static void set_up_schedutil(struct subject *subject, unsigned version)
{
	struct sugov_policy *policy = &subject->policy;

	subject->table = (struct freq_table){ .entries = subject->entries, .nr = TABLE_MAX };
	for (int i = 0; i < TABLE_MAX; i++)
		subject->entries[i].khz = 798000 + 133000 * (uint32_t)i;
	freq_table_sort(&subject->table);
	subject->view = (struct sugov_view){
		.table = &subject->table,
		.limits = { 798000, 2793000 },
		.cur_khz = 798000,
		.cpuinfo_max_khz = 2793000,
	};
	*policy = (struct sugov_policy){
		.rules = sugov_rules(version, 0),
		.version = version,
		.nr_cpus = 1,
		.tick_ns = 4 * NSEC_PER_MSEC,
		.delay_ns = 500 * NSEC_PER_USEC,
		.fast_switch = true,
		.invariant = true,
		.ref_khz = 2793000,
	};
	sugov_start(policy, &subject->cpu);
}

void bench_decisions(void)
{
	static struct subject subject;

	printf("%-28s %12s %12s %8s\n", "model", "ns", "empty ns", "ratio");
	/* At a tick of 250 Hz or so a period always ends, at wake-ups rarely. */
	draw_inputs(&subject, 2 * NSEC_PER_MSEC, 4 * NSEC_PER_MSEC);
	report("PELT update, ticks", update_pelt, &subject);
	draw_inputs(&subject, 20 * NSEC_PER_USEC, 400 * NSEC_PER_USEC);
	report("PELT update, wake-ups", update_pelt, &subject);
	draw_inputs(&subject, 700 * NSEC_PER_USEC, NSEC_PER_MSEC);
	set_up_schedutil(&subject, KVER(6, 1, 0));
	report("schedutil evaluation, 6.1", update_schedutil, &subject);
	set_up_schedutil(&subject, KVER(6, 12, 0));
	report("schedutil evaluation, 6.12", update_schedutil, &subject);
	if (subject.issued == 0) {
		fprintf(stderr, "bench: schedutil never asked for a frequency\n");
		exit(1);
	}
}
