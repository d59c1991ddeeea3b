/*
 * The load sampler of ondemand and conservative, its clock and defaults, and the static governors.
 */
#include <string.h>

#include "governors/dbs.h"
#include "governors/fixed.h"
#include "tests/golden/dbs_rows.h"

#define CPUS_MAX 64

#define LOAD_SEQ(X)         \
	X(seq)              \
	X(ncpu)             \
	X(sampling_rate_us) \
	X(rate_mult)        \
	X(io_is_busy)       \
	X(ignore_nice)
GOLDEN_ROW(load_seq, LOAD_SEQ);
#define LOAD_SEQ_316(X) LOAD_SEQ(X) X(init_prev_load)
GOLDEN_ROW(load_seq_316, LOAD_SEQ_316);
#define LOAD_STEP(X)     \
	X(seq)           \
	X(step)          \
	X(cpu)           \
	X(d_wall_us)     \
	X(d_idle_us)     \
	X(d_iowait_us)   \
	X(d_nice_ns)     \
	X(prev_load_out) \
	X(max_load_out)  \
	X(idle_periods_out)
GOLDEN_ROW(load_step, LOAD_STEP);
#define EVENT(X)            \
	X(seq)              \
	X(step)             \
	X(ev)               \
	X(cpu)              \
	X(time_ns)          \
	X(arg)              \
	X(queued)           \
	X(last_sample_time) \
	X(sample_delay_ns)  \
	X(work_in_progress) \
	X(work_count)       \
	X(ncpu)             \
	X(init_sampling_rate_us)
GOLDEN_ROW(event, EVENT);
#define RATE(X)                  \
	X(kernel)                \
	X(governor)              \
	X(hz)                    \
	X(transition_latency_ns) \
	X(transition_delay_us)   \
	X(micro_accounting)      \
	X(sampling_rate_us)      \
	X(min_sampling_rate_us)  \
	X(up_threshold)          \
	X(sampling_down_factor)
GOLDEN_ROW(rate, RATE);
#define STATIC_STEP(X) \
	X(seq)         \
	X(step)        \
	X(gov)         \
	X(table_id)    \
	X(op)          \
	X(arg1)        \
	X(arg2)        \
	X(pol_min)     \
	X(pol_max)     \
	X(cur_before)  \
	X(n_req)       \
	X(req_freq)    \
	X(req_rel)     \
	X(n_drv)       \
	X(cur)         \
	X(setspeed)
GOLDEN_ROW(static_step, STATIC_STEP);
#define IDLE_TIME(X)  \
	X(jiffies)    \
	X(user_ns)    \
	X(nice_ns)    \
	X(system_ns)  \
	X(softirq_ns) \
	X(irq_ns)     \
	X(steal_ns)   \
	X(io_busy)    \
	X(idle_us)    \
	X(wall_us)
GOLDEN_ROW(idle_time, IDLE_TIME);

struct load_file {
	unsigned version;
	const char *seq;
};

/* The rows of one step: one per CPU. */
static const struct load_step *next_rows(struct golden *g, size_t *nr)
{
	const struct load_step *first = golden_next(g), *more;

	for (*nr = 1; first; ++*nr) {
		more = golden_peek(g);
		if (!more || more->seq != first->seq || more->step != first->step)
			break;
		golden_next(g);
	}
	return first;
}

static void check_load(struct golden *g)
{
	const struct load_file *file = golden_arg(g);
	const struct golden_csv *seqs = golden_open(g, file->seq);
	struct dbs_setup setup = { .rules = dbs_rules(file->version) };
	struct dbs_counters now[CPUS_MAX];
	struct dbs_cpu cpus[CPUS_MAX];
	const struct load_step *r;
	const struct load_seq *seq = NULL;
	size_t nr;

	while ((r = next_rows(g, &nr)) != NULL) {
		struct dbs_load load;

		if (!seq || seq->seq != r->seq) {
			seq = golden_find(g, seqs, r->seq, NULL);
			if (!seq)
				return;
			if (seq->ncpu > CPUS_MAX || seq->ncpu != nr) {
				golden_fail(g, "a step has not one row per CPU");
				return;
			}
			/* Without HZ in the name nothing depends on it. */
			setup.hz = golden_hz(g) ? (uint32_t)golden_hz(g) : 250;
			setup.sampling_rate = (uint32_t)seq->sampling_rate_us;
			setup.rate_mult = (uint32_t)seq->rate_mult;
			setup.io_is_busy = seq->io_is_busy != 0;
			setup.ignore_nice = seq->ignore_nice != 0;
			for (size_t i = 0; i < nr; i++)
				now[i] = dbs_rows_boot(setup.rules, setup.hz);
			dbs_start(&setup, cpus, now, (int)nr);
		}
		for (size_t i = 0; i < nr; i++)
			dbs_rows_add(&setup, &now[i], r[i].d_wall_us, r[i].d_idle_us,
				r[i].d_iowait_us, r[i].d_nice_ns);
		load = dbs_load(&setup, cpus, now, (int)nr);
		for (size_t i = 0; i < nr; i++) {
			size_t back = nr - 1 - i;

			golden_eq_back(
				g, back, "prev_load_out", r[i].prev_load_out, cpus[i].prev_load);
			golden_eq_back(g, back, "max_load_out", r[i].max_load_out, load.load);
			golden_eq_back(g, back, "idle_periods_out", r[i].idle_periods_out,
				(uint64_t)dbs_rows_periods(load.idle_periods));
		}
	}
}

enum { EVENT_HOOK = 0, EVENT_WORK = 2, EVENT_LIMITS = 3 };

static void check_events(struct golden *g)
{
	struct dbs_clock clock = { .sample_delay_ns = 0 };
	const struct event *r;
	uint64_t seq = UINT64_MAX;

	while ((r = golden_next(g)) != NULL) {
		bool queued = false;

		if (r->seq != seq)
			dbs_clock_start(&clock, (uint32_t)r->init_sampling_rate_us);
		seq = r->seq;
		switch (r->ev) {
		case EVENT_HOOK:
			queued = dbs_clock_hook(&clock, r->time_ns, r->ncpu > 1, r->arg != 0);
			break;
		case EVENT_WORK:
			dbs_clock_done(&clock, (uint32_t)r->arg);
			break;
		case EVENT_LIMITS:
			dbs_clock_now(&clock);
			break;
		default:
			golden_fail(g, "no such event: %d", (int)r->ev);
			return;
		}
		GOLDEN_EQ(g, r, queued, queued);
		GOLDEN_EQ(g, r, last_sample_time, clock.last_sample_ns);
		GOLDEN_EQ(g, r, sample_delay_ns, clock.sample_delay_ns);
		GOLDEN_EQ(g, r, work_in_progress, clock.work_in_progress);
		GOLDEN_EQ(g, r, work_count, clock.work_count);
	}
}

static unsigned kernel_version(uint64_t kernel)
{
	switch (kernel) {
	case 601:
		return KVER(6, 1, 192);
	case 511:
		return KVER(5, 11, 0);
	case 510:
		return KVER(5, 10, 13);
	case 408:
		return KVER(4, 8, 0);
	case 406:
		return KVER(4, 6, 2);
	case 405:
		return KVER(4, 5, 0);
	case 316:
		return KVER(3, 16, 0);
	case 2639:
		return KVER(2, 6, 39);
	case 2620:
		return KVER(2, 6, 20);
	default:
		return 0;
	}
}

static void check_rates(struct golden *g)
{
	const struct rate *r;

	while ((r = golden_next(g)) != NULL) {
		struct dbs_defaults_env env = {
			.governor = r->governor ? DBS_CONSERVATIVE : DBS_ONDEMAND,
			.version = kernel_version(r->kernel),
			.hz = (uint32_t)r->hz,
			.transition_latency_ns = (uint32_t)r->transition_latency_ns,
			.transition_delay_us = (uint32_t)r->transition_delay_us,
			.micro_accounting = r->micro_accounting != 0,
		};
		struct dbs_defaults out;

		if (!env.version || !env.hz) {
			golden_fail(g, "no such kernel: %d", (int)r->kernel);
			return;
		}
		out = dbs_defaults(dbs_rules(env.version), &env);
		GOLDEN_EQ(g, r, sampling_rate_us, out.sampling_rate);
		/* Where a smaller rate is rejected the bound is no file in sysfs, except in 2.6.20. */
		if (out.rate_clamped || r->min_sampling_rate_us)
			GOLDEN_EQ(g, r, min_sampling_rate_us, out.min_sampling_rate);
		GOLDEN_EQ(g, r, up_threshold, out.up_threshold);
		GOLDEN_EQ(g, r, sampling_down_factor, out.sampling_down_factor);
	}
}

enum { GOV_PERFORMANCE, GOV_POWERSAVE, GOV_USERSPACE };
enum { STATIC_START, STATIC_LIMITS, STATIC_SETSPEED };

static void check_static(struct golden *g)
{
	struct dbs_rows_table loaded = { .valid = false };
	const struct static_step *r;
	uint32_t setspeed = 0;

	while ((r = golden_next(g)) != NULL) {
		struct freq_request core = {
			.limits = { (uint32_t)r->pol_min, (uint32_t)r->pol_max },
			.cur_khz = (uint32_t)r->cur_before,
			.version = KVER(6, 1, 192),
		};
		struct freq_outcome out;
		struct fixed_request request;

		if (!dbs_rows_table(g, &loaded, r->table_id, 0))
			return;
		core.table = loaded.table.nr ? &loaded.table : NULL;
		if (r->gov == GOV_PERFORMANCE) {
			request = fixed_performance(core.limits);
		} else if (r->gov == GOV_POWERSAVE) {
			request = fixed_powersave(core.limits);
		} else if (r->op == STATIC_SETSPEED) {
			setspeed = (uint32_t)r->arg1;
			request = fixed_userspace(setspeed);
		} else {
			if (r->op == STATIC_START)
				setspeed = core.cur_khz;
			request = fixed_userspace_limits(core.limits, setspeed);
		}
		out = freq_request(&core, request.khz, request.relation);
		GOLDEN_EQ(g, r, n_req, 1);
		GOLDEN_EQ(g, r, req_freq, request.khz);
		GOLDEN_EQ(g, r, req_rel, request.relation);
		GOLDEN_EQ(g, r, n_drv, out.driver_called);
		GOLDEN_EQ(g, r, cur, out.driver_called ? out.khz : core.cur_khz);
		GOLDEN_EQ(g, r, setspeed, r->gov == GOV_USERSPACE ? setspeed : 0);
	}
}

static void check_idle_time(struct golden *g)
{
	const struct idle_time *r;

	if (!golden_hz(g)) {
		golden_fail(g, "no HZ in the file's name");
		return;
	}
	while ((r = golden_next(g)) != NULL) {
		struct dbs_ticks ticks = {
			.jiffies = r->jiffies,
			.user_ns = r->user_ns,
			.nice_ns = r->nice_ns,
			.system_ns = r->system_ns,
			.softirq_ns = r->softirq_ns,
			.irq_ns = r->irq_ns,
			.steal_ns = r->steal_ns,
		};
		struct dbs_counters out;

		dbs_clocks_from_ticks(&ticks, (uint32_t)golden_hz(g), &out);
		GOLDEN_EQ(g, r, idle_us, out.idle);
		GOLDEN_EQ(g, r, wall_us, out.wall);
	}
}

static const struct load_file load_v316 = { KVER(3, 16, 0), "load_v316_seq" };
static const struct load_file load_v46 = { KVER(4, 6, 2), "load_v46_seq" };
static const struct load_file load_v48 = { KVER(4, 8, 0), "load_v48_seq" };
static const struct load_file load_v511 = { KVER(5, 11, 0), "load_v511_seq" };
static const struct load_file load_v61 = { KVER(6, 1, 192), "load_v61_seq" };

static const struct golden_file files[] = {
	{ "load_v316_steps", load_step_columns, check_load, &load_v316 },
	{ "load_v46_steps", load_step_columns, check_load, &load_v46 },
	{ "load_v48_steps", load_step_columns, check_load, &load_v48 },
	{ "load_v511_steps", load_step_columns, check_load, &load_v511 },
	{ "load_v61_steps", load_step_columns, check_load, &load_v61 },
	{ "load_v316_seq", load_seq_316_columns, NULL, NULL },
	{ "load_v46_seq", load_seq_columns, NULL, NULL },
	{ "load_v48_seq", load_seq_columns, NULL, NULL },
	{ "load_v511_seq", load_seq_columns, NULL, NULL },
	{ "load_v61_seq", load_seq_columns, NULL, NULL },
	{ "update_util_v61_events", event_columns, check_events, NULL },
	{ "sampling_rate_defaults", rate_columns, check_rates, NULL },
	{ "static_governors_v61", static_step_columns, check_static, NULL },
	{ "idle_time_jiffy_v61", idle_time_columns, check_idle_time, NULL },
	{ "tables", dbs_table_columns, dbs_rows_check_tables, NULL },
	{ NULL, NULL, NULL, NULL },
};
const struct golden_area golden_area_dbs = { "dbs", files };
