/*
 * conservative in sequences of samples, changes of limits and writes to tunables.
 */
#include "governors/conservative_sample.h"
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
	X(down_threshold)       \
	X(freq_step)            \
	X(sampling_rate)        \
	X(sampling_down_factor) \
	X(ignore_nice)          \
	X(init_prev_load)
GOLDEN_ROW(seq, SEQ);
#define STEP(X)           \
	X(seq)            \
	X(step)           \
	X(op)             \
	X(arg1)           \
	X(arg2)           \
	X(d_wall_us)      \
	X(d_idle_us)      \
	X(d_iowait_us)    \
	X(d_nice_ns)      \
	X(rc)             \
	X(load)           \
	X(prev_load)      \
	X(n_req)          \
	X(req_freq)       \
	X(req_rel)        \
	X(n_drv)          \
	X(cur)            \
	X(requested_freq) \
	X(down_skip)      \
	X(delay_us)
GOLDEN_ROW(step, STEP);

/* The rate that smaller writes are raised to when the vectors were made. */
#define MIN_RATE 4000

struct file {
	unsigned version;
	const char *seq;
};

enum { OP_SAMPLE, OP_LIMITS, OP_DOWN_FACTOR, OP_FREQ_STEP, OP_RATE, OP_UP, OP_DOWN, OP_NICE };

/* One policy of one CPU, and what came of the last step. */
struct sim {
	struct conservative cs;
	struct dbs_policy policy;
	struct dbs_counters now;
	struct dbs_cpu cpu;
	struct dbs_defaults defaults;
	struct dbs_rows_table table;

	int64_t rc, load, delay;
	struct dbs_rows_asked asked;
};

static const enum conservative_tunable tunable_of_op[] = {
	[OP_DOWN_FACTOR] = CONSERVATIVE_SAMPLING_DOWN_FACTOR,
	[OP_FREQ_STEP] = CONSERVATIVE_FREQ_STEP,
	[OP_UP] = CONSERVATIVE_UP_THRESHOLD,
	[OP_DOWN] = CONSERVATIVE_DOWN_THRESHOLD,
	[OP_NICE] = CONSERVATIVE_IGNORE_NICE,
};

/* A request goes through the core; the driver succeeds at once. */
static void request(struct sim *sim, struct dbs_request wanted, bool counted)
{
	uint32_t khz;

	if (!dbs_rows_request(&sim->asked, &sim->policy, wanted, counted, &khz))
		return;
	conservative_changed(&sim->cs, &sim->policy, khz);
	sim->policy.cur_khz = khz;
}

static void sample(struct sim *sim)
{
	struct dbs_load load = dbs_load(&sim->cs.dbs, &sim->cpu, &sim->now, 1);

	sim->load = load.load;
	sim->delay = sim->cs.dbs.sampling_rate;
	request(sim, conservative_decide(&sim->cs, &sim->policy, load), true);
}

static void limits(struct sim *sim, uint64_t min, uint64_t max)
{
	sim->policy.limits = (struct freq_limits){ (uint32_t)min, (uint32_t)max };
	request(sim, dbs_limits(&sim->policy, sim->cs.rules->efficient), false);
	conservative_limits_changed(&sim->cs, &sim->policy);
}

static void write(struct sim *sim, uint64_t op, uint32_t value)
{
	bool restart = false;
	int rc;

	if (op == OP_RATE)
		rc = dbs_write_rate(&sim->defaults, value, &sim->cs.dbs.sampling_rate);
	else
		rc = conservative_write(&sim->cs, tunable_of_op[op], value, &restart);
	if (restart)
		dbs_restart(&sim->cs.dbs, &sim->cpu, &sim->now, 1, true);
	sim->rc = rc < 0 ? REJECTED : 0;
}

static bool begin(struct golden *g, struct sim *sim, const struct seq *seq)
{
	const struct file *file = golden_arg(g);
	const struct dbs_defaults_env env = {
		.governor = DBS_CONSERVATIVE,
		.version = file->version,
		.hz = (uint32_t)golden_hz(g),
		.micro_accounting = true,
	};

	if (!golden_hz(g)) {
		golden_fail(g, "no HZ in the file's name");
		return false;
	}
	if (!dbs_rows_table(g, &sim->table, seq->table_id, 0))
		return false;
	sim->cs = (struct conservative){
		.rules = conservative_rules(file->version),
		.dbs = {
			.rules = dbs_rules(file->version),
			.hz = env.hz,
			.sampling_rate = (uint32_t)seq->sampling_rate,
			.rate_mult = 1,
			.ignore_nice = seq->ignore_nice != 0,
		},
		.up_threshold = (uint32_t)seq->up_threshold,
		.down_threshold = (uint32_t)seq->down_threshold,
		.freq_step = (uint32_t)seq->freq_step,
		.sampling_down_factor = (uint32_t)seq->sampling_down_factor,
	};
	sim->policy = (struct dbs_policy){
		.table = sim->table.table.nr ? &sim->table.table : NULL,
		.limits = { (uint32_t)seq->pol_min, (uint32_t)seq->pol_max },
		.cpuinfo = { (uint32_t)seq->cpuinfo_min, (uint32_t)seq->cpuinfo_max },
		.cur_khz = (uint32_t)seq->init_cur,
		.version = file->version,
	};
	sim->defaults = dbs_defaults(sim->cs.dbs.rules, &env);
	if (sim->defaults.rate_clamped)
		sim->defaults.min_sampling_rate = MIN_RATE;
	sim->now = dbs_rows_boot(sim->cs.dbs.rules, env.hz);
	dbs_start(&sim->cs.dbs, &sim->cpu, &sim->now, 1);
	conservative_start(&sim->cs, sim->policy.cur_khz);
	return true;
}

static void check_steps(struct golden *g)
{
	const struct file *file = golden_arg(g);
	const struct golden_csv *seqs = golden_open(g, file->seq);
	const struct seq *seq = NULL;
	const struct step *r;
	struct sim sim = { .load = 0 };

	while ((r = golden_next(g)) != NULL) {
		if (!seq || seq->seq != r->seq) {
			seq = golden_find(g, seqs, r->seq, NULL);
			if (!seq || !begin(g, &sim, seq))
				return;
		}
		dbs_rows_add(&sim.cs.dbs, &sim.now, r->d_wall_us, r->d_idle_us, r->d_iowait_us,
			r->d_nice_ns);
		sim.rc = 0;
		sim.load = sim.delay = -1;
		sim.asked.n_req = sim.asked.n_drv = 0;
		sim.asked.last = (struct dbs_request){ .relation = (unsigned)-1 };
		if (r->op == OP_SAMPLE) {
			sample(&sim);
		} else if (r->op == OP_LIMITS) {
			limits(&sim, r->arg1, r->arg2);
		} else if (r->op <= OP_NICE) {
			write(&sim, r->op, (uint32_t)r->arg1);
		} else {
			golden_fail(g, "no such op: %d", (int)r->op);
			return;
		}
		GOLDEN_EQ(g, r, rc, sim.rc);
		GOLDEN_EQ(g, r, load, sim.load);
		GOLDEN_EQ(g, r, prev_load, sim.cpu.prev_load);
		GOLDEN_EQ(g, r, n_req, sim.asked.n_req);
		GOLDEN_EQ(g, r, req_freq, sim.asked.last.khz);
		GOLDEN_EQ(g, r, req_rel, (int64_t)(int)sim.asked.last.relation);
		GOLDEN_EQ(g, r, n_drv, sim.asked.n_drv);
		GOLDEN_EQ(g, r, cur, sim.policy.cur_khz);
		GOLDEN_EQ(g, r, requested_freq, sim.cs.requested_khz);
		GOLDEN_EQ(g, r, down_skip, sim.cs.down_skip);
		GOLDEN_EQ(g, r, delay_us, sim.delay);
	}
}

static const struct file v316 = { KVER(3, 16, 0), "v316_seq" };
static const struct file v48 = { KVER(4, 8, 0), "v48_seq" };
static const struct file v511 = { KVER(5, 11, 0), "v511_seq" };
static const struct file v61 = { KVER(6, 1, 192), "v61_seq" };

static const struct golden_file files[] = {
	{ "v316_steps", step_columns, check_steps, &v316 },
	{ "v48_steps", step_columns, check_steps, &v48 },
	{ "v511_steps", step_columns, check_steps, &v511 },
	{ "v61_steps", step_columns, check_steps, &v61 },
	{ "v316_seq", seq_columns, NULL, NULL },
	{ "v48_seq", seq_columns, NULL, NULL },
	{ "v511_seq", seq_columns, NULL, NULL },
	{ "v61_seq", seq_columns, NULL, NULL },
	{ "tables", dbs_table_columns, dbs_rows_check_tables, NULL },
	{ NULL, NULL, NULL, NULL },
};
const struct golden_area golden_area_conservative = { "conservative", files };
