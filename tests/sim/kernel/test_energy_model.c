#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "sim/kernel/energy_model.h"
#include "sim/kernel/version.h"

/* The second state costs as much per unit of work as the third. */
static struct em_domain domain(struct em_state *states, unsigned version)
{
	const struct em_state three[] = {
		{ .khz = 614400, .power = 97000 },
		{ .khz = 1209600, .power = 338688 },
		{ .khz = 1766400, .power = 494592 },
	};
	struct em_domain out = { .states = states, .nr = 3, .capacity = 871, .version = version };

	for (int i = 0; i < 3; i++)
		states[i] = three[i];
	em_compute(&out);
	return out;
}

Test(energy_model, a_state_that_saves_nothing_is_inefficient)
{
	struct em_state states[3];

	domain(states, KVER(6, 1, 0));
	cr_assert(eq(u64, states[0].cost, 278875));
	cr_assert(eq(u64, states[1].cost, 494592));
	cr_assert(states[1].inefficient && !states[0].inefficient && !states[2].inefficient);
	domain(states, KVER(5, 10, 0));
	cr_assert(eq(u64, states[2].cost, 494592000));
	cr_assert(not(states[1].inefficient));
	domain(states, KVER(6, 12, 0));
	cr_assert(eq(u64, states[1].performance, 596));
	cr_assert(eq(u64, states[1].cost, 5682));
}

Test(energy_model, the_largest_utilisation_chooses_the_state)
{
	struct em_state states[3];
	struct em_domain em = domain(states, KVER(6, 1, 0));

	cr_assert(eq(int, em_state_for(&em, 242, 871), 0));
	cr_assert(eq(int, em_state_for(&em, 243, 871), 1), "25 %% of headroom");
	em.skip_inefficient = true;
	cr_assert(eq(int, em_state_for(&em, 243, 871), 2));
	cr_assert(eq(int, em_state_for(&em, 243, 300), 0), "the allowed capacity limits it");
	cr_assert(eq(int, em_state_for(&em, 5000, 5000), 2));
	em = domain(states, KVER(6, 12, 0));
	cr_assert(eq(int, em_state_for(&em, 302, 871), 0), "the caller has added the headroom");
	em = domain(states, KVER(5, 10, 0));
	cr_assert(eq(int, em_state_for(&em, 243, 300), 1), "5.10 knows no allowed capacity");
}

Test(energy_model, the_sum_scales_its_cost)
{
	struct em_state states[3];
	struct em_domain em = domain(states, KVER(6, 1, 0));

	cr_assert(eq(u64, em_energy(&em, 200, 613, 871), UINT64_C(278875) * 613 / 871));
	cr_assert(eq(u64, em_energy(&em, 200, 0, 871), 0));
	em = domain(states, KVER(6, 12, 0));
	cr_assert(eq(u64, em_energy(&em, 200, 613, 871), states[0].cost * 613));
}
