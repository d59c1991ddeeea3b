/* util: new tasks, util_est, effective utilisation, deadline bandwidth. */
#include "sim/kernel/rq_pelt.h"
#include "sim/kernel/util.h"
#include "sim/kernel/version.h"
#include "tests/golden/golden.h"

static const unsigned v5_10 = KVER(5, 10, 255), v6_1 = KVER(6, 1, 192), v6_12 = KVER(6, 12, 117);

#define POST_INIT(X)          \
	X(cpu_scale)          \
	X(cfs_util_avg)       \
	X(cfs_load_avg)       \
	X(se_load_weight_raw) \
	X(util_avg)           \
	X(runnable_avg)
GOLDEN_ROW(post_init, POST_INIT);

static void check_post_init(struct golden *g)
{
	const unsigned *version = golden_arg(g);
	const struct post_init *r;

	while ((r = golden_next(g)) != NULL) {
		struct cfs_pelt cfs = {
			.sig = { .util_avg = r->cfs_util_avg, .load_avg = r->cfs_load_avg },
		};
		struct task_pelt task;

		task_pelt_init(&task, r->se_load_weight_raw);
		task_pelt_set_new_util(pelt_rules(*version), &cfs, r->cpu_scale, &task);
		GOLDEN_EQ(g, r, util_avg, task.sig.util_avg);
		GOLDEN_EQ(g, r, runnable_avg, task.sig.runnable_avg);
	}
}

#define EST_PAIR(X)          \
	X(enqueued_raw)      \
	X(ewma)              \
	X(task_util)         \
	X(cpu_capacity_orig) \
	X(task_sleep)        \
	X(o_enqueued_raw)    \
	X(o_ewma)            \
	X(o_task_util_est)
GOLDEN_ROW(est_pair, EST_PAIR);

static void check_est_pair(struct golden *g)
{
	const struct est_pair *r;

	while ((r = golden_next(g)) != NULL) {
		struct util_est est = { (uint32_t)r->enqueued_raw, (uint32_t)r->ewma };
		struct util_est_sample sample = {
			.util_avg = r->task_util,
			.capacity = r->cpu_capacity_orig,
		};

		if (r->task_sleep)
			util_est_update(&est, UTIL_EST_PAIR, &sample);
		GOLDEN_EQ(g, r, o_enqueued_raw, est.raw);
		GOLDEN_EQ(g, r, o_ewma, est.ewma);
		GOLDEN_EQ(g, r, o_task_util_est, util_est_task(&est, UTIL_EST_PAIR, r->task_util));
	}
}

#define EST_SINGLE(X)     \
	X(util_est_raw)   \
	X(task_util)      \
	X(task_runnable)  \
	X(cpu_capacity)   \
	X(task_sleep)     \
	X(o_util_est_raw) \
	X(o_task_util_est)
GOLDEN_ROW(est_single, EST_SINGLE);

static void check_est_single(struct golden *g)
{
	const struct est_single *r;

	while ((r = golden_next(g)) != NULL) {
		struct util_est est = { (uint32_t)r->util_est_raw, 0 };
		struct util_est_sample sample = {
			.util_avg = r->task_util,
			.runnable_avg = r->task_runnable,
			.capacity = r->cpu_capacity,
		};

		if (r->task_sleep)
			util_est_update(&est, UTIL_EST_SINGLE, &sample);
		GOLDEN_EQ(g, r, o_util_est_raw, est.raw);
		GOLDEN_EQ(
			g, r, o_task_util_est, util_est_task(&est, UTIL_EST_SINGLE, r->task_util));
	}
}

#define EFFECTIVE(X)      \
	X(capacity)       \
	X(cfs_util_avg)   \
	X(cfs_util_est)   \
	X(rt_util)        \
	X(dl_util)        \
	X(irq_util)       \
	X(dl_running_bw)  \
	X(rt_runnable)    \
	X(uclamp_used)    \
	X(uclamp_min)     \
	X(uclamp_max)     \
	X(cpu_util_cfs)   \
	X(bw_dl)          \
	X(util_frequency) \
	X(util_energy)    \
	X(clamped_util)   \
	X(is_capped)
GOLDEN_ROW(effective, EFFECTIVE);

static void check_effective(struct golden *g)
{
	const unsigned *version = golden_arg(g);
	const struct util_rules *rules = util_rules(*version);
	const struct effective *r;

	while ((r = golden_next(g)) != NULL) {
		struct util_input in = {
			.capacity = r->capacity,
			.cfs_util_avg = r->cfs_util_avg,
			.cfs_util_est = r->cfs_util_est,
			.rt_util = r->rt_util,
			.dl_util = r->dl_util,
			.irq_util = r->irq_util,
			.dl_running_bw = r->dl_running_bw,
			.rt_queued = r->rt_runnable != 0,
			.uclamp_used = r->uclamp_used != 0,
			.uclamp_min = r->uclamp_min,
			.uclamp_max = r->uclamp_max,
		};
		uint64_t cfs = util_cfs(rules, &in);

		GOLDEN_EQ(g, r, cpu_util_cfs, cfs);
		GOLDEN_EQ(g, r, bw_dl, util_bw_dl(&in));
		GOLDEN_EQ(g, r, util_frequency, util_effective(rules, &in, cfs).util);
		GOLDEN_EQ(g, r, util_energy, util_energy(&in, cfs));
		GOLDEN_EQ(g, r, clamped_util, util_clamped(&in, cfs));
		GOLDEN_EQ(g, r, is_capped, util_is_capped(rules, &in));
	}
}

#define EFFECTIVE_6_12(X)     \
	X(capacity)           \
	X(cfs_util_avg)       \
	X(cfs_runnable_avg)   \
	X(cfs_util_est)       \
	X(rt_util)            \
	X(dl_util)            \
	X(irq_util)           \
	X(dl_running_bw)      \
	X(rt_runnable)        \
	X(uclamp_used)        \
	X(uclamp_min)         \
	X(uclamp_max)         \
	X(cpu_util_cfs)       \
	X(cpu_util_cfs_boost) \
	X(bw_dl)              \
	X(eff_util)           \
	X(eff_min)            \
	X(eff_max)            \
	X(boost_in)           \
	X(sugov_perf)         \
	X(is_capped)
GOLDEN_ROW(effective_6_12, EFFECTIVE_6_12);

static void check_effective_6_12(struct golden *g)
{
	const unsigned *version = golden_arg(g);
	const struct util_rules *rules = util_rules(*version);
	const struct effective_6_12 *r;

	while ((r = golden_next(g)) != NULL) {
		struct util_input in = {
			.capacity = r->capacity,
			.cfs_util_avg = r->cfs_util_avg,
			.cfs_runnable_avg = r->cfs_runnable_avg,
			.cfs_util_est = r->cfs_util_est,
			.rt_util = r->rt_util,
			.dl_util = r->dl_util,
			.irq_util = r->irq_util,
			.dl_running_bw = r->dl_running_bw,
			.rt_queued = r->rt_runnable != 0,
			.uclamp_used = r->uclamp_used != 0,
			.uclamp_min = r->uclamp_min,
			.uclamp_max = r->uclamp_max,
		};
		struct util_effective eff = util_effective(rules, &in, util_cfs_boost(&in));

		GOLDEN_EQ(g, r, cpu_util_cfs, util_cfs(rules, &in));
		GOLDEN_EQ(g, r, cpu_util_cfs_boost, util_cfs_boost(&in));
		GOLDEN_EQ(g, r, bw_dl, util_bw_dl(&in));
		GOLDEN_EQ(g, r, eff_util, eff.util);
		GOLDEN_EQ(g, r, eff_min, eff.min);
		GOLDEN_EQ(g, r, eff_max, eff.max);
		GOLDEN_EQ(g, r, sugov_perf, util_to_perf(&eff, r->boost_in));
		GOLDEN_EQ(g, r, is_capped, util_is_capped(rules, &in));
	}
}

#define MAP_UTIL(X)              \
	X(util)                  \
	X(freq)                  \
	X(cap)                   \
	X(map_util_perf)         \
	X(map_util_freq_of_util) \
	X(map_util_freq_of_perf)
GOLDEN_ROW(map_util, MAP_UTIL);

static void check_map_util(struct golden *g)
{
	const struct map_util *r;

	while ((r = golden_next(g)) != NULL) {
		uint64_t perf = util_with_headroom(r->util);

		if (r->cap == 0) {
			golden_fail(g, "cap is 0");
			return;
		}
		GOLDEN_EQ(g, r, map_util_perf, perf);
		GOLDEN_EQ(g, r, map_util_freq_of_util, util_to_freq(r->util, r->freq, r->cap));
		GOLDEN_EQ(g, r, map_util_freq_of_perf, util_to_freq(perf, r->freq, r->cap));
	}
}

#define DL_BW(X)      \
	X(period_ns)  \
	X(runtime_ns) \
	X(to_ratio)   \
	X(running_bw) \
	X(cpu_bw_dl)
GOLDEN_ROW(dl_bw, DL_BW);

static void check_dl_bw(struct golden *g)
{
	const struct dl_bw *r;

	while ((r = golden_next(g)) != NULL) {
		struct util_input in = { .dl_running_bw = r->running_bw };

		GOLDEN_EQ(g, r, to_ratio, dl_bandwidth(r->period_ns, r->runtime_ns));
		GOLDEN_EQ(g, r, cpu_bw_dl, util_bw_dl(&in));
	}
}

static const struct golden_file files[] = {
	{ "post_init_util_v5.10", post_init_columns, check_post_init, &v5_10 },
	{ "post_init_util_v6.1", post_init_columns, check_post_init, &v6_1 },
	{ "post_init_util_v6.12", post_init_columns, check_post_init, &v6_12 },
	{ "util_est_update_v5.10", est_pair_columns, check_est_pair, NULL },
	{ "util_est_update_v6.1", est_pair_columns, check_est_pair, NULL },
	{ "util_est_update_v6.12", est_single_columns, check_est_single, NULL },
	{ "effective_util_v5.10", effective_columns, check_effective, &v5_10 },
	{ "effective_util_v6.1", effective_columns, check_effective, &v6_1 },
	{ "effective_util_v6.12", effective_6_12_columns, check_effective_6_12, &v6_12 },
	{ "map_util", map_util_columns, check_map_util, NULL },
	{ "dl_bw", dl_bw_columns, check_dl_bw, NULL },
	{ NULL, NULL, NULL, NULL },
};
const struct golden_area golden_area_util = { "util", files };
