/* intel_pstate's PID generation: controller, whole steps, limits, the example of the hold-off. */
#include "governors/pstate_pid.h"
#include "sim/kernel/version.h"
#include "tests/golden/golden.h"

#define NOT_RUN (-99999)

/* A kernel, and where its sequences are configured. */
struct kind {
	unsigned version;
	const char *cfg_stem;
};

static const struct kind v45 = { KVER(4, 5, 0), "v45_seq" };
static const struct kind v46 = { KVER(4, 6, 2), "v46_seq" };
static const struct kind v48 = { KVER(4, 8, 0), "v48_seq" };

static const struct pstate_pid_rules *rules_of(const struct golden *g)
{
	const struct kind *kind = golden_arg(g);

	return pstate_pid_rules(kind->version);
}

#define CALC(X)        \
	X(seq)         \
	X(step)        \
	X(setpoint)    \
	X(p_gain_pct)  \
	X(i_gain_pct)  \
	X(d_gain_pct)  \
	X(deadband)    \
	X(busy_fp)     \
	X(ctl)         \
	X(integral_fp) \
	X(last_err_fp) \
	X(p_gain_fp)   \
	X(i_gain_fp)   \
	X(d_gain_fp)
GOLDEN_ROW(calc, CALC);

static void check_calc(struct golden *g)
{
	struct pstate_pid pid = { 0 };
	const struct calc *r;

	while ((r = golden_next(g)) != NULL) {
		if (r->step == 0)
			pstate_pid_reset(&pid,
				&(struct pstate_pid_params){
					.setpoint_pct = (int32_t)r->setpoint,
					.p_gain_pct = (int32_t)r->p_gain_pct,
					.i_gain_pct = (int32_t)r->i_gain_pct,
					.d_gain_pct = (int32_t)r->d_gain_pct,
					.deadband_pct = (int32_t)r->deadband,
				});
		GOLDEN_EQ(g, r, ctl, (int64_t)pstate_pid_calc(&pid, (int32_t)r->busy_fp));
		GOLDEN_EQ(g, r, integral_fp, (int64_t)pid.integral_fp);
		GOLDEN_EQ(g, r, last_err_fp, (int64_t)pid.last_err_fp);
		GOLDEN_EQ(g, r, p_gain_fp, (int64_t)pid.p_gain_fp);
		GOLDEN_EQ(g, r, i_gain_fp, (int64_t)pid.i_gain_fp);
		GOLDEN_EQ(g, r, d_gain_fp, (int64_t)pid.d_gain_fp);
	}
}

#define CFG(X)                \
	X(seq)                \
	X(algo)               \
	X(min_pstate)         \
	X(max_pstate)         \
	X(max_phys)           \
	X(turbo_pstate)       \
	X(scaling)            \
	X(no_turbo)           \
	X(turbo_msr_disabled) \
	X(max_perf_fp)        \
	X(min_perf_fp)        \
	X(sample_rate_ms)     \
	X(setpoint)           \
	X(p)                  \
	X(i)                  \
	X(d)                  \
	X(deadband)           \
	X(holdoff_mult)       \
	X(init_pstate)        \
	X(init_sample_time_ns)
GOLDEN_ROW(cfg, CFG);

#define STEP(X)           \
	X(seq)            \
	X(step)           \
	X(time_ns)        \
	X(d_aperf)        \
	X(d_mperf)        \
	X(d_tsc)          \
	X(d_iowait_us)    \
	X(taken)          \
	X(core_busy_fp)   \
	X(busy_scaled_fp) \
	X(target_raw)     \
	X(next_pstate)    \
	X(n_msr_wr)       \
	X(integral_fp)    \
	X(last_err_fp)
GOLDEN_ROW(step, STEP);

/* A CPU of one sequence. */
struct run {
	struct pstate_pid_params params;
	struct pstate_levels levels;
	struct pstate_ratios range;
	struct pstate_pid_cpu cpu;
	struct perf_counters counters;
	uint64_t iowait_us;
};

static void run_begin(struct run *run, const struct cfg *cfg)
{
	struct pstate_turbo turbo = { cfg->no_turbo != 0, cfg->turbo_msr_disabled != 0 };

	*run = (struct run){
		.params = {
			.algorithm = cfg->algo == 0 ? PSTATE_CORE : PSTATE_ATOM,
			.sample_rate_ms = (uint32_t)cfg->sample_rate_ms,
			.setpoint_pct = (int32_t)cfg->setpoint,
			.p_gain_pct = (int32_t)cfg->p,
			.i_gain_pct = (int32_t)cfg->i,
			.d_gain_pct = (int32_t)cfg->d,
			.deadband_pct = (int32_t)cfg->deadband,
			.holdoff_mult = (uint32_t)cfg->holdoff_mult,
		},
		.levels = {
			.min = (int32_t)cfg->min_pstate,
			.max = (int32_t)cfg->max_pstate,
			.turbo = (int32_t)cfg->turbo_pstate,
			.max_physical = (int32_t)cfg->max_phys,
			.scaling_khz = (int32_t)cfg->scaling,
		},
		.cpu = {
			.pstate = (int32_t)cfg->init_pstate,
			.sample.time_ns = cfg->init_sample_time_ns,
		},
	};
	run->range = pstate_pid_range(
		&run->levels, turbo, (int32_t)cfg->min_perf_fp, (int32_t)cfg->max_perf_fp);
	pstate_pid_reset(&run->cpu.pid, &run->params);
}

static void check_step(struct golden *g, const struct step *r, struct run *run)
{
	const struct pstate_pid_cpu *cpu = &run->cpu;
	struct pstate_pid_outcome outcome;

	run->counters.aperf += r->d_aperf;
	run->counters.mperf += r->d_mperf;
	run->counters.tsc += r->d_tsc;
	run->iowait_us += r->d_iowait_us;
	outcome = pstate_pid_step(rules_of(g), &run->params, &run->levels, run->range, &run->cpu,
		&run->counters, run->iowait_us, r->time_ns);
	GOLDEN_EQ(g, r, taken, outcome.taken == SAMPLE_TAKEN);
	GOLDEN_EQ(g, r, core_busy_fp, (int64_t)cpu->sample.perf);
	GOLDEN_EQ(g, r, busy_scaled_fp, (int64_t)cpu->busy_scaled_fp);
	GOLDEN_EQ(g, r, target_raw, (int64_t)(outcome.ran ? outcome.raw : NOT_RUN));
	GOLDEN_EQ(g, r, next_pstate, (int64_t)cpu->pstate);
	GOLDEN_EQ(g, r, n_msr_wr, outcome.written);
	GOLDEN_EQ(g, r, integral_fp, (int64_t)cpu->pid.integral_fp);
	GOLDEN_EQ(g, r, last_err_fp, (int64_t)cpu->pid.last_err_fp);
}

static void check_steps(struct golden *g)
{
	const struct kind *kind = golden_arg(g);
	const struct golden_csv *cfgs = golden_open(g, kind->cfg_stem);
	const struct cfg *cfg = NULL;
	struct run run = { 0 };
	const struct step *r;

	while ((r = golden_next(g)) != NULL) {
		if (cfg == NULL || cfg->seq != r->seq || r->step == 0) {
			cfg = golden_find(g, cfgs, r->seq, NULL);
			if (cfg == NULL)
				return;
			run_begin(&run, cfg);
		}
		check_step(g, r, &run);
	}
}

#define LIMITS(X)                  \
	X(policy)                  \
	X(pol_min)                 \
	X(pol_max)                 \
	X(cpuinfo_max)             \
	X(min_sysfs_pct)           \
	X(max_sysfs_pct)           \
	X(min_perf_pct)            \
	X(max_perf_pct)            \
	X(min_perf_fp)             \
	X(max_perf_fp)             \
	X(uses_performance_limits) \
	X(max_pstate)              \
	X(max_phys)                \
	X(turbo_pstate)            \
	X(no_turbo)                \
	X(turbo_disabled)          \
	X(min_pstate)              \
	X(out_min)                 \
	X(out_max)
GOLDEN_ROW(limits, LIMITS);

static void check_limits(struct golden *g)
{
	const struct limits *r;

	while ((r = golden_next(g)) != NULL) {
		struct pstate_levels levels = {
			.min = (int32_t)r->min_pstate,
			.max = (int32_t)r->max_pstate,
			.turbo = (int32_t)r->turbo_pstate,
			.max_physical = (int32_t)r->max_phys,
			.scaling_khz = 100000,
		};
		struct pstate_ratios sysfs = { (int32_t)r->min_sysfs_pct,
			(int32_t)r->max_sysfs_pct };
		struct pstate_turbo turbo = { r->no_turbo != 0, r->turbo_disabled != 0 };
		struct pstate_pid_limits limits;
		struct pstate_ratios range;

		limits = pstate_pid_limits(rules_of(g), &levels, r->policy == 2,
			(uint32_t)r->pol_min, (uint32_t)r->pol_max, (uint32_t)r->cpuinfo_max,
			sysfs);
		range = pstate_pid_range(&levels, turbo, limits.min_perf_fp, limits.max_perf_fp);
		GOLDEN_EQ(g, r, min_perf_pct, (int64_t)limits.min_perf_pct);
		GOLDEN_EQ(g, r, max_perf_pct, (int64_t)limits.max_perf_pct);
		GOLDEN_EQ(g, r, min_perf_fp, (int64_t)limits.min_perf_fp);
		GOLDEN_EQ(g, r, max_perf_fp, (int64_t)limits.max_perf_fp);
		GOLDEN_EQ(g, r, uses_performance_limits, limits.performance);
		GOLDEN_EQ(g, r, out_min, (int64_t)range.min);
		GOLDEN_EQ(g, r, out_max, (int64_t)range.max);
	}
}

#define EXAMPLE(X)         \
	X(holdoff_mult)    \
	X(sample_rate_ms)  \
	X(aperf)           \
	X(mperf)           \
	X(tsc)             \
	X(duration_ns)     \
	X(max_phys)        \
	X(min_pstate)      \
	X(turbo_pstate)    \
	X(cur_pstate)      \
	X(core_busy_pct)   \
	X(busy_scaled_int) \
	X(target_raw)      \
	X(next_pstate)
GOLDEN_ROW(example, EXAMPLE);

/* Core, default gains, no limits; the sample before ended at an arbitrary time. */
static void check_example(struct golden *g)
{
	const uint64_t before_ns = 1000000000;
	const struct pstate_pid_rules *rules = rules_of(g);
	const struct example *r;

	while ((r = golden_next(g)) != NULL) {
		struct pstate_pid_params params = {
			.algorithm = PSTATE_CORE,
			.sample_rate_ms = (uint32_t)r->sample_rate_ms,
			.setpoint_pct = 97,
			.p_gain_pct = 20,
			.holdoff_mult = (uint32_t)r->holdoff_mult,
		};
		struct pstate_levels levels = {
			.min = (int32_t)r->min_pstate,
			.max = (int32_t)r->max_phys,
			.turbo = (int32_t)r->turbo_pstate,
			.max_physical = (int32_t)r->max_phys,
			.scaling_khz = 100000,
		};
		struct pstate_ratios range = { levels.min, levels.turbo };
		struct pstate_pid_cpu cpu = { .pstate = (int32_t)r->cur_pstate,
			.sample.time_ns = before_ns };
		struct perf_counters counters = { r->aperf, r->mperf, r->tsc };
		struct pstate_pid_outcome outcome;

		pstate_pid_reset(&cpu.pid, &params);
		outcome = pstate_pid_step(rules, &params, &levels, range, &cpu, &counters, 0,
			before_ns + r->duration_ns);
		GOLDEN_EQ(g, r, core_busy_pct, (int64_t)pstate_pid_core_pct(rules, &cpu.sample));
		GOLDEN_EQ(g, r, busy_scaled_int, (int64_t)(cpu.busy_scaled_fp >> 8));
		GOLDEN_EQ(g, r, target_raw, (int64_t)outcome.raw);
		GOLDEN_EQ(g, r, next_pstate, (int64_t)cpu.pstate);
	}
}

static const struct golden_file files[] = {
	{ "v45_pid_calc", calc_columns, check_calc, &v45 },
	{ "v46_pid_calc", calc_columns, check_calc, &v46 },
	{ "v48_pid_calc", calc_columns, check_calc, &v48 },
	{ "v45_steps", step_columns, check_steps, &v45 },
	{ "v46_steps", step_columns, check_steps, &v46 },
	{ "v48_steps", step_columns, check_steps, &v48 },
	{ "v45_seq", cfg_columns, NULL, NULL },
	{ "v46_seq", cfg_columns, NULL, NULL },
	{ "v48_seq", cfg_columns, NULL, NULL },
	{ "v45_limits", limits_columns, check_limits, &v45 },
	{ "v46_limits", limits_columns, check_limits, &v46 },
	{ "v48_limits", limits_columns, check_limits, &v48 },
	{ "v45_worked_example", example_columns, check_example, &v45 },
	{ "v46_worked_example", example_columns, check_example, &v46 },
	{ "v48_worked_example", example_columns, check_example, &v48 },
	{ NULL, NULL, NULL, NULL },
};

const struct golden_area golden_area_intel_pstate_pid = { "intel_pstate_pid", files };
