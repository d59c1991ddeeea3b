#include "sim/hw/hwp.h"

#include "sim/base/units.h"
#include "sim/hw/machine.h"

static bool chooses(const struct hwp_cpu *hwp)
{
	return hwp->request.desired_khz == 0 && hwp->request.min_khz < hwp->request.max_khz;
}

int64_t hwp_choose_khz(
	const struct hwp_rule *rule, const struct hwp_request *request, int64_t share_pct)
{
	int64_t threshold = min_i64(rule->threshold_pct * request->epp / HWP_EPP_BALANCE, 100);
	int64_t top = max_i64(request->max_khz, request->min_khz);

	if (request->desired_khz)
		return max_i64(min_i64(request->desired_khz, request->max_khz), request->min_khz);
	if (share_pct >= threshold)
		return top;
	if (rule->choice == HWP_STEP)
		return request->min_khz;
	return request->min_khz + (top - request->min_khz) * share_pct / threshold;
}

static void run_choice(struct hwp_cpu *hwp)
{
	int64_t khz = hwp_choose_khz(&hwp->rule, &hwp->request, hwp->share_pct);

	cpu_vote(hwp->cpu, domain_clock_index(hwp->cpu->domain, khz));
}

static int64_t busy_now_ns(const struct hwp_cpu *hwp)
{
	int64_t ns = 0;

	cpu_account(hwp->cpu);
	for (int i = 0; i < hwp->cpu->domain->nr_clocks; i++)
		ns += hwp->cpu->busy_ns[i];
	return ns;
}

static void begin_period(struct hwp_cpu *hwp)
{
	hwp->busy_ns = busy_now_ns(hwp);
	timer_arm(&hwp->look, hwp->cpu->machine->engine->now_ns + hwp->rule.period_ns);
}

/* The end of a period. A CPU that slept all through it is left alone until it wakes. */
static void look_back(struct timer *timer)
{
	struct hwp_cpu *hwp = container_of(timer, struct hwp_cpu, look);
	int64_t busy = busy_now_ns(hwp) - hwp->busy_ns;

	hwp->choices++;
	hwp->share_pct = busy * 100 / hwp->rule.period_ns;
	run_choice(hwp);
	if (busy > 0 || hwp->cpu->mode != CPU_IDLE)
		begin_period(hwp);
}

void hwp_wake(struct hwp_cpu *hwp)
{
	if (chooses(hwp) && !timer_armed(&hwp->look))
		begin_period(hwp);
}

void hwp_write(struct hwp_cpu *hwp, const struct hwp_request *request)
{
	hwp->writes++;
	hwp->request = *request;
	run_choice(hwp);
	if (!chooses(hwp))
		timer_cancel(&hwp->look);
	else if (hwp->cpu->mode != CPU_IDLE)
		hwp_wake(hwp);
}

void hwp_build(struct machine *machine, const struct hwp_rule *rule, struct arena *arena)
{
	struct hwp_cpu *hwps = arena_array(arena, (size_t)machine->nr_cpus, sizeof(*hwps));

	for (int i = 0; i < machine->nr_cpus; i++) {
		hwps[i].cpu = &machine->cpus[i];
		hwps[i].rule = *rule;
		timer_init(machine->engine, &hwps[i].look, ORDER_CLOCK, look_back);
		machine->cpus[i].hwp = &hwps[i];
	}
}
