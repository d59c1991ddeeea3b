#include "sim/base/units.h"
#include "sim/governor.h"
#include "sim/kernel/rq_pelt.h"
#include "sim/kernel/version.h"

#include <assert.h>
#include <stddef.h>

#define SHIFT 10

static const struct pelt_rules all_rules[] = {
	{ KVER(6, 12, 0), PELT_FORM_CLOCK, UTIL_EST_SINGLE, true, true, true, true },
	{ KVER(6, 8, 0), PELT_FORM_CLOCK, UTIL_EST_SINGLE, true, false, true, false },
	{ KVER(6, 1, 0), PELT_FORM_CLOCK, UTIL_EST_PAIR, true, false, true, false },
	{ KVER(5, 1, 0), PELT_FORM_CLOCK, UTIL_EST_PAIR, false, false, false, false },
	{ KVER(4, 17, 0), PELT_FORM_4_12, UTIL_EST_PAIR, false, false, false, false },
	{ KVER(4, 12, 0), PELT_FORM_4_12, UTIL_EST_NONE, false, false, false, false },
	{ 0, PELT_FORM_4_8, UTIL_EST_NONE, false, false, false, false },
};

const struct pelt_rules *pelt_rules(unsigned version)
{
	const struct pelt_rules *rules = all_rules;

	while (version < rules->first_version)
		rules++;
	return rules;
}

/* Follows scale_load_down(). */
static uint64_t scaled_down(uint64_t weight)
{
	uint64_t down = weight >> SHIFT;

	if (weight == 0)
		return 0;
	return down > 2 ? down : 2;
}

static uint64_t signal_clock_ns(const struct rq_pelt *rq)
{
	return rq->rules->form == PELT_FORM_CLOCK ? rq_clock_pelt_ns(&rq->clock)
						  : rq->clock.task_ns;
}

static void call_cpufreq(struct rq_pelt *rq, unsigned flags)
{
	if (rq->cpufreq != NULL)
		rq->cpufreq(rq->ctx, flags);
}

/* Brings a signal to @now_ns with averages. @weight is what multiplies the load average of a task;
 * up to 4.12 it is in the sums. */
static bool update_signal(const struct rq_pelt *rq, struct pelt *sig, uint64_t now_ns,
	struct pelt_input in, uint64_t weight)
{
	bool run_queue = sig == &rq->cfs.sig;
	struct pelt_scaled_input scaled = {
		.weight = run_queue ? in.load : in.load * weight,
		.running = in.running,
		.run_queue = run_queue,
		.freq_scale = rq->scale.freq,
		.cpu_scale = rq->scale.cpu,
	};

	switch (rq->rules->form) {
	case PELT_FORM_4_8:
		return pelt_update_4_8(sig, now_ns, scaled);
	case PELT_FORM_4_12:
		return pelt_update_4_12(sig, now_ns, scaled);
	case PELT_FORM_CLOCK:
		break;
	}
	if (!pelt_update_sum(sig, now_ns, in))
		return false;
	pelt_update_avg(sig, weight);
	return true;
}

/* The signal of a class that has no tasks of its own here: 1 while it runs. */
static bool update_class(const struct rq_pelt *rq, struct pelt *sig, uint64_t now_ns, bool running)
{
	struct pelt_input in = { running, running, running };

	return update_signal(rq, sig, now_ns, in, 1);
}

/* Interrupts ran for the last @ran_ns of the raw clock. Follows update_irq_load_avg(). */
static bool update_irq(struct rq_pelt *rq, uint64_t ran_ns)
{
	const struct pelt_input off = { 0, 0, false }, on = { 1, 1, true };
	bool changed;

	ran_ns = ran_ns * rq->scale.freq >> SHIFT;
	ran_ns = ran_ns * rq->scale.cpu >> SHIFT;
	changed = pelt_update_sum(&rq->irq, rq->clock.clock_ns - ran_ns, off);
	changed |= pelt_update_sum(&rq->irq, rq->clock.clock_ns, on);
	if (changed)
		pelt_update_avg(&rq->irq, 1);
	return changed;
}

void rq_pelt_clock(struct rq_pelt *rq, uint64_t delta_ns, uint64_t irq_time_ns)
{
	uint64_t irq_ns = rq_clock_advance(&rq->clock, delta_ns, irq_time_ns);

	if (irq_ns > 0)
		update_irq(rq, irq_ns);
	rq_clock_advance_pelt(&rq->clock, delta_ns - irq_ns, rq->running == RQ_IDLE, rq->scale);
}

static void subtract(uint64_t *value, uint64_t amount)
{
	*value -= *value < amount ? *value : amount;
}

static void subtract32(uint32_t *value, uint32_t amount)
{
	*value -= *value < amount ? *value : amount;
}

/* Truncation must not leave a sum that is too small for its average. */
static void raise_sums(struct pelt *sig)
{
	uint64_t load = sig->load_avg * PELT_MIN_DIVIDER;
	uint64_t runnable = sig->runnable_avg * PELT_MIN_DIVIDER;
	uint32_t util = (uint32_t)(sig->util_avg * PELT_MIN_DIVIDER);

	if (sig->load_sum < load)
		sig->load_sum = load;
	if (sig->runnable_sum < runnable)
		sig->runnable_sum = runnable;
	if (sig->util_sum < util)
		sig->util_sum = util;
}

/* Takes off what sleeping tasks took along to other CPUs. */
static bool apply_removed(struct cfs_pelt *cfs)
{
	uint32_t divider = pelt_divider(&cfs->sig);

	if (cfs->removed.nr == 0)
		return false;
	subtract(&cfs->sig.load_avg, cfs->removed.load_avg);
	subtract(&cfs->sig.load_sum, cfs->removed.load_avg * divider);
	subtract(&cfs->sig.util_avg, cfs->removed.util_avg);
	subtract32(&cfs->sig.util_sum, (uint32_t)(cfs->removed.util_avg * divider));
	subtract(&cfs->sig.runnable_avg, cfs->removed.runnable_avg);
	subtract(&cfs->sig.runnable_sum, cfs->removed.runnable_avg * divider);
	raise_sums(&cfs->sig);
	cfs->removed.nr = 0;
	cfs->removed.load_avg = 0;
	cfs->removed.util_avg = 0;
	cfs->removed.runnable_avg = 0;
	return true;
}

/* Follows update_cfs_rq_load_avg(). */
static bool update_cfs(struct rq_pelt *rq)
{
	struct cfs_pelt *cfs = &rq->cfs;
	struct pelt_input in = {
		.load = scaled_down(cfs->weight),
		.runnable = cfs->nr_queued - cfs->nr_delayed,
		.running = cfs->curr != NULL,
	};
	bool decayed = apply_removed(cfs);

	return update_signal(rq, &cfs->sig, signal_clock_ns(rq), in, 1) || decayed;
}

/* A task's load came or went, which is told whatever the clock says. */
static void call_attached(struct rq_pelt *rq)
{
	rq->attaching = true;
	call_cpufreq(rq, 0);
	rq->attaching = false;
}

/* Follows attach_entity_load_avg(). Up to 4.12 a task's sums are already in the queue's unit. */
static void attach(struct rq_pelt *rq, struct task_pelt *task)
{
	struct pelt *sig = &task->sig, *cfs = &rq->cfs.sig;
	uint64_t weight = scaled_down(task->weight);
	uint32_t divider = pelt_divider(cfs);

	sig->last_update_ns = cfs->last_update_ns;
	if (rq->rules->form == PELT_FORM_CLOCK) {
		sig->period_contrib = cfs->period_contrib;
		sig->util_sum = (uint32_t)(sig->util_avg * divider);
		sig->runnable_sum = sig->runnable_avg * divider;
		sig->load_sum = sig->load_avg * divider;
		sig->load_sum = weight < sig->load_sum ? sig->load_sum / weight : 1;
		cfs->load_sum += weight * sig->load_sum;
	} else {
		cfs->load_sum += sig->load_sum;
	}
	cfs->load_avg += sig->load_avg;
	cfs->util_avg += sig->util_avg;
	cfs->util_sum += sig->util_sum;
	cfs->runnable_avg += sig->runnable_avg;
	cfs->runnable_sum += sig->runnable_sum;
	call_attached(rq);
}

/* Follows detach_entity_load_avg(). */
static void detach(struct rq_pelt *rq, const struct task_pelt *task)
{
	const struct pelt *sig = &task->sig;
	struct pelt *cfs = &rq->cfs.sig;
	bool clock_form = rq->rules->form == PELT_FORM_CLOCK;

	subtract(&cfs->load_avg, sig->load_avg);
	subtract(&cfs->load_sum,
		clock_form ? scaled_down(task->weight) * sig->load_sum : sig->load_sum);
	subtract(&cfs->util_avg, sig->util_avg);
	subtract32(&cfs->util_sum, sig->util_sum);
	subtract(&cfs->runnable_avg, sig->runnable_avg);
	subtract(&cfs->runnable_sum, sig->runnable_sum);
	if (clock_form)
		raise_sums(cfs);
	call_attached(rq);
}

/* Brings a task to the clock of its queue, and takes away the mark that its estimate is fresh. */
static void age_task(struct rq_pelt *rq, struct task_pelt *task)
{
	struct pelt_input in = {
		.load = task->queued,
		.runnable = task->queued && !task->delayed,
		.running = rq->cfs.curr == task,
	};

	if (update_signal(rq, &task->sig, signal_clock_ns(rq), in, scaled_down(task->weight)))
		task->util_est.raw &= ~UTIL_EST_UNCHANGED;
}

/* Follows update_load_avg(). */
static void update(struct rq_pelt *rq, struct task_pelt *task, bool do_attach)
{
	bool decayed;

	if (task->sig.last_update_ns != 0)
		age_task(rq, task);
	decayed = update_cfs(rq);
	rq->decayed |= decayed;
	if (task->sig.last_update_ns == 0 && do_attach)
		attach(rq, task);
	else if (decayed)
		call_cpufreq(rq, 0);
}

void task_pelt_init(struct task_pelt *task, uint64_t weight)
{
	*task = (struct task_pelt){ .weight = weight };
	task->sig.load_avg = scaled_down(weight);
}

void task_pelt_set_new_util(const struct pelt_rules *rules, const struct cfs_pelt *cfs,
	uint64_t cpu_scale, struct task_pelt *task)
{
	uint64_t whole = rules->form == PELT_FORM_4_8 ? CAPACITY_SCALE : cpu_scale;
	int64_t spare = (int64_t)(whole - cfs->sig.util_avg) / 2;
	/* Earlier versions forgot to scale the weight down, so that the spare half always won. */
	uint64_t weight = rules->new_scaled_weight ? scaled_down(task->weight) : task->weight;
	struct pelt *sig = &task->sig;

	if (spare > 0) {
		uint64_t share = (uint64_t)spare;

		if (cfs->sig.util_avg != 0) {
			share = cfs->sig.util_avg * weight / (cfs->sig.load_avg + 1);
			if (share > (uint64_t)spare)
				share = (uint64_t)spare;
		}
		sig->util_avg = share;
	}
	if (rules->form == PELT_FORM_CLOCK) {
		sig->runnable_avg = sig->util_avg;
		return;
	}
	/* Up to 4.12 a new task starts with full sums. */
	sig->period_contrib = PELT_PERIOD - 1;
	sig->load_sum = sig->load_avg * PELT_MAX;
	sig->util_sum = (uint32_t)(sig->util_avg * PELT_MAX);
}

void rq_pelt_fork(struct rq_pelt *rq, struct task_pelt *task)
{
	task_pelt_set_new_util(rq->rules, &rq->cfs, rq->scale.cpu, task);
	if (!rq->rules->new_at_enqueue) {
		update(rq, task, false);
		attach(rq, task);
	}
	rq_pelt_wake(rq, task, false);
}

static void enqueue(struct rq_pelt *rq, struct task_pelt *task, bool iowait)
{
	rq->cfs.util_est += util_est_value(&task->util_est, rq->rules->util_est);
	if (iowait && rq->rules->form != PELT_FORM_4_8)
		call_cpufreq(rq, HOOK_IOWAIT);
	update(rq, task, true);
	rq->cfs.weight += task->weight;
	rq->cfs.nr_queued++;
	task->queued = true;
}

void rq_pelt_wake(struct rq_pelt *rq, struct task_pelt *task, bool iowait)
{
	assert(!task->queued);
	enqueue(rq, task, iowait);
}

static void update_util_est(struct rq_pelt *rq, struct task_pelt *task)
{
	struct util_est_sample sample = {
		.util_avg = task->sig.util_avg,
		.runnable_avg = task->sig.runnable_avg,
		.capacity = rq->scale.cpu,
	};

	util_est_update(&task->util_est, rq->rules->util_est, &sample);
}

static void subtract_util_est(struct rq_pelt *rq, const struct task_pelt *task)
{
	subtract(&rq->cfs.util_est, util_est_value(&task->util_est, rq->rules->util_est));
}

static void forget(struct rq_pelt *rq, struct task_pelt *task)
{
	task->queued = false;
	rq->cfs.weight -= task->weight;
	rq->cfs.nr_queued--;
}

static void dequeue(struct rq_pelt *rq, struct task_pelt *task, bool sleep)
{
	bool first = rq->rules->util_est_first;

	subtract_util_est(rq, task);
	if (sleep && first)
		update_util_est(rq, task);
	update(rq, task, false);
	forget(rq, task);
	if (sleep && !first)
		update_util_est(rq, task);
}

void rq_pelt_sleep(struct rq_pelt *rq, struct task_pelt *task)
{
	assert(task->queued);
	dequeue(rq, task, true);
}

void rq_pelt_delay(struct rq_pelt *rq, struct task_pelt *task)
{
	assert(task->queued && !task->delayed);
	subtract_util_est(rq, task);
	update_util_est(rq, task);
	update(rq, task, false);
	task->delayed = true;
	rq->cfs.nr_delayed++;
}

static void undelay(struct rq_pelt *rq, struct task_pelt *task)
{
	assert(task->delayed);
	task->delayed = false;
	rq->cfs.nr_delayed--;
}

void rq_pelt_delay_ends(struct rq_pelt *rq, struct task_pelt *task)
{
	update(rq, task, false);
	forget(rq, task);
	undelay(rq, task);
}

void rq_pelt_requeue(struct rq_pelt *rq, struct task_pelt *task)
{
	rq->cfs.util_est += util_est_value(&task->util_est, rq->rules->util_est);
	update(rq, task, false);
	undelay(rq, task);
}

void rq_pelt_remove(struct rq_pelt *rq, struct task_pelt *task)
{
	const struct pelt_input blocked = { 0, 0, false };

	assert(!task->queued);
	if (task->sig.last_update_ns == 0)
		return;
	update_signal(
		rq, &task->sig, rq->cfs.sig.last_update_ns, blocked, scaled_down(task->weight));
	rq->cfs.removed.nr++;
	rq->cfs.removed.load_avg += task->sig.load_avg;
	rq->cfs.removed.util_avg += task->sig.util_avg;
	rq->cfs.removed.runnable_avg += task->sig.runnable_avg;
	task->sig.last_update_ns = 0;
}

void rq_pelt_leave(struct rq_pelt *rq, struct task_pelt *task)
{
	assert(task->queued && rq->cfs.curr != task);
	dequeue(rq, task, false);
	detach(rq, task);
	task->sig.last_update_ns = 0;
}

void rq_pelt_join(struct rq_pelt *rq, struct task_pelt *task)
{
	assert(!task->queued && task->sig.last_update_ns == 0);
	enqueue(rq, task, false);
}

static void put_previous(struct rq_pelt *rq)
{
	struct task_pelt *curr = rq->cfs.curr;

	switch (rq->running) {
	case RQ_IDLE:
		break;
	case RQ_FAIR:
		if (curr != NULL && curr->queued)
			update(rq, curr, false);
		rq->cfs.curr = NULL;
		break;
	case RQ_RT:
		update_class(rq, &rq->rt, signal_clock_ns(rq), true);
		break;
	case RQ_DL:
		update_class(rq, &rq->dl, signal_clock_ns(rq), true);
		break;
	}
}

void rq_pelt_switch(struct rq_pelt *rq, struct task_pelt *task)
{
	put_previous(rq);
	/* The time up to now counts as waiting: nobody is current yet. */
	update(rq, task, false);
	rq->cfs.curr = task;
	rq->running = RQ_FAIR;
}

void rq_pelt_switch_rt(struct rq_pelt *rq)
{
	bool from_rt = rq->running == RQ_RT;

	put_previous(rq);
	if (!from_rt)
		update_class(rq, &rq->rt, signal_clock_ns(rq), false);
	rq->running = RQ_RT;
}

void rq_pelt_switch_dl(struct rq_pelt *rq)
{
	bool from_dl = rq->running == RQ_DL;

	put_previous(rq);
	if (!from_dl)
		update_class(rq, &rq->dl, signal_clock_ns(rq), false);
	rq->running = RQ_DL;
}

void rq_pelt_switch_idle(struct rq_pelt *rq)
{
	put_previous(rq);
	if (rq->rules->form == PELT_FORM_CLOCK)
		rq_clock_enter_idle(&rq->clock,
			rq->cfs.sig.util_sum + rq->rt.util_sum + rq->dl.util_sum,
			rq->rules->sync_on_idle);
	rq->running = RQ_IDLE;
}

void rq_pelt_switch_unseen(struct rq_pelt *rq)
{
	put_previous(rq);
	rq->running = RQ_FAIR;
}

void rq_pelt_tick(struct rq_pelt *rq)
{
	if (rq->running == RQ_RT)
		update_class(rq, &rq->rt, signal_clock_ns(rq), true);
	else if (rq->running == RQ_DL)
		update_class(rq, &rq->dl, signal_clock_ns(rq), true);
	else if (rq->cfs.curr != NULL)
		update(rq, rq->cfs.curr, false);
}

void rq_pelt_blocked(struct rq_pelt *rq)
{
	bool decayed = false;

	if (rq->rules->form == PELT_FORM_CLOCK) {
		decayed = update_class(rq, &rq->rt, signal_clock_ns(rq), rq->running == RQ_RT);
		decayed |= update_class(rq, &rq->dl, signal_clock_ns(rq), rq->running == RQ_DL);
		decayed |= update_irq(rq, 0);
	}
	decayed |= update_cfs(rq);
	if (decayed)
		call_cpufreq(rq, 0);
}

void rq_pelt_read(const struct rq_pelt *rq, struct util_input *in)
{
	*in = (struct util_input){
		.capacity = rq->scale.cpu,
		.cfs_util_avg = rq->cfs.sig.util_avg,
		.cfs_runnable_avg = rq->cfs.sig.runnable_avg,
		.cfs_util_est = rq->cfs.util_est,
		.rt_util = rq->rt.util_avg,
		.dl_util = rq->dl.util_avg,
		.irq_util = rq->irq.util_avg,
		.rt_queued = rq->running == RQ_RT,
		.uclamp_max = CAPACITY_SCALE,
	};
}
