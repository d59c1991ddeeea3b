/*
 * ondemand in sequences of samples, changes of limits and writes to tunables.
 */
#include "governors/ondemand_sample.h"
#include "tests/golden/dbs_rows.h"

#define REJECTED -22

#define SEQ(X)                  \
	X(seq)                  \
	X(table_id)             \
	X(cpuinfo_min)          \
	X(cpuinfo_max)          \
	X(pol_min)              \
	X(pol_max)              \
	X(init_cur)             \
	X(up_threshold)         \
	X(sampling_rate)        \
	X(sampling_down_factor) \
	X(powersave_bias)       \
	X(io_is_busy)           \
	X(ignore_nice)
#define SEQ_48(X) SEQ(X) X(ineff_mask)
GOLDEN_ROW(seq_48, SEQ_48);
#define SEQ_316(X)               \
	SEQ(X) X(init_prev_load) \
	X(n_online)
GOLDEN_ROW(seq_316, SEQ_316);
#define SEQ_26(X)               \
	X(seq)                  \
	X(table_id)             \
	X(pol_min)              \
	X(pol_max)              \
	X(init_cur)             \
	X(up_threshold)         \
	X(down_differential)    \
	X(sampling_rate)        \
	X(sampling_down_factor) \
	X(powersave_bias)       \
	X(io_is_busy)           \
	X(ignore_nice)          \
	X(n_online)             \
	X(latency_ns)
GOLDEN_ROW(seq_26, SEQ_26);

#define STEP_48(X)          \
	X(seq)              \
	X(step)             \
	X(op)               \
	X(arg1)             \
	X(arg2)             \
	X(d_wall_us)        \
	X(d_idle_us)        \
	X(d_iowait_us)      \
	X(d_nice_ns)        \
	X(rc)               \
	X(load)             \
	X(prev_load)        \
	X(n_req)            \
	X(req_freq)         \
	X(req_rel)          \
	X(n_drv)            \
	X(cur)              \
	X(delay_us)         \
	X(rate_mult)        \
	X(sample_type)      \
	X(freq_lo)          \
	X(freq_lo_delay_us) \
	X(freq_hi_delay_us)
GOLDEN_ROW(step_48, STEP_48);
#define STEP_316(X)        \
	X(seq)             \
	X(step)            \
	X(op)              \
	X(arg1)            \
	X(arg2)            \
	X(jiffies)         \
	X(d_wall_us)       \
	X(d_idle_us)       \
	X(d_iowait_us)     \
	X(d_nice_ns)       \
	X(rc)              \
	X(load)            \
	X(prev_load)       \
	X(n_req)           \
	X(req_freq)        \
	X(req_rel)         \
	X(n_drv)           \
	X(cur)             \
	X(delay_jiffies)   \
	X(rate_mult)       \
	X(sample_type)     \
	X(freq_lo)         \
	X(freq_lo_jiffies) \
	X(freq_hi_jiffies)
GOLDEN_ROW(step_316, STEP_316);
#define STEP_26(X)         \
	X(seq)             \
	X(step)            \
	X(jiffies)         \
	X(d_wall_us)       \
	X(d_idle_us)       \
	X(d_iowait_us)     \
	X(d_nice_ns)       \
	X(freq_avg)        \
	X(n_req)           \
	X(req_freq)        \
	X(req_rel)         \
	X(n_drv)           \
	X(cur)             \
	X(delay_jiffies)   \
	X(rate_mult)       \
	X(sample_type)     \
	X(freq_lo)         \
	X(freq_lo_jiffies) \
	X(freq_hi_jiffies)
GOLDEN_ROW(step_26, STEP_26);

/* The rate that smaller writes are raised to when the vectors were made. */
#define MIN_RATE_48 4000
#define MIN_RATE_316 10000

struct file {
	unsigned version;
	const char *seq;
	bool old_map; /* the map of 3.16 put back */
};

enum { OP_SAMPLE, OP_LIMITS, OP_DOWN_FACTOR, OP_BIAS, OP_RATE, OP_UP, OP_IO, OP_NICE };

/* One policy of one CPU, and what came of the last step. */
struct sim {
	struct ondemand od;
	struct dbs_policy policy;
	struct dbs_counters now;
	struct dbs_cpu cpu;
	struct dbs_clock clock;
	struct dbs_defaults defaults;
	struct dbs_rows_table table;

	int64_t rc, load, delay;
	struct dbs_rows_asked asked;
};

static const enum ondemand_tunable tunable_of_op[] = {
	[OP_DOWN_FACTOR] = ONDEMAND_SAMPLING_DOWN_FACTOR,
	[OP_BIAS] = ONDEMAND_POWERSAVE_BIAS,
	[OP_UP] = ONDEMAND_UP_THRESHOLD,
	[OP_IO] = ONDEMAND_IO_IS_BUSY,
	[OP_NICE] = ONDEMAND_IGNORE_NICE,
};

/* A request goes through the core; the driver succeeds at once. */
static void request(struct sim *sim, struct dbs_request wanted, bool counted)
{
	uint32_t khz;

	if (!dbs_rows_request(&sim->asked, &sim->policy, wanted, counted, &khz))
		return;
	sim->policy.cur_khz = khz;
}

static struct dbs_load load(struct sim *sim)
{
	struct dbs_load out = dbs_load(&sim->od.dbs, &sim->cpu, &sim->now, 1);

	sim->load = out.load;
	return out;
}

static void sample(struct sim *sim, const struct ondemand_input *in)
{
	struct ondemand_decision decision;

	if (ondemand_begin(&sim->od, in, &decision))
		decision = ondemand_decide(&sim->od, in, load(sim));
	request(sim, decision.request, true);
	dbs_clock_done(&sim->clock, decision.delay);
	sim->delay = decision.delay;
}

/* 3.16 evaluates a load at once, later kernels at the next hook. */
static void limits(struct sim *sim, struct ondemand_input *in, uint64_t min, uint64_t max)
{
	bool at_once = sim->od.dbs.rules->timer;

	sim->policy.limits = (struct freq_limits){ (uint32_t)min, (uint32_t)max };
	request(sim, dbs_limits(&sim->policy, sim->od.rules->efficient), at_once);
	if (!at_once) {
		dbs_clock_now(&sim->clock);
		return;
	}
	in->policy = sim->policy;
	request(sim, ondemand_evaluate(&sim->od, in, load(sim)).request, true);
}

static void write(struct sim *sim, uint64_t op, uint32_t value)
{
	struct ondemand_write effect = { .restart = false };
	int rc;

	if (op == OP_RATE) {
		rc = dbs_write_rate(&sim->defaults, value, &sim->od.dbs.sampling_rate);
		if (rc == 0)
			dbs_clock_now(&sim->clock);
	} else {
		rc = ondemand_write(&sim->od, tunable_of_op[op], value, &effect);
	}
	if (effect.restart)
		dbs_restart(&sim->od.dbs, &sim->cpu, &sim->now, 1, effect.nice);
	sim->rc = rc < 0 ? REJECTED : 0;
}

static bool step(struct golden *g, struct sim *sim, struct ondemand_input *in, uint64_t op,
	uint64_t arg1, uint64_t arg2)
{
	sim->rc = 0;
	sim->load = sim->delay = -1;
	sim->asked.n_req = sim->asked.n_drv = 0;
	sim->asked.last = (struct dbs_request){ .relation = (unsigned)-1 };
	in->policy = sim->policy;
	in->delay_reset = sim->clock.sample_delay_ns <= 0;
	if (op == OP_SAMPLE) {
		sample(sim, in);
	} else if (op == OP_LIMITS) {
		limits(sim, in, arg1, arg2);
	} else if (op <= OP_NICE) {
		write(sim, op, (uint32_t)arg1);
	} else {
		golden_fail(g, "no such op: %d", (int)op);
		return false;
	}
	return true;
}

/* What every seq row says; min_rate where writes are raised to it. */
static bool begin(struct golden *g, struct sim *sim, uint64_t table_id, uint64_t inefficient,
	uint32_t min_rate)
{
	const struct file *file = golden_arg(g);
	struct dbs_defaults_env env = {
		.governor = DBS_ONDEMAND,
		.version = file->version,
		.hz = (uint32_t)golden_hz(g),
		.micro_accounting = true,
	};

	if (!golden_hz(g)) {
		golden_fail(g, "no HZ in the file's name");
		return false;
	}
	if (!dbs_rows_table(g, &sim->table, table_id, inefficient))
		return false;
	sim->od = (struct ondemand){ .rules = ondemand_rules(file->version) };
	sim->od.map = file->old_map ? ONDEMAND_MAP_OLD : sim->od.rules->map;
	sim->od.dbs.rules = dbs_rules(file->version);
	sim->od.dbs.hz = env.hz;
	sim->od.dbs.rate_mult = 1;
	sim->defaults = dbs_defaults(sim->od.dbs.rules, &env);
	if (min_rate)
		sim->defaults.min_sampling_rate = min_rate;
	sim->policy.table = sim->table.table.nr ? &sim->table.table : NULL;
	sim->policy.version = file->version;
	sim->now = dbs_rows_boot(sim->od.dbs.rules, env.hz);
	return true;
}

#define BEGIN(sim, seq)                                                                 \
	do {                                                                            \
		(sim)->policy.limits.min_khz = (uint32_t)(seq)->pol_min;                \
		(sim)->policy.limits.max_khz = (uint32_t)(seq)->pol_max;                \
		(sim)->policy.cur_khz = (uint32_t)(seq)->init_cur;                      \
		(sim)->od.up_threshold = (uint32_t)(seq)->up_threshold;                 \
		(sim)->od.sampling_down_factor = (uint32_t)(seq)->sampling_down_factor; \
		(sim)->od.powersave_bias = (uint32_t)(seq)->powersave_bias;             \
		(sim)->od.dbs.sampling_rate = (uint32_t)(seq)->sampling_rate;           \
		(sim)->od.dbs.io_is_busy = (seq)->io_is_busy != 0;                      \
		(sim)->od.dbs.ignore_nice = (seq)->ignore_nice != 0;                    \
		dbs_clock_start(&(sim)->clock, (sim)->od.dbs.sampling_rate);            \
		dbs_start(&(sim)->od.dbs, &(sim)->cpu, &(sim)->now, 1);                 \
	} while (0)

#define EQ_REQUEST(g, r, sim)                                                       \
	do {                                                                        \
		GOLDEN_EQ(g, r, n_req, (sim)->asked.n_req);                         \
		GOLDEN_EQ(g, r, req_freq, (sim)->asked.last.khz);                   \
		GOLDEN_EQ(g, r, req_rel, (int64_t)(int)(sim)->asked.last.relation); \
		GOLDEN_EQ(g, r, n_drv, (sim)->asked.n_drv);                         \
		GOLDEN_EQ(g, r, cur, (sim)->policy.cur_khz);                        \
		GOLDEN_EQ(g, r, rate_mult, (sim)->od.dbs.rate_mult);                \
		GOLDEN_EQ(g, r, sample_type, (sim)->od.sample_type);                \
		GOLDEN_EQ(g, r, freq_lo, (sim)->od.freq_lo);                        \
	} while (0)

#define EQ_LOAD(g, r, sim)                                        \
	do {                                                      \
		GOLDEN_EQ(g, r, rc, (sim)->rc);                   \
		GOLDEN_EQ(g, r, load, (sim)->load);               \
		GOLDEN_EQ(g, r, prev_load, (sim)->cpu.prev_load); \
	} while (0)

static void check_48(struct golden *g)
{
	const struct file *file = golden_arg(g);
	const struct golden_csv *seqs = golden_open(g, file->seq);
	const struct seq_48 *seq = NULL;
	const struct step_48 *r;
	struct sim sim = { .load = 0 };
	struct ondemand_input in = { .jiffies = 0 };

	while ((r = golden_next(g)) != NULL) {
		if (!seq || seq->seq != r->seq) {
			seq = golden_find(g, seqs, r->seq, NULL);
			if (!seq ||
				!begin(g, &sim, seq->table_id, seq->ineff_mask,
					file->version < KVER(4, 15, 0) ? MIN_RATE_48 : 0))
				return;
			sim.policy.cpuinfo.min_khz = (uint32_t)seq->cpuinfo_min;
			sim.policy.cpuinfo.max_khz = (uint32_t)seq->cpuinfo_max;
			BEGIN(&sim, seq);
		}
		dbs_rows_add(&sim.od.dbs, &sim.now, r->d_wall_us, r->d_idle_us, r->d_iowait_us,
			r->d_nice_ns);
		if (!step(g, &sim, &in, r->op, r->arg1, r->arg2))
			return;
		EQ_LOAD(g, r, &sim);
		EQ_REQUEST(g, r, &sim);
		GOLDEN_EQ(g, r, delay_us, sim.clock.sample_delay_ns / 1000);
		GOLDEN_EQ(g, r, freq_lo_delay_us, sim.od.freq_lo_delay);
		GOLDEN_EQ(g, r, freq_hi_delay_us, sim.od.freq_hi_delay);
	}
}

static void check_316(struct golden *g)
{
	const struct file *file = golden_arg(g);
	const struct golden_csv *seqs = golden_open(g, file->seq);
	const struct seq_316 *seq = NULL;
	const struct step_316 *r;
	struct sim sim = { .load = 0 };
	struct ondemand_input in = { .jiffies = 0 };

	while ((r = golden_next(g)) != NULL) {
		if (!seq || seq->seq != r->seq) {
			seq = golden_find(g, seqs, r->seq, NULL);
			if (!seq || !begin(g, &sim, seq->table_id, 0, MIN_RATE_316))
				return;
			sim.policy.cpuinfo.min_khz = (uint32_t)seq->cpuinfo_min;
			sim.policy.cpuinfo.max_khz = (uint32_t)seq->cpuinfo_max;
			BEGIN(&sim, seq);
			in.align = seq->n_online > 1;
		}
		dbs_rows_add(&sim.od.dbs, &sim.now, r->d_wall_us, r->d_idle_us, r->d_iowait_us,
			r->d_nice_ns);
		in.jiffies = r->jiffies;
		if (!step(g, &sim, &in, r->op, r->arg1, r->arg2))
			return;
		EQ_LOAD(g, r, &sim);
		EQ_REQUEST(g, r, &sim);
		GOLDEN_EQ(g, r, delay_jiffies, sim.delay);
		GOLDEN_EQ(g, r, freq_lo_jiffies, sim.od.freq_lo_delay);
		GOLDEN_EQ(g, r, freq_hi_jiffies, sim.od.freq_hi_delay);
	}
}

static void check_26(struct golden *g)
{
	const struct file *file = golden_arg(g);
	const struct golden_csv *seqs = golden_open(g, file->seq);
	const struct seq_26 *seq = NULL;
	const struct step_26 *r;
	struct sim sim = { .load = 0 };
	struct ondemand_input in = { .jiffies = 0 };

	while ((r = golden_next(g)) != NULL) {
		if (!seq || seq->seq != r->seq) {
			seq = golden_find(g, seqs, r->seq, NULL);
			if (!seq || !begin(g, &sim, seq->table_id, 0, 0))
				return;
			BEGIN(&sim, seq);
			sim.od.down_differential = (uint32_t)seq->down_differential;
			in.align = seq->n_online > 1;
		}
		dbs_rows_add(&sim.od.dbs, &sim.now, r->d_wall_us, r->d_idle_us, r->d_iowait_us,
			r->d_nice_ns);
		in.jiffies = r->jiffies;
		in.average_khz = (int32_t)r->freq_avg > 0 ? (uint32_t)r->freq_avg : 0;
		if (!step(g, &sim, &in, OP_SAMPLE, 0, 0))
			return;
		EQ_REQUEST(g, r, &sim);
		GOLDEN_EQ(g, r, delay_jiffies, sim.delay);
		GOLDEN_EQ(g, r, freq_lo_jiffies, sim.od.freq_lo_delay);
		GOLDEN_EQ(g, r, freq_hi_jiffies, sim.od.freq_hi_delay);
	}
}

static const struct file v2620 = { KVER(2, 6, 20), "v2620_seq", false };
static const struct file v2639 = { KVER(2, 6, 39), "v2639_seq", false };
static const struct file v316 = { KVER(3, 16, 0), "v316_seq", false };
static const struct file v48 = { KVER(4, 8, 0), "v48_seq", false };
static const struct file v48old = { KVER(4, 8, 0), "v48old_seq", true };
static const struct file v61 = { KVER(6, 1, 192), "v61_seq", false };

static const struct golden_file files[] = {
	{ "v2620_steps", step_26_columns, check_26, &v2620 },
	{ "v2639_steps", step_26_columns, check_26, &v2639 },
	{ "v316_steps", step_316_columns, check_316, &v316 },
	{ "v48_steps", step_48_columns, check_48, &v48 },
	{ "v48old_steps", step_48_columns, check_48, &v48old },
	{ "v61_steps", step_48_columns, check_48, &v61 },
	{ "v2620_seq", seq_26_columns, NULL, NULL },
	{ "v2639_seq", seq_26_columns, NULL, NULL },
	{ "v316_seq", seq_316_columns, NULL, NULL },
	{ "v48_seq", seq_48_columns, NULL, NULL },
	{ "v48old_seq", seq_48_columns, NULL, NULL },
	{ "v61_seq", seq_48_columns, NULL, NULL },
	{ "tables", dbs_table_columns, dbs_rows_check_tables, NULL },
	{ NULL, NULL, NULL, NULL },
};
const struct golden_area golden_area_ondemand = { "ondemand", files };
