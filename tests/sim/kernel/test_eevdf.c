#include "sim/kernel/eevdf.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdlib.h>

#include "sim/base/rng.h"
#include "sim/base/units.h"
#include "sim/kernel/rq.h"
#include "sim/kernel/version.h"
#include "tests/support/tiny.h"

/*
 * Worked by hand, on CPU 0 of four at 2 GHz: four CPUs make a base slice of 0.75 ms three times as
 * long, 2.25 ms; ticks, a millisecond apart, end a turn at 3 ms.
 */

#define KERNEL_WITH(version, more)                                 \
	"machine: tests/data/machines/two-package.yaml\n"          \
	"kernel: { version: \"" version "\", hz: 1000" more " }\n" \
	"driver: 'null'\n"                                         \
	"governor: performance\n"                                  \
	"workload: scripted\n"                                     \
	"run: { duration: 60s }\n"
#define KERNEL(version) KERNEL_WITH(version, "")
/* Nobody is sent to an idle CPU at a tick. */
#define STILL(version) KERNEL_WITH(version, ", balance: new-idle")

#define MS (INT64_C(2000000) * NSEC_PER_MSEC)
#define ENDLESS SCRIPT_RUN(100000 * MS), SCRIPT_EXIT

static struct tiny tiny;

static void teardown(void)
{
	tiny_free(&tiny);
}

TestSuite(eevdf, .fini = teardown);

static void ends_at(const char *yaml, const struct job *jobs, int nr, int which, int64_t ns)
{
	tiny_run_jobs(&tiny, yaml, jobs, nr);
	cr_assert(eq(i64, tiny.exit_ns[which], ns));
	teardown();
}

Test(eevdf, equal_tasks_take_turns_of_a_base_slice)
{
	static const struct script_step steps[] = { SCRIPT_RUN(6 * MS), SCRIPT_EXIT };
	const struct job jobs[] = { { steps, 0, .pin = 1 }, { steps, 0, .pin = 1 } };

	/* 0-3 and 6-9; 3-6 and 9-12. */
	ends_at(KERNEL("6.6"), jobs, 2, 0, 9 * NSEC_PER_MSEC);
	ends_at(KERNEL("6.6"), jobs, 2, 1, 12 * NSEC_PER_MSEC);
	/* Before: half of a period of 18 ms each. */
	ends_at(KERNEL("6.5"), jobs, 2, 0, 6 * NSEC_PER_MSEC);
}

/* A sleeper that comes first and gets nothing before it sleeps: when the turn of the other is over
 * at 3 ms the average is 1.5 ms, and that much it is short of. At 13.1 ms its lag, stretched to 3
 * ms, puts it at 10.1 ms and the average at 11.6 ms: what runs, at 13.1 ms, is past it. */
Test(eevdf, a_task_that_is_owed_time_preempts_when_it_wakes)
{
	static const struct script_step hog[] = { ENDLESS };
	static const struct script_step sleeper[] = { SCRIPT_SLEEP(10100000), SCRIPT_RUN(1 * MS),
		SCRIPT_EXIT };
	const struct job jobs[] = { { hog, 0, true, .pin = 1 }, { sleeper, 0, .pin = 1 } };

	ends_at(KERNEL("6.6"), jobs, 2, 1, 14100000);
}

/* It has had 3 ms and the other nothing: it sleeps 1.5 ms past the average. At 23 ms the other is
 * at 20 ms and it is put at 23 ms, not eligible. The other's next deadline after that is seen at 27
 * ms, when it is at 24 ms and the average at 23.5 ms. */
Test(eevdf, a_task_that_had_too_much_waits_when_it_wakes)
{
	static const struct script_step hog[] = { ENDLESS };
	static const struct script_step sleeper[] = { SCRIPT_RUN(3 * MS), SCRIPT_SLEEP(20000000),
		SCRIPT_RUN(1 * MS), SCRIPT_EXIT };
	const struct job jobs[] = { { sleeper, 0, .pin = 1 }, { hog, 0, true, .pin = 1 } };

	ends_at(KERNEL("6.6"), jobs, 2, 0, 28 * NSEC_PER_MSEC);
	/* 6.12: it stays in the queue until 6 ms, when the other is as far and its turn comes; then
	 * it owes nothing. At 23 ms it is put at the average, 20 ms, and the other's turn, with the
	 * earlier deadline of 20.25 ms, ends at 24 ms. */
	ends_at(KERNEL("6.12"), jobs, 2, 0, 25 * NSEC_PER_MSEC);
	/* Before, every sleeper was given credit. */
	ends_at(KERNEL("6.5"), jobs, 2, 0, 24 * NSEC_PER_MSEC);
}

/* It sleeps for 1 ms only, in debt: it is still in the queue of CPU 0, and goes on there though all
 * other CPUs are idle by then. */
Test(eevdf, a_task_that_has_not_left_its_queue_wakes_on_it)
{
	static const struct script_step sleeper[] = { SCRIPT_RUN(3 * MS), SCRIPT_SLEEP(1000000),
		SCRIPT_RUN(1 * MS), SCRIPT_EXIT };
	static const struct script_step hog[] = { SCRIPT_RUN(10 * MS), SCRIPT_EXIT };
	static const struct script_step busy[] = { SCRIPT_RUN(3500 * MS / 1000), SCRIPT_EXIT };
	const struct job jobs[] = { { sleeper, 0, .nice = 0 }, { hog, 0, .pin = 1 },
		{ busy, 1, .pin = 1 }, { busy, 2, .pin = 1 }, { busy, 3, .pin = 1 } };

	tiny_run_jobs(&tiny, STILL("6.12"), jobs, 5);
	cr_assert(eq(int, tiny.exit_cpu[0], 0));
	/* At 4 ms it is at 3 ms and the other at 1 ms; at 6 ms they are even. */
	cr_assert(eq(i64, tiny.exit_ns[0], 7 * NSEC_PER_MSEC));
	teardown();
	tiny_run_jobs(&tiny, STILL("6.6"), jobs, 5);
	cr_assert(ne(int, tiny.exit_cpu[0], 0));
	cr_assert(eq(i64, tiny.exit_ns[0], 5 * NSEC_PER_MSEC));
}

Test(eevdf, a_new_task_does_not_take_the_cpu_of_its_parent)
{
	static const struct script_step parent[] = { SCRIPT_RUN(1 * MS), SCRIPT_SPAWN(1),
		SCRIPT_RUN(1 * MS), SCRIPT_EXIT };
	static const struct script_step child[] = { SCRIPT_RUN(1 * MS), SCRIPT_EXIT };
	static const struct script_step busy[] = { ENDLESS };
	const struct job jobs[] = { { parent, 0, .pin = 1 }, { child, -1, .nice = 0 },
		{ busy, 1, true, .pin = 1 }, { busy, 2, true, .pin = 1 },
		{ busy, 3, true, .pin = 1 } };

	ends_at(KERNEL("6.6"), jobs, 5, 0, 2 * NSEC_PER_MSEC);
}

/* The bound of the algorithm: nobody is ever further from its share than one turn, which here ends
 * at a tick. */
Test(eevdf, nobody_is_further_from_its_share_than_a_turn)
{
	static const struct script_step hog[] = { ENDLESS };
	const struct job jobs[] = { { hog, 0, true, .pin = 1 }, { hog, 0, true, .pin = 1 },
		{ hog, 0, true, .pin = 1 }, { hog, 0, true, .pin = 1 },
		{ hog, 0, true, .pin = 1 } };

	tiny_run_jobs(&tiny, KERNEL("6.12"), jobs, 5);
	struct rq *rq = &tiny.run.kernel.rqs[0];
	const struct task *tasks = rq->kernel->blocks->tasks;
	rq_charge(rq);
	for (int i = 0; i < 5; i++) {
		int64_t off = tasks[i].user_ns - 12 * NSEC_PER_SEC;

		cr_assert(le(i64, off < 0 ? -off : off, 3 * NSEC_PER_MSEC));
	}
}

Test(eevdf, a_turn_grows_with_the_machine)
{
	static const int64_t factors[] = { 1, 2, 2, 3, 3, 3, 3, 4, 4 };

	for (int i = 0; i < 9; i++) {
		struct machine machine = { .nr_cpus = i + 1 };
		const struct kernel kernel = { .machine = &machine, .nr_online = i + 1 };

		cr_assert(eq(i64, fair_scale(&kernel), factors[i]));
	}
	cr_assert(eq(i64, fair_rules(KVER(6, 14, 0))->base_slice_ns, 750000));
	cr_assert(eq(i64, fair_rules(KVER(6, 15, 0))->base_slice_ns, 700000));
	cr_assert(not(fair_rules(KVER(6, 5, 0))->eevdf));
}

/* A queue without a machine around it. */
static struct {
	struct engine engine;
	struct machine machine;
	struct kernel_spec spec;
	struct kernel kernel;
	struct cpu cpu;
	struct rq rq;
} bare;

static void bare_queue(unsigned version)
{
	bare.machine.nr_cpus = 4;
	bare.kernel = (struct kernel){
		.engine = &bare.engine,
		.machine = &bare.machine,
		.spec = &bare.spec,
		.fair = fair_rules(version),
		.nr_online = 4,
		.tick_ns = NSEC_PER_MSEC,
	};
	bare.rq = (struct rq){ .kernel = &bare.kernel, .cpu = &bare.cpu };
	bare.rq.worker.state = TASK_SLEEPING;
	cpumask_set(&bare.kernel.online, 0);
}

#define MANY 40

/* By comparing everybody: the earliest deadline of those that are not past the average. */
static const struct task *who_should(const struct task *tasks, const bool *waits)
{
	double vruntime = 0, weight = 0;
	const struct task *best = NULL;

	for (int i = 0; i < MANY; i++) {
		if (waits[i]) {
			vruntime += (double)tasks[i].vruntime_ns * tasks[i].weight;
			weight += tasks[i].weight;
		}
	}
	for (int i = 0; i < MANY; i++)
		if (waits[i] && (double)tasks[i].vruntime_ns * weight <= vruntime &&
			(!best || tasks[i].eevdf.deadline_ns < best->eevdf.deadline_ns))
			best = &tasks[i];
	return best;
}

Test(eevdf, the_earliest_eligible_deadline_is_picked_from_any_queue)
{
	static struct task tasks[MANY];
	bool waits[MANY] = { false };
	struct rng rng;

	bare_queue(KVER(6, 12, 0));
	rng_set(&rng, 17, 4);
	for (int step = 0; step < 4000; step++) {
		int i = (int)rng_below(&rng, MANY);
		struct task *task = &tasks[i];

		if (!waits[i]) {
			task->weight = nice_weight((int)rng_below(&rng, 40) - 20);
			fair_place(&bare.rq, task, step % 3 ? FAIR_WOKEN : FAIR_NEW);
			/* No two alike, so that there is one right answer. */
			task->vruntime_ns += rng_below(&rng, 3000000);
			task->eevdf.deadline_ns += rng_below(&rng, 3000000);
			fair_add(&bare.rq, task);
			waits[i] = true;
			continue;
		}
		const struct task *should = who_should(tasks, waits);

		task = fair_pop(&bare.rq);
		cr_assert(eq(ptr, task, (void *)should));
		waits[task - tasks] = false;
		eevdf_recentre(&bare.rq);
		task->eevdf.lag_ns = (int64_t)rng_below(&rng, 2000000) - 1000000;
	}
}

/* Weight times lag adds up to nothing, whoever comes: nobody gains by sleeping. */
Test(eevdf, a_task_that_returns_has_the_lag_it_left_with)
{
	static struct task tasks[3];
	static const int nices[] = { 0, 5, -3 };

	bare_queue(KVER(6, 6, 0));
	for (int i = 0; i < 3; i++) {
		tasks[i].kernel = &bare.kernel;
		tasks[i].weight = nice_weight(nices[i]);
		fair_place(&bare.rq, &tasks[i], FAIR_WOKEN);
		tasks[i].vruntime_ns += i * 700000;
		tasks[i].eevdf.deadline_ns += i * 700000;
		fair_add(&bare.rq, &tasks[i]);
	}
	for (int round = 0; round < 10; round++) {
		struct task *task = fair_pop_for(&bare.rq, 0);
		int64_t lag_ns = task->eevdf.lag_ns;
		struct eevdf_sum sum;
		int64_t average_ns;

		fair_place(&bare.rq, task, FAIR_MOVED);
		fair_add(&bare.rq, task);
		sum = eevdf_sum(&bare.rq);
		average_ns = bare.rq.min_vruntime_ns + sum.vruntime / sum.weight;
		cr_assert(le(i64, llabs(average_ns - task->vruntime_ns - lag_ns), 3));
	}
}

Test(eevdf, lag_is_kept_within_two_turns)
{
	static struct task here = { .kernel = &bare.kernel, .weight = 1024 },
			   gone = { .kernel = &bare.kernel, .weight = 1024 };

	bare_queue(KVER(6, 6, 0));
	fair_place(&bare.rq, &here, FAIR_WOKEN);
	fair_add(&bare.rq, &here);
	fair_place(&bare.rq, &gone, FAIR_WOKEN);
	gone.vruntime_ns += 20 * NSEC_PER_MSEC;
	bare.rq.curr = &gone;
	fair_leave(&bare.rq, &gone);
	cr_assert(eq(i64, gone.eevdf.lag_ns, -4500000));
}

Test(eevdf, who_moves_keeps_the_rest_of_its_turn_from_6_12_on)
{
	static struct task first = { .kernel = &bare.kernel, .weight = 1024 },
			   task = { .kernel = &bare.kernel, .weight = 1024 };

	for (int i = 0; i < 2; i++) {
		bare_queue(i ? KVER(6, 12, 0) : KVER(6, 6, 0));
		first = (struct task){ .kernel = &bare.kernel, .weight = 1024 };
		task = first;
		fair_place(&bare.rq, &task, FAIR_NEW);
		/* A new one has half a turn there. */
		cr_assert(eq(i64, task.eevdf.deadline_ns, i ? 1125000 : 2250000));
		task.vruntime_ns += 1000000;
		task.eevdf.deadline_ns = 2250000;
		fair_add(&bare.rq, &task);
		cr_assert(eq(ptr, fair_pop_for(&bare.rq, 0), &task));
		fair_place(&bare.rq, &task, FAIR_MOVED);
		cr_assert(
			eq(i64, task.eevdf.deadline_ns - task.vruntime_ns, i ? 1250000 : 2250000));
	}
}
