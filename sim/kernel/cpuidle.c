#include "sim/kernel/cpuidle.h"

#include <assert.h>
#include <string.h>

#include "sim/base/units.h"
#include "sim/kernel/cpuidle_governors.h"

void cpuidle_init(struct cpuidle *idle, enum cpuidle_governor governor,
	const struct cstate_spec *cstates, int nr)
{
	assert(nr <= CPUIDLE_STATES_MAX);
	*idle = (struct cpuidle){
		.governor = governor,
		.cstates = cstates,
		.nr_cstates = nr,
		.polls = strcmp(cstates[0].name, "POLL") == 0,
		.last_state = -1,
	};
	if (governor == CPUIDLE_MENU)
		menu_init(idle);
	else
		teo_init(idle);
}

int cpuidle_deepest(const struct cstate_spec *cstates, int64_t ns, int deepest)
{
	int state = deepest;

	while (state > 0 && cpuidle_residency_ns(cstates, state) > ns)
		state--;
	return state;
}

static struct cpuidle_choice ideal_select(
	const struct cpuidle *idle, const struct cpuidle_query *query)
{
	int last = idle->nr_cstates - 1;

	return (struct cpuidle_choice){
		.state = cpuidle_deepest(idle->cstates, query->next_timer_ns, last),
		.stop_tick = true,
	};
}

/* A tick that goes on bounds the stay: nothing deeper than pays until it. */
static void keep_tick(const struct cpuidle *idle, const struct cpuidle_query *query,
	int64_t predicted_ns, struct cpuidle_choice *choice)
{
	bool polling = choice->state == 0 && idle->polls;

	if (query->tick_stopped || (!polling && predicted_ns >= query->tick_ns))
		return;
	choice->stop_tick = false;
	choice->state = cpuidle_deepest(idle->cstates, query->next_tick_ns, choice->state);
}

struct cpuidle_choice cpuidle_select(struct cpuidle *idle, const struct cpuidle_query *query)
{
	struct cpuidle_choice choice = { .stop_tick = true };
	int64_t predicted_ns = 0;

	switch (idle->governor) {
	case CPUIDLE_IDEAL:
		return ideal_select(idle, query);
	case CPUIDLE_TEO:
		if (idle->last_state >= 0)
			teo_learn(idle);
		choice.state = teo_choose(idle, query, &predicted_ns);
		break;
	case CPUIDLE_MENU:
		if (idle->last_state >= 0)
			menu_learn(idle);
		choice.state = menu_choose(idle, query, &predicted_ns);
		break;
	}
	idle->last_state = choice.state;
	idle->entered_ns = query->now_ns;
	idle->sleep_length_ns = query->next_timer_ns;
	keep_tick(idle, query, predicted_ns, &choice);
	idle->last_state = choice.state;
	return choice;
}

void cpuidle_reflect(struct cpuidle *idle, int64_t now_ns, bool tick)
{
	idle->measured_ns = now_ns - idle->entered_ns;
	idle->tick_woke = tick;
}
