/*
 * iozone: sequential write and rewrite of a file that fits the page cache, as iozone -i 0. A phase
 * is `records` writes without any sleep: what comes before it decides at which frequency it starts.
 * Before each phase the file system commits: short bits of work with gaps between, in iowait. The
 * clock covers the phases only. Ends after the rewrite.
 *
 * Cycles per record of 32 KiB are those of a 3.8 GHz i7-2600K (intel_pstate hold-off mails,
 * linux-pm, 2016): the speed in performance mode. The length of the gaps is fitted.
 */
#include "workloads/steps.h"

struct iozone_params {
	int64_t file_kib, record_kib, write_cycles, rewrite_cycles, memory_share_ppm;
	int64_t bits, bit_ns, write_gap_ns, rewrite_gap_ns, cpu;
};

#define ROW(field, name, unit, min, max, def, help) \
	PARAM_INT(struct iozone_params, field, name, unit, min, max, def, help)

static const struct param params[] = {
	ROW(file_kib, "size", UNIT_NONE, 1, 1000000000, 401408, "-s: KiB of the file"),
	ROW(record_kib, "record", UNIT_NONE, 1, 1000000, 32, "-r: KiB of a record"),
	ROW(write_cycles, "write", UNIT_NONE, 1, 1000000000, 42700, "cycles per record, write"),
	ROW(rewrite_cycles, "rewrite", UNIT_NONE, 1, 1000000000, 23800,
		"cycles per record, rewrite"),
	ROW(memory_share_ppm, "memory_share", UNIT_PPM, 0, PPM, 80000,
		"share of a phase that waits for memory and not for the clock"),
	ROW(bits, "bits", UNIT_NONE, 0, 1000000, 40, "pieces of work before each phase"),
	ROW(bit_ns, "bit", UNIT_NS, 1, 100 * NSEC_PER_SEC, 960000,
		"work of each, at the reference clock"),
	ROW(write_gap_ns, "write_gap", UNIT_NS, 1, 3600 * NSEC_PER_SEC, 100000000,
		"mean gap after each before the write, exponential"),
	ROW(rewrite_gap_ns, "rewrite_gap", UNIT_NS, 1, 3600 * NSEC_PER_SEC, 150000000,
		"the same before the rewrite"),
	ROW(cpu, "cpu", UNIT_NONE, 0, 4095, 0, "where it all happens"),
	PARAM_END,
};

enum phase { PHASE_WRITE, PHASE_REWRITE, NR_PHASES };

struct iozone_state {
	int64_t start_ns[NR_PHASES], end_ns[NR_PHASES];
	int64_t done;
};

struct iozone_task {
	int phase, stage;
	int64_t bits;
};

static int64_t nr_records(const struct iozone_params *p)
{
	return p->file_kib / p->record_kib;
}

static void next(struct workload_ctx *ctx, struct task *task, struct step *step)
{
	const struct iozone_params *p = ctx->params;
	struct iozone_state *s = ctx->state;
	struct iozone_task *t = task->priv;
	enum { BIT, GAP, START, RECORDS, END };

	if (t->stage == BIT && t->bits == p->bits)
		t->stage = START;
	switch (t->phase == NR_PHASES ? -1 : t->stage) {
	case BIT:
		step_reference_ns(ctx, step, p->bit_ns, PPM);
		t->bits++;
		t->stage = GAP;
		return;
	case GAP:
		step_io(step,
			rng_exponential_ns(&task->rng,
				t->phase == PHASE_WRITE ? p->write_gap_ns : p->rewrite_gap_ns));
		t->stage = BIT;
		return;
	case START:
		step_stamp(step, &s->start_ns[t->phase]);
		t->stage = RECORDS;
		return;
	case RECORDS:
		step_cycles(step,
			nr_records(p) *
				(t->phase == PHASE_WRITE ? p->write_cycles : p->rewrite_cycles),
			PPM);
		step->mem_ppm = (uint32_t)p->memory_share_ppm;
		t->stage = END;
		return;
	case END:
		step_stamp(step, &s->end_ns[t->phase++]);
		s->done += nr_records(p);
		t->bits = 0;
		t->stage = BIT;
		return;
	default:
		step_exit(step);
	}
}

static int build(struct workload_ctx *ctx, struct error *err)
{
	const struct iozone_params *p = ctx->params;

	if (nr_records(p) == 0 ||
		nr_records(p) > CYCLES_MAX / max_i64(p->write_cycles, p->rewrite_cycles))
		return error_set(err, ERROR_SCENARIO,
			"iozone: %lld records of %lld KiB; expected at least one, and no more than "
			"fit "
			"in one stretch of work",
			(long long)nr_records(p), (long long)p->record_kib);
	if (p->cpu >= ctx->nr_cpus)
		return error_set(err, ERROR_SCENARIO, "iozone: the machine has no CPU %lld",
			(long long)p->cpu);
	task_pool(ctx, 1);
	struct task *task = step_task(ctx, "iozone", 1);
	task->pinned = true;
	step_lead(ctx, task, (int)p->cpu);
	return 0;
}

static double kb_per_s(
	const struct iozone_params *p, const struct iozone_state *s, enum phase phase)
{
	int64_t ns = s->end_ns[phase] - s->start_ns[phase];

	return ns > 0 ? (double)(nr_records(p) * p->record_kib) * 1e9 / (double)ns : 0;
}

static int measure(const struct workload_ctx *ctx, int64_t elapsed_ns, struct measure *out)
{
	const struct iozone_params *p = ctx->params;
	const struct iozone_state *s = ctx->state;
	int64_t ns = 0;

	(void)elapsed_ns;
	for (int i = 0; i < NR_PHASES; i++)
		ns += max_i64(s->end_ns[i] - s->start_ns[i], 0);
	int nr = measure_rate(out, "records", "records per second", (double)s->done, ns);
	out[nr++] = (struct measure){ "write", "kB/s", kb_per_s(p, s, PHASE_WRITE) };
	out[nr++] = (struct measure){ "rewrite", "kB/s", kb_per_s(p, s, PHASE_REWRITE) };
	return nr;
}

const struct workload workload_iozone = {
	.name = "iozone",
	.summary = "write and rewrite of a file in the page cache, with pauses before",
	.params = params,
	.params_size = sizeof(struct iozone_params),
	.state_size = sizeof(struct iozone_state),
	.task_size = sizeof(struct iozone_task),
	.build = build,
	.next = next,
	.measure = measure,
};
