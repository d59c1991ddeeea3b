/* intel_pstate's load-based generation, its limits, and the HWP boost of active mode. */
#include "governors/pstate_hwp_active.h"
#include "governors/pstate_load.h"
#include "sim/kernel/version.h"
#include "tests/golden/golden.h"

/* A kernel, and where its sequences are configured. */
struct kind {
	unsigned version;
	const char *cfg_stem;
};

static const struct kind v510 = { KVER(5, 10, 13), "load_v510_seq" };
static const struct kind v511 = { KVER(5, 11, 0), "load_v511_seq" };
static const struct kind v61 = { KVER(6, 1, 192), "load_v61_seq" };

static const struct pstate_rules *rules_of(const struct golden *g)
{
	const struct kind *kind = golden_arg(g);

	return pstate_rules(kind->version);
}

#define CFG(X)               \
	X(seq)               \
	X(min_pstate)        \
	X(max_pstate)        \
	X(max_phys)          \
	X(turbo_pstate)      \
	X(aperf_mperf_shift) \
	X(no_turbo)          \
	X(turbo_disabled)    \
	X(min_perf_ratio)    \
	X(max_perf_ratio)    \
	X(tick_ns)           \
	X(init_pstate)
GOLDEN_ROW(cfg, CFG);

#define STEP(X)              \
	X(seq)               \
	X(step)              \
	X(time_ns)           \
	X(iowait_flag)       \
	X(remote)            \
	X(d_aperf)           \
	X(d_mperf)           \
	X(d_tsc)             \
	X(taken)             \
	X(iowait_boost_fp)   \
	X(core_avg_perf_ext) \
	X(busy_scaled_fp)    \
	X(avg_pstate)        \
	X(target_raw)        \
	X(next_pstate)       \
	X(n_msr_wr)          \
	X(perf_ctl)
GOLDEN_ROW(step, STEP);

/* A CPU of one sequence. */
struct run {
	struct pstate_load_params params;
	struct pstate_load_cpu cpu;
	struct perf_counters counters;
};

static void run_begin(struct run *run, const struct cfg *cfg, const struct pstate_rules *rules)
{
	*run = (struct run){
		.params = {
			.rules = rules,
			.levels = {
				.min = (int32_t)cfg->min_pstate,
				.max = (int32_t)cfg->max_pstate,
				.turbo = (int32_t)cfg->turbo_pstate,
				.max_physical = (int32_t)cfg->max_phys,
			},
			.turbo = { cfg->no_turbo != 0, cfg->turbo_disabled != 0 },
			.ratios = { (int32_t)cfg->min_perf_ratio, (int32_t)cfg->max_perf_ratio },
			.aperf_mperf_shift = (int32_t)cfg->aperf_mperf_shift,
			.tick_ns = cfg->tick_ns,
		},
		.cpu.pstate = (int32_t)cfg->init_pstate,
	};
}

static void check_step(struct golden *g, const struct step *r, struct run *run)
{
	struct pstate_load_outcome outcome = { .taken = SAMPLE_NONE };
	const struct pstate_load_cpu *cpu = &run->cpu;
	bool taken;

	run->counters.aperf += r->d_aperf;
	run->counters.mperf += r->d_mperf;
	run->counters.tsc += r->d_tsc;
	if (r->remote == 0)
		outcome = pstate_load_step(
			&run->params, &run->cpu, &run->counters, r->time_ns, r->iowait_flag != 0);
	taken = outcome.taken == SAMPLE_TAKEN;
	GOLDEN_EQ(g, r, taken, outcome.taken);
	GOLDEN_EQ(g, r, iowait_boost_fp, cpu->iowait_boost_fp);
	GOLDEN_EQ(g, r, core_avg_perf_ext, (int64_t)cpu->sample.perf);
	GOLDEN_EQ(g, r, busy_scaled_fp, (int64_t)cpu->busy_scaled_fp);
	GOLDEN_EQ(g, r, avg_pstate, (int64_t)(taken ? cpu->average : -1));
	GOLDEN_EQ(g, r, target_raw, (int64_t)(taken ? outcome.raw : -1));
	GOLDEN_EQ(g, r, next_pstate, (int64_t)cpu->pstate);
	GOLDEN_EQ(g, r, n_msr_wr, outcome.write.written);
	GOLDEN_EQ(g, r, perf_ctl, outcome.write.value);
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
			run_begin(&run, cfg, rules_of(g));
		}
		check_step(g, r, &run);
	}
}

#define BOOST(X)             \
	X(seq)               \
	X(step)              \
	X(time_ns)           \
	X(iowait_flag)       \
	X(remote)            \
	X(hwp_cap)           \
	X(hwp_req_cached)    \
	X(hwp_boost_min)     \
	X(last_update_ns)    \
	X(last_io_update_ns) \
	X(n_msr_wr)          \
	X(hwp_req_written)   \
	X(tick_ns)
GOLDEN_ROW(boost, BOOST);

static void check_boost(struct golden *g)
{
	struct hwp_boost boost = { 0 };
	const struct boost *r;
	uint64_t seq = 0;

	while ((r = golden_next(g)) != NULL) {
		struct pstate_write write;

		if (r->seq != seq || r->step == 0)
			boost = (struct hwp_boost){ 0 };
		seq = r->seq;
		write = hwp_boost_step(&boost, r->hwp_cap, r->hwp_req_cached, r->tick_ns,
			r->time_ns, r->iowait_flag != 0, r->remote != 0);
		GOLDEN_EQ(g, r, hwp_boost_min, (int64_t)boost.min);
		GOLDEN_EQ(g, r, last_update_ns, boost.last_update_ns);
		GOLDEN_EQ(g, r, last_io_update_ns, boost.last_io_ns);
		GOLDEN_EQ(g, r, n_msr_wr, write.written);
		GOLDEN_EQ(g, r, hwp_req_written, write.value);
	}
}

#define LIMITS(X)           \
	X(hwp_active)       \
	X(min_pstate)       \
	X(max_pstate)       \
	X(turbo_pstate)     \
	X(scaling)          \
	X(perf_ctl_scaling) \
	X(no_turbo)         \
	X(turbo_disabled)   \
	X(per_cpu_limits)   \
	X(min_perf_pct)     \
	X(max_perf_pct)     \
	X(pol_min)          \
	X(pol_max)          \
	X(min_perf_ratio)   \
	X(max_perf_ratio)
GOLDEN_ROW(limits, LIMITS);

static void check_limits(struct golden *g)
{
	const struct limits *r;

	while ((r = golden_next(g)) != NULL) {
		struct pstate_levels levels = {
			.min = (int32_t)r->min_pstate,
			.max = (int32_t)r->max_pstate,
			.turbo = (int32_t)r->turbo_pstate,
			.scaling_khz = (int32_t)r->scaling,
			.ctl_scaling_khz = (int32_t)r->perf_ctl_scaling,
		};
		struct pstate_turbo turbo = { r->no_turbo != 0, r->turbo_disabled != 0 };
		struct pstate_user_limits user = { (int32_t)r->min_perf_pct,
			(int32_t)r->max_perf_pct, r->per_cpu_limits != 0 };
		struct pstate_ratios ratios;

		pstate_levels_name(&levels);
		ratios = pstate_limits(rules_of(g), &levels, turbo, &user, (uint32_t)r->pol_min,
			(uint32_t)r->pol_max);
		GOLDEN_EQ(g, r, min_perf_ratio, (int64_t)ratios.min);
		GOLDEN_EQ(g, r, max_perf_ratio, (int64_t)ratios.max);
	}
}

static const struct golden_file files[] = {
	{ "load_v510_steps", step_columns, check_steps, &v510 },
	{ "load_v511_steps", step_columns, check_steps, &v511 },
	{ "load_v61_steps", step_columns, check_steps, &v61 },
	{ "load_v510_seq", cfg_columns, NULL, NULL },
	{ "load_v511_seq", cfg_columns, NULL, NULL },
	{ "load_v61_seq", cfg_columns, NULL, NULL },
	{ "hwp_boost_v510", boost_columns, check_boost, NULL },
	{ "hwp_boost_v511", boost_columns, check_boost, NULL },
	{ "hwp_boost_v61", boost_columns, check_boost, NULL },
	{ "perf_limits_v510", limits_columns, check_limits, &v510 },
	{ "perf_limits_v511", limits_columns, check_limits, &v511 },
	{ "perf_limits_v61", limits_columns, check_limits, &v61 },
	{ NULL, NULL, NULL, NULL },
};

const struct golden_area golden_area_intel_pstate_load = { "intel_pstate_load", files };
