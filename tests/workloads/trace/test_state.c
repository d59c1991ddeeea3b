#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <criterion/parameterized.h>

#include "workloads/trace/state.h"

/* What a kernel prints for the ways to leave the CPU; 0: it has none of that name. */
struct age {
	char version[16];
	int64_t zombie, dead, old_dead, parked, idle, kill, preempted;
};

ParameterizedTestParameters(state, numbers_of_every_kernel_age)
{
	static struct age ages[] = {
		{ "2.6.39", 0x10, 0x20, 0x40, 0, 0, 0x80, 0x200 },
		{ "3.16", 0x20, 0x10, 0x40, 0x200, 0, 0x80, 0x400 },
		{ "4.5", 0x20, 0x10, 0x40, 0x200, 0, 0x80, 0x800 },
		{ "4.8", 0x20, 0x10, 0x40, 0x200, 0, 0x80, 0x1000 },
		{ "5.10", 0x20, 0x10, 0, 0x40, 0x80, 0, 0x100 },
	};
	return cr_make_param_array(struct age, ages, sizeof(ages) / sizeof(ages[0]));
}

ParameterizedTest(struct age *age, state, numbers_of_every_kernel_age)
{
	struct trace_states states = { 0 };

	cr_expect(eq(int, trace_state_of_bits(&states, age->preempted), TRACE_RUNNABLE));
	cr_expect(eq(int, trace_state_of_bits(&states, 0), TRACE_RUNNABLE));
	cr_expect(eq(int, trace_state_of_bits(&states, 1), TRACE_BLOCKED));
	cr_expect(eq(int, trace_state_of_bits(&states, 2), TRACE_BLOCKED_D));
	cr_expect(eq(int, trace_state_of_bits(&states, 4), TRACE_BLOCKED));
	cr_expect(eq(int, trace_state_of_bits(&states, 8), TRACE_BLOCKED));
	cr_expect(eq(int, trace_state_of_bits(&states, age->zombie), TRACE_DEAD));
	cr_expect(eq(int, trace_state_of_bits(&states, age->dead), TRACE_DEAD));
	if (age->old_dead)
		cr_expect(eq(int, trace_state_of_bits(&states, age->old_dead), TRACE_DEAD));
	if (age->parked)
		cr_expect(eq(int, trace_state_of_bits(&states, age->parked), TRACE_BLOCKED), "%s",
			age->version);
	if (age->idle)
		cr_expect(eq(int, trace_state_of_bits(&states, age->idle), TRACE_BLOCKED));
	if (age->kill)
		cr_expect(eq(int, trace_state_of_bits(&states, 2 | age->kill), TRACE_BLOCKED_D));
	cr_expect(eq(int, trace_state_of_bits(&states, age->preempted), TRACE_RUNNABLE));
}

Test(state, what_the_task_itself_looks_like_in_4_15)
{
	struct trace_states states = { 0 };

	cr_expect(eq(int, trace_state_of_bits(&states, 0x1000), TRACE_RUNNABLE));
	cr_expect(eq(int, trace_state_of_bits(&states, 0x402), TRACE_BLOCKED_D));
	cr_expect(eq(int, trace_state_of_bits(&states, 0x102), TRACE_BLOCKED_D));
	cr_expect(eq(int, trace_state_of_bits(&states, 0x2000), TRACE_BLOCKED));
}
