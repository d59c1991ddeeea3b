/*
 * Decisions of a run of the simulator, recorded call by call as vectors and fed to golden-check:
 * what the run loop did is what the models say when they are asked the same again.
 */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "governors/pstate_pid.h"
#include "sim/base/units.h"
#include "tests/support/program.h"
#include "tests/support/tiny.h"

#define NR_CPUS 2

/* Tasks that sleep, burn and wait for I/O, so that every rule gets its turn. */
#define MACHINE                                                                                 \
	"machine: { name: pair, reference: 2900MHz, cpus: [{ cpus: 0-1 }], policies: per-cpu, " \
	"clock: { scope: cpu, vote: non-idle }, power: { ceff: 2000 }, frequency_table: ["      \
	"{ freq: 1600MHz, voltage: 1V }, { freq: 2200MHz, voltage: 1V }, { freq: 2900MHz, "     \
	"voltage: 1V }, { freq: 3400MHz, voltage: 1V }], "                                      \
	"idle: [{ name: C1, exit_latency: 1us, target_residency: 1us }] }\n"                    \
	"driver: \"null\"\nrun: { duration: 5s }\n"
#define WORKLOAD                                                                               \
	"workload: { name: periodic, tasks: 5, period: 43ms, run: 17ms, jitter: 0.43, loops: " \
	"1000 }\n"
#define TABLE_KHZ                                  \
	{                                          \
		1600000, 2200000, 2900000, 3400000 \
	}

static char top[64];

/* One sequence a policy; what a row needs of the row before it. */
struct sequence {
	FILE *rows;
	char *text;
	size_t size;
	int64_t step, cfg[2], wall, idle, iowait, nice, prev_load;
	int64_t aperf, mperf, tsc;
};

static struct sequence sequences[NR_CPUS];
static struct tiny tiny;

static int64_t value(const struct decision_record *record, const char *name)
{
	return decision_find(record, name, INT64_MIN);
}

/* Growth of a counter since it was last recorded; 0 when this record has none. */
static int64_t growth(const struct decision_record *record, const char *name, int64_t *last)
{
	int64_t now = value(record, name), grown;

	if (now == INT64_MIN)
		return 0;
	grown = now - *last;
	*last = now;
	return grown;
}

/* The value, or @otherwise when the record has none of that name. */
static int64_t value_or(const struct decision_record *record, const char *name, int64_t otherwise)
{
	int64_t v = value(record, name);

	return v == INT64_MIN ? otherwise : v;
}

static bool asked(const struct decision_record *record)
{
	return record->outcome != DECISION_ASKED_NOTHING;
}

static int64_t cur_after(const struct decision_record *record)
{
	return record->outcome == DECISION_APPLIED ? record->resolved_khz : record->from_khz;
}

/* Numbers in a row, separated by commas. */
#define ROW(seq, ...)                                \
	row((seq), (const int64_t[]){ __VA_ARGS__ }, \
		sizeof((const int64_t[]){ __VA_ARGS__ }) / sizeof(int64_t))

static void row(struct sequence *seq, const int64_t *values, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		fprintf(seq->rows, "%s%" PRId64, i ? "," : "", values[i]);
	fputc('\n', seq->rows);
	seq->step++;
}

static void record_ondemand(void *arg, const struct decision_record *r)
{
	int id = r->policy->index;
	struct sequence *seq = &sequences[id];
	bool limits = r->rule == DECISION_LIMITS;
	/* The rest of a state that a change of limits leaves alone. */
	static int64_t rate_mult[NR_CPUS] = { 1, 1 }, type[NR_CPUS], lo[NR_CPUS], lo_delay[NR_CPUS],
		       hi_delay[NR_CPUS];

	(void)arg;
	seq->prev_load = value_or(r, "prev_load", seq->prev_load);
	rate_mult[id] = value_or(r, "rate_mult", rate_mult[id]);
	type[id] = value_or(r, "sample_type", type[id]);
	lo[id] = value_or(r, "freq_lo", lo[id]);
	lo_delay[id] = value_or(r, "freq_lo_delay", lo_delay[id]);
	hi_delay[id] = value_or(r, "freq_hi_delay", hi_delay[id]);
	ROW(seq, id, seq->step, limits, limits ? r->policy->min_khz : 0,
		limits ? r->policy->max_khz : 0, growth(r, "wall", &seq->wall),
		growth(r, "idle_time", &seq->idle), growth(r, "iowait_time", &seq->iowait),
		growth(r, "nice_time", &seq->nice), 0, value_or(r, "load", -1), seq->prev_load,
		asked(r) && !limits, asked(r) && !limits ? r->requested_khz : 0,
		asked(r) && !limits ? (int64_t)r->relation : -1, r->outcome == DECISION_APPLIED,
		cur_after(r), limits ? 0 : value(r, "next_sample"), rate_mult[id], type[id], lo[id],
		lo_delay[id], hi_delay[id]);
}

static void record_schedutil(void *arg, const struct decision_record *r)
{
	struct sequence *seq = &sequences[r->policy->index];
	bool fast = asked(r) && r->outcome != DECISION_QUEUED;

	(void)arg;
	ROW(seq, r->policy->index, seq->step, 0, 0, value(r, "time"), value(r, "flags"), 0, 0,
		value(r, "cfs_util"), value(r, "cfs_runnable"), value(r, "util_est"),
		value(r, "rt_util"), value(r, "dl_util"), value(r, "irq_util"),
		value(r, "dl_running_bw"), value(r, "rt_queued"), value(r, "uclamp_min"),
		value(r, "uclamp_max"), value(r, "idle_calls"), fast, fast ? r->resolved_khz : 0,
		r->outcome == DECISION_QUEUED, 0, fast ? r->resolved_khz : r->from_khz,
		value(r, "next_freq"), value(r, "cached_raw_freq"), value(r, "last_freq_update"),
		value(r, "need_update"), value(r, "limits_changed"), value(r, "work_in_progress"),
		value(r, "iowait_boost"), value(r, "iowait_pending"), value(r, "last_update"),
		value(r, "util"), value(r, "bw_min"), 0, 0, 0, 0);
}

static void record_pstate_load(void *arg, const struct decision_record *r)
{
	struct sequence *seq = &sequences[r->cpu];
	bool taken = r->rule == DECISION_UTIL || r->rule == DECISION_IO_BOOST;

	(void)arg;
	seq->cfg[0] = value(r, "min_perf_ratio");
	seq->cfg[1] = value(r, "max_perf_ratio");
	ROW(seq, r->cpu, seq->step, value(r, "time"), value(r, "iowait"), 0,
		growth(r, "aperf", &seq->aperf), growth(r, "mperf", &seq->mperf),
		growth(r, "tsc", &seq->tsc), taken ? 2 : r->rule == DECISION_PRIMED,
		value(r, "iowait_boost_fp"), value(r, "perf"), value(r, "busy_scaled_fp"),
		taken ? value(r, "average") : -1, taken ? value(r, "raw") : -1,
		value(r, "next_pstate"), value(r, "written"), value(r, "perf_ctl"));
}

static void record_pstate_pid(void *arg, const struct decision_record *r)
{
	struct sequence *seq = &sequences[r->cpu];
	bool ran = r->rule == DECISION_PID || r->rule == DECISION_HOLDOFF ||
		r->rule == DECISION_IDLE;

	(void)arg;
	/* Calls in between change nothing and see no counters. */
	if (r->rule == DECISION_RATE_LIMIT)
		return;
	ROW(seq, r->cpu, seq->step, value(r, "time"), growth(r, "aperf", &seq->aperf),
		growth(r, "mperf", &seq->mperf), growth(r, "tsc", &seq->tsc),
		growth(r, "iowait_time", &seq->iowait), ran, value(r, "perf"),
		value(r, "busy_scaled_fp"), ran ? value(r, "raw") : -99999, value(r, "next_pstate"),
		value(r, "written"), value(r, "integral_fp"), value(r, "last_err_fp"));
}

static FILE *open_csv(const char *area, const char *name, const char *columns)
{
	char path[256];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", top, area);
	mkdir(path, 0700);
	snprintf(path, sizeof(path), "%s/%s/%s.csv", top, area, name);
	file = fopen(path, "w");
	cr_assert(file != NULL, "%s", path);
	fprintf(file, "#%s\n", columns);
	return file;
}

static void build(const char *yaml, const struct script *scripts, int nr)
{
	strcpy(top, "/tmp/test_in_the_loop_XXXXXX");
	cr_assert(ne(ptr, mkdtemp(top), NULL));
	cr_assert(eq(int, tiny_build(&tiny, yaml, scripts, nr), 0), "%s", tiny.err.text);
	for (int i = 0; i < NR_CPUS; i++)
		sequences[i].rows = open_memstream(&sequences[i].text, &sequences[i].size);
}

/* Tasks that wait for I/O now in quick succession, now alone. */
#define IO_STEPS 3000

static const struct script *io_tasks(void)
{
	static struct script_step steps[NR_CPUS][IO_STEPS + 1];
	static struct script scripts[NR_CPUS];

	for (int i = 0; i < NR_CPUS; i++) {
		for (int s = 0; s < IO_STEPS; s += 2) {
			int64_t phase = s / 100 % 5;

			steps[i][s] = (struct script_step)SCRIPT_RUN(
				2900000 * (137000 + 431000 * phase + s));
			steps[i][s + 1] = (struct script_step)SCRIPT_IO(
				211000 + 1733000 * ((phase + i) % 3) + s);
		}
		steps[i][IO_STEPS] = (struct script_step)SCRIPT_EXIT;
		scripts[i] = (struct script){ .steps = steps[i], .cpu = i, .background = true };
	}
	return scripts;
}

/* Runs, writes the steps and returns how many there are. */
static int64_t run(void (*sink)(void *arg, const struct decision_record *record), const char *area,
	const char *name, const char *columns)
{
	FILE *file;
	int64_t nr = 0;

	tiny.run.kernel.decisions.sink = sink;
	cr_assert(eq(int, run_execute(&tiny.run, &tiny.err), 0), "%s", tiny.err.text);
	file = open_csv(area, name, columns);
	for (int i = 0; i < NR_CPUS; i++) {
		fclose(sequences[i].rows);
		fputs(sequences[i].text, file);
		free(sequences[i].text);
		nr += sequences[i].step;
	}
	fclose(file);
	return nr;
}

/* golden-check agrees with every row, and looked at that many. */
static void check(int64_t steps)
{
	const char *build_dir = getenv("CPUFREQSIM_BUILD");
	char command[512], line[256], last[256] = "";
	long long rows, mismatches;
	FILE *out;

	snprintf(command, sizeof(command), "%s/golden-check --verbose %s", build_dir, top);
	out = popen(command, "r");
	while (fgets(line, sizeof(line), out)) {
		if (strstr(line, "expected"))
			fprintf(stderr, "%s", line);
		snprintf(last, sizeof(last), "%s", line);
	}
	cr_expect(eq(int, pclose(out), 0), "%s", last);
	cr_assert(eq(int, sscanf(last, "%lld rows, %lld mismatches", &rows, &mismatches), 2));
	cr_expect(eq(i64, mismatches, 0));
	cr_expect(gt(i64, rows, steps));
	tiny_free(&tiny);
	remove_tree(top);
}

static int64_t count(enum decision_rule rule)
{
	return tiny.run.kernel.decisions.by_rule[rule];
}

static void write_dbs_table(const char *area)
{
	static const int64_t khz[24] = TABLE_KHZ;
	FILE *file = open_csv(area, "tables", "table_id,n,order,f0..f23(kHz, 0=unused)");

	fputs("1,4,1", file);
	for (int i = 0; i < 24; i++)
		fprintf(file, ",%" PRId64, khz[i]);
	fputc('\n', file);
	fclose(file);
}

/* @version as the files of that area call it; the tunables as in @yaml. */
static void ondemand(const char *yaml, const char *version, int bias)
{
	char name[64];
	FILE *file;
	int64_t steps;

	build(yaml, NULL, 0);
	write_dbs_table("ondemand");
	snprintf(name, sizeof(name), "%s_hz250_seq", version);
	file = open_csv("ondemand", name,
		"seq,table_id,cpuinfo_min,cpuinfo_max,pol_min,pol_max,init_cur,up_threshold,"
		"sampling_rate,sampling_down_factor,powersave_bias,io_is_busy,ignore_nice,"
		"ineff_mask");
	for (int i = 0; i < NR_CPUS; i++)
		fprintf(file, "%d,1,1600000,3400000,1600000,3400000,1600000,70,12000,3,%d,0,0,0\n",
			i, bias);
	fclose(file);
	snprintf(name, sizeof(name), "%s_hz250_steps", version);
	steps = run(record_ondemand, "ondemand", name,
		"seq,step,op,arg1,arg2,d_wall_us,d_idle_us,d_iowait_us,d_nice_ns,rc,load,prev_load,"
		"n_req,req_freq,req_rel,n_drv,cur,delay_us,rate_mult,sample_type,freq_lo,"
		"freq_lo_delay_us,freq_hi_delay_us");
	cr_expect(eq(i64, steps, tiny.run.kernel.decisions.evaluations));
	cr_expect(gt(i64, steps, 200));
	cr_expect(gt(i64, count(DECISION_UP_THRESHOLD), 0));
	cr_expect(gt(i64, count(DECISION_MAP), 0));
	cr_expect(gt(i64, count(DECISION_REUSE), 0));
	cr_expect(gt(i64, count(DECISION_LIMITS), 0));
	cr_expect(eq(int, count(DECISION_BIAS_LOW) > 0, bias > 0));
	check(steps);
}

#define LIMITS                                                        \
	"events: [ { at: 2s, set: limits.scaling_max_freq=2.5GHz }, " \
	"{ at: 3s, set: limits.scaling_min_freq=2GHz }, "             \
	"{ at: 4s, set: limits.scaling_max_freq=4GHz } ]\n"
#define TUNABLES                                                           \
	"up_threshold: 70, sampling_rate: 12ms, sampling_down_factor: 3, " \
	"io_is_busy: 0"

Test(in_the_loop, ondemand_of_6_1)
{
	ondemand("kernel: { version: \"6.1\" }\ngovernor: { name: ondemand, " TUNABLES
		 " }\n" MACHINE WORKLOAD LIMITS,
		"v61", 0);
}

Test(in_the_loop, ondemand_of_6_1_with_a_bias)
{
	ondemand("kernel: { version: \"6.1\" }\ngovernor: { name: ondemand, powersave_bias: "
		 "137, " TUNABLES " }\n" MACHINE WORKLOAD LIMITS,
		"v61", 137);
}

Test(in_the_loop, ondemand_of_4_8)
{
	ondemand("kernel: { version: \"4.8\" }\ngovernor: { name: ondemand, " TUNABLES
		 " }\n" MACHINE WORKLOAD LIMITS,
		"v48", 0);
}

Test(in_the_loop, schedutil)
{
	static const int64_t khz[] = TABLE_KHZ;
	FILE *file;
	int64_t steps;

	build("kernel: { version: \"6.1\" }\ngovernor: schedutil\nworkload: scripted\n" MACHINE,
		io_tasks(), NR_CPUS);
	file = open_csv("schedutil", "tables", "table_id,sorted,idx,frequency,flags");
	for (int i = 0; i < 4; i++)
		fprintf(file, "1,1,%d,%" PRId64 ",0\n", i, khz[i]);
	fclose(file);
	file = open_csv("schedutil", "single_freq_seq_v6.1_cfg",
		"seq,n_cpus,cap0,cap1,cap2,cap3,tick_ns,rate_limit_us,table_id,fast_switch,"
		"has_adjust_perf,need_update_limits,freq_invariant,freq_ref,cpuinfo_min,"
		"cpuinfo_max,policy_min,policy_max,cur,uclamp_used");
	for (int i = 0; i < NR_CPUS; i++) {
		fprintf(file,
			"%d,1,1024,0,0,0,4000000,1000,1,1,0,0,1,0,1600000,3400000,1600000,"
			"3400000,1600000,0\n",
			i);
		/* The limits are set before the run begins. */
		ROW(&sequences[i], i, 0, 1, 0, 0, 0, 1600000, 3400000, 0, 0, 0, 0, 0, 0, 0, 0, 0,
			1024, 0, 0, 0, 0, 0, 1600000, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
	}
	fclose(file);
	steps = run(record_schedutil, "schedutil", "single_freq_seq_v6.1",
		"seq,step,op,cpu,time_ns,flags,a0,a1,cfs_util_avg,cfs_runnable_avg,cfs_util_est,"
		"rt_util,dl_util,irq_util,dl_running_bw,rt_runnable,uclamp_min,uclamp_max,"
		"idle_calls,o_n_fast,o_fast_freq,o_irq_work,o_n_target,o_cur,o_next_freq,"
		"o_cached_raw,o_last_freq_update,o_need_update,o_limits_changed,"
		"o_work_in_progress,o_iowait_boost,o_iowait_pending,o_last_update,o_util,o_bw,"
		"o_n_adjust,o_adj_min,o_adj_target,o_adj_cap");
	cr_expect(eq(i64, steps - NR_CPUS, tiny.run.kernel.decisions.evaluations));
	cr_expect(gt(i64, steps, 1000));
	cr_expect(gt(i64, count(DECISION_UTIL), 0));
	cr_expect(gt(i64, count(DECISION_HOLD), 0));
	cr_expect(gt(i64, count(DECISION_IO_BOOST), 0));
	cr_expect(gt(i64, count(DECISION_RATE_LIMIT), 0));
	check(steps);
}

Test(in_the_loop, intel_pstate_by_load)
{
	FILE *file;
	int64_t steps;

	build("kernel: { version: \"6.1\" }\ngovernor: intel_pstate\nworkload: scripted\n" MACHINE,
		io_tasks(), NR_CPUS);
	steps = run(record_pstate_load, "intel_pstate_load", "load_v61_hz250_steps",
		"seq,step,time_ns,iowait_flag,remote,d_aperf,d_mperf,d_tsc,taken,iowait_boost_fp,"
		"core_avg_perf_ext,busy_scaled_fp,avg_pstate,target_raw,next_pstate,n_msr_wr,"
		"perf_ctl");
	file = open_csv("intel_pstate_load", "load_v61_hz250_seq",
		"seq,min_pstate,max_pstate,max_phys,turbo_pstate,aperf_mperf_shift,no_turbo,"
		"turbo_disabled,min_perf_ratio,max_perf_ratio,tick_ns,init_pstate");
	for (int i = 0; i < NR_CPUS; i++)
		fprintf(file, "%d,16,29,29,34,0,0,0,%" PRId64 ",%" PRId64 ",4000000,16\n", i,
			sequences[i].cfg[0], sequences[i].cfg[1]);
	fclose(file);
	cr_expect(eq(i64, steps, tiny.run.kernel.decisions.evaluations));
	cr_expect(gt(i64, count(DECISION_UTIL), 300));
	cr_expect(gt(i64, count(DECISION_RATE_LIMIT), 300));
	cr_expect(gt(i64, count(DECISION_IO_BOOST), 0));
	check(steps);
}

Test(in_the_loop, intel_pstate_by_its_controller)
{
	const struct pstate_pid_limits limits = pstate_pid_limits(pstate_pid_rules(KVER(4, 8, 0)),
		&(struct pstate_levels){ .min = 16, .max = 29, .turbo = 34, .max_physical = 29 },
		false, 1600000, 3400000, 3400000, (struct pstate_ratios){ 0, 100 });
	FILE *file;
	int64_t steps;

	build("kernel: { version: \"4.8\" }\ngovernor: { name: intel_pstate, holdoff: 5 }\n" MACHINE
	      "workload: { name: periodic, tasks: 2, period: 73ms, run: 17ms, jitter: 0.43, "
	      "loops: 1000 }\n",
		NULL, 0);
	steps = run(record_pstate_pid, "intel_pstate_pid", "v48_steps",
		"seq,step,time_ns,d_aperf,d_mperf,d_tsc,d_iowait_us,taken,core_busy_fp,"
		"busy_scaled_fp,target_raw,next_pstate,n_msr_wr,integral_fp,last_err_fp");
	file = open_csv("intel_pstate_pid", "v48_seq",
		"seq,algo,min_pstate,max_pstate,max_phys,turbo_pstate,scaling,no_turbo,"
		"turbo_msr_disabled,max_perf_fp,min_perf_fp,sample_rate_ms,setpoint,p,i,d,deadband,"
		"holdoff_mult,init_pstate,init_sample_time_ns");
	for (int i = 0; i < NR_CPUS; i++)
		fprintf(file, "%d,0,16,29,29,34,100000,0,0,%d,%d,10,97,20,0,0,0,5,16,0\n", i,
			limits.max_perf_fp, limits.min_perf_fp);
	fclose(file);
	cr_expect(
		eq(i64, steps + count(DECISION_RATE_LIMIT), tiny.run.kernel.decisions.evaluations));
	cr_expect(gt(i64, count(DECISION_PID), 30));
	cr_expect(gt(i64, count(DECISION_HOLDOFF), 30));
	check(steps);
}
