#include "sim/report/pstate_csv.h"

#include <string.h>

#include "sim/base/units.h"
#include "sim/kernel/perf_counters.h"
#include "sim/kernel/rq.h"

#define FRACTION 8 /* bits below one of the kernel's fixed point numbers */

struct pstate_last {
	uint64_t mperf, aperf, tsc;
	int64_t t_ns, nr;
};

void pstate_rows_start(struct pstate_rows *rows, struct arena *arena, const struct kernel *kernel)
{
	rows->kernel = kernel;
	rows->last = arena_array(arena, (size_t)kernel->machine->nr_cpus, sizeof(*rows->last));
}

static int64_t value_of(const struct decision_value *values, int nr, const char *name)
{
	for (int i = 0; i < nr; i++)
		if (strcmp(values[i].name, name) == 0)
			return values[i].value;
	return -1;
}

static int64_t in(const struct decision_record *record, const char *name)
{
	return value_of(record->in, record->nr_in, name);
}

static int64_t out(const struct decision_record *record, const char *name)
{
	return value_of(record->out, record->nr_out, name);
}

static uint64_t advance(uint64_t *last, int64_t now)
{
	uint64_t by = (uint64_t)now - *last;

	*last = (uint64_t)now;
	return by;
}

bool pstate_row_of(
	struct pstate_rows *rows, const struct decision_record *record, struct pstate_row *row)
{
	struct pstate_last *last = &rows->last[record->cpu];
	const struct task *curr = rows->kernel->rqs[record->cpu].curr;
	bool primed = record->rule == DECISION_PRIMED;

	if (in(record, "mperf") < 0 || out(record, "next_pstate") < 0)
		return false;
	/* The counters stood still: the sample before this stays. */
	if (record->rule == DECISION_NO_SAMPLE)
		return false;
	*row = (struct pstate_row){
		.t_ns = record->t_ns,
		.cpu = record->cpu,
		.from = in(record, "pstate"),
		.to = out(record, "next_pstate"),
		.scaled = out(record, "busy_scaled_fp") >> FRACTION,
		.mperf = advance(&last->mperf, in(record, "mperf")),
		.aperf = advance(&last->aperf, in(record, "aperf")),
		.tsc = advance(&last->tsc, in(record, "tsc")),
		.duration_ns = record->t_ns - last->t_ns,
		.comm = curr && curr->name ? curr->name : "<idle>",
	};
	last->t_ns = record->t_ns;
	/* The first sample has nothing to compare with; Linux shows none of it. */
	if (primed)
		return false;
	row->nr = ++last->nr;
	row->core_busy = (int64_t)(100 * row->aperf / row->mperf);
	row->freq_khz = (int64_t)((double)perf_counters_base_khz(rows->kernel) *
		(double)row->aperf / (double)row->mperf);
	int64_t boost_fp = out(record, "iowait_boost_fp");
	row->io_boost = boost_fp > 0 ? (100 * boost_fp) >> FRACTION : 0;
	return true;
}

void pstate_csv_start(FILE *file)
{
	fputs("common_cpu, common_secs, common_usecs, core_busy, scaled_busy, from, to, mperf, "
	      "aperf, tsc, freq, boost, load, duration_ms, sample_num, elapsed_time, tsc_ghz, "
	      "common_comm\n",
		file);
}

void pstate_csv_row(void *arg, const struct pstate_row *row)
{
	fprintf(arg,
		"CPU_%03d, %05lld, %06lld, %lld, %lld, %lld, %lld, %llu, %llu, %llu, %.4f, %lld, "
		"%.2f, %.3f, %lld, %.3f, %.3f, %.15s\n",
		row->cpu, (long long)(row->t_ns / NSEC_PER_SEC),
		(long long)(row->t_ns % NSEC_PER_SEC / NSEC_PER_USEC), (long long)row->core_busy,
		(long long)row->scaled, (long long)row->from, (long long)row->to,
		(unsigned long long)row->mperf, (unsigned long long)row->aperf,
		(unsigned long long)row->tsc, (double)row->freq_khz / 1e6, (long long)row->io_boost,
		100 * (double)row->mperf / (double)row->tsc, (double)row->duration_ns / 1e6,
		(long long)row->nr, (double)row->t_ns / 1e9,
		row->duration_ns ? (double)row->tsc / (double)row->duration_ns : 0, row->comm);
}
