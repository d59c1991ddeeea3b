#include "sim/timeline.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "sim/base/units.h"
#include "sim/hw/power.h"
#include "sim/run.h"

struct recorder {
	const struct timeline_request *request;
	FILE *out; /* NULL: the window is only measured */
	int64_t step_ns;
	int64_t end_ns; /* of the window, as far as it is known */
	int64_t decisions;
	const struct cpu *cpu;
	const struct policy *policy;
	int64_t clock_khz, cur_khz; /* last written */
	int64_t since_ns;           /* begin of the stretch that is being measured; -1: none yet */
	int64_t busy_ns;
	double energy_j;
	void (*settle)(void *arg); /* what the engine called before */
	void *settle_arg;
	struct arena *arena;
	const char *governor;
	struct run run;
};

static void write_time(FILE *out, const char *kind, int64_t t_ns)
{
	fprintf(out, "%s,%" PRId64 ".%09" PRId64 ",", kind, t_ns / NSEC_PER_SEC,
		t_ns % NSEC_PER_SEC);
}

static void write_value(FILE *out, const char *kind, int64_t t_ns, double value)
{
	write_time(out, kind, t_ns);
	fprintf(out, "%.6g,,,\n", value);
}

static double ghz(int64_t khz)
{
	return (double)khz / 1e6;
}

static int64_t busy_of(const struct recorder *r)
{
	int64_t sum = 0;

	for (int i = 0; i < r->policy->nr_cpus; i++) {
		const struct cpu *cpu = &r->run.machine.cpus[r->policy->first_cpu + i];

		for (int c = 0; c < cpu->domain->nr_clocks; c++)
			sum += cpu->busy_ns[c];
	}
	return sum;
}

/* Ends the stretch of load and power that is open, and begins the next. */
static void take_stretch(struct recorder *r, int64_t now_ns)
{
	machine_account(&r->run.machine);
	int64_t busy_ns = busy_of(r), length = now_ns - r->since_ns;
	double energy_j = power_energy_j(&r->run.machine);

	if (r->since_ns >= 0 && length > 0) {
		double cpu_ns = (double)length * r->policy->nr_cpus;

		write_value(
			r->out, "busy", r->since_ns, 100 * (double)(busy_ns - r->busy_ns) / cpu_ns);
		write_value(r->out, "power", r->since_ns,
			(energy_j - r->energy_j) / ((double)length / (double)NSEC_PER_SEC));
	}
	r->since_ns = now_ns;
	r->busy_ns = busy_ns;
	r->energy_j = energy_j;
}

/* Lines go on to the window's end. What is left of a step says little: a short rest is dropped. */
static void end_window(struct recorder *r)
{
	int64_t end_ns = r->run.engine.now_ns < r->end_ns ? r->run.engine.now_ns : r->end_ns;

	if (r->run.engine.now_ns - r->since_ns >= r->step_ns / 2)
		take_stretch(r, r->run.engine.now_ns);
	write_value(r->out, "clock", end_ns, ghz(r->clock_khz));
	write_value(r->out, "cur", end_ns, ghz(r->cur_khz));
}

/* After every event: clocks where they change, the rest once a step. */
static void look(void *arg)
{
	struct recorder *r = arg;
	int64_t now_ns = r->run.engine.now_ns;

	r->settle(r->settle_arg);
	if (now_ns > r->end_ns)
		r->run.engine.stop = true;
	if (!r->out || now_ns < r->request->from_ns || now_ns > r->end_ns)
		return;
	int64_t clock_khz = r->cpu->domain->clocks_khz[r->cpu->domain->clock];
	if (clock_khz != r->clock_khz)
		write_value(r->out, "clock", now_ns, ghz(clock_khz));
	if (r->policy->cur_khz != r->cur_khz)
		write_value(r->out, "cur", now_ns, ghz(r->policy->cur_khz));
	r->clock_khz = clock_khz;
	r->cur_khz = r->policy->cur_khz;
	if (r->since_ns < 0 || now_ns >= r->since_ns + r->step_ns)
		take_stretch(r, now_ns);
}

/* What the governor took for the load, in percent; -1 where its rules have none. */
static double load_of(const struct decision_record *record)
{
	int64_t load = decision_find(record, "load", -1);
	int64_t util = decision_find(record, "util", -1), of = decision_find(record, "capacity", 0);

	if (load >= 0)
		return (double)load;
	if (util >= 0 && of > 0)
		return 100 * (double)util / (double)of;
	return (double)decision_find(record, "scaled_busy", decision_find(record, "core_busy", -1));
}

static void write_decision(FILE *out, const struct decision_record *record)
{
	static const char *const outcomes[] = {
		[DECISION_ASKED_NOTHING] = "nothing asked for",
		[DECISION_QUEUED] = "handed to a kernel worker",
		[DECISION_EQUAL] = "no change",
		[DECISION_IGNORED] = "ignored by the driver",
		[DECISION_APPLIED] = "applied",
		[DECISION_FAILED] = "failed",
	};
	int64_t khz = record->resolved_khz ? record->resolved_khz
		: record->requested_khz    ? record->requested_khz
					   : record->from_khz;
	double load = load_of(record);

	write_time(out, "decision", record->t_ns);
	fprintf(out, "%.6g,", ghz(khz));
	if (load >= 0)
		fprintf(out, "%.4g", load);
	fprintf(out, ",%s,%s\n", outcomes[record->outcome], decision_rule_info(record->rule)->name);
}

static void take_decision(void *arg, const struct decision_record *record)
{
	struct recorder *r = arg;
	const struct timeline_request *request = r->request;

	if (record->policy != r->policy || (record->per_cpu && record->cpu != request->cpu) ||
		record->t_ns < request->from_ns || record->t_ns > r->end_ns)
		return;
	r->decisions++;
	if (request->to_ns == NEVER_NS && r->decisions == TIMELINE_DECISIONS)
		r->end_ns = record->t_ns;
	if (r->out)
		write_decision(r->out, record);
}

/* One run as far as the window goes; where it is stopped there, nothing has failed. */
static int record(struct recorder *r, const struct scenario *scenario, struct error *err)
{
	struct error ignored = { .code = ERROR_NONE };

	if (run_build(&r->run, scenario, 0, err) < 0)
		return -1;
	r->cpu = &r->run.machine.cpus[r->request->cpu];
	r->policy = NULL;
	for (int i = 0; i < r->run.kernel.nr_policies; i++) {
		const struct policy *policy = &r->run.kernel.policies[i];

		if (r->request->cpu >= policy->first_cpu &&
			r->request->cpu < policy->first_cpu + policy->nr_cpus)
			r->policy = policy;
	}
	r->settle = r->run.engine.settle;
	r->settle_arg = r->run.engine.settle_arg;
	r->run.engine.settle = look;
	r->run.engine.settle_arg = r;
	r->run.kernel.decisions.sink = take_decision;
	r->run.kernel.decisions.arg = r;
	if (run_execute(&r->run, &ignored) < 0 && !r->run.engine.stop)
		*err = ignored;
	if (r->out && r->since_ns >= 0)
		end_window(r);
	if (r->end_ns > r->run.engine.now_ns)
		r->end_ns = r->run.engine.now_ns;
	r->governor = arena_strdup(r->arena, r->run.governor_name);
	run_free(&r->run);
	return err->code == ERROR_NONE ? 0 : -1;
}

/* The window is known: now it is written down. */
static int write_window(struct recorder *r, struct arena *arena, const struct scenario *scenario,
	struct timeline *timeline, struct error *err)
{
	char *text = NULL;
	size_t size;

	r->out = open_memstream(&text, &size);
	if (!r->out)
		return error_set(err, ERROR_RUN, "out of memory for a timeline");
	r->step_ns = (r->end_ns - r->request->from_ns) / TIMELINE_STEPS + 1;
	r->since_ns = -1;
	r->decisions = 0;
	fputs("kind,t_s,value,load_pct,outcome,rule\n", r->out);
	int result = record(r, scenario, err);
	if (fclose(r->out) != 0 && result == 0)
		result = error_set(err, ERROR_RUN, "out of memory for a timeline");
	if (result == 0)
		*timeline = (struct timeline){ .data = arena_strdup(arena, text),
			.from_ns = r->request->from_ns,
			.to_ns = r->end_ns,
			.decisions = r->decisions,
			.governor = r->governor };
	free(text);
	return result;
}

int timeline_make(struct timeline *timeline, struct arena *arena, const struct scenario *scenario,
	const struct timeline_request *request, struct error *err)
{
	struct recorder *r = arena_alloc(arena, sizeof(*r));

	if (request->cpu >= scenario->machine.nr_cpus)
		return error_set(err, ERROR_USAGE,
			"timeline: there is no CPU %" PRId64 "; the machine has CPUs 0..%d",
			request->cpu, scenario->machine.nr_cpus - 1);
	*r = (struct recorder){ .arena = arena, .request = request, .end_ns = request->to_ns };
	/* How long it is has to be known before: a run through it decides. */
	if (request->to_ns == NEVER_NS && record(r, scenario, err) < 0)
		return -1;
	if (r->end_ns <= request->from_ns)
		return error_set(err, ERROR_USAGE,
			"timeline: the run has ended at %.6f s, before the window",
			(double)r->end_ns / (double)NSEC_PER_SEC);
	return write_window(r, arena, scenario, timeline, err);
}
