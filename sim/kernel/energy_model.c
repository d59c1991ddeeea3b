#include "sim/kernel/energy_model.h"

#include "sim/kernel/util.h"
#include "sim/kernel/version.h"

enum em_form { EM_5_10, EM_6_1, EM_6_12 };

/* 6.8 counts in performance, not frequency; 5.14 moved the headroom to the utilisation. */
static enum em_form form_of(unsigned version)
{
	if (version >= KVER(6, 8, 0))
		return EM_6_12;
	return version >= KVER(5, 14, 0) ? EM_6_1 : EM_5_10;
}

static uint64_t cost_of(
	const struct em_domain *domain, const struct em_state *state, uint64_t max_khz)
{
	switch (form_of(domain->version)) {
	case EM_5_10:
		return max_khz * (state->power * 1000) / state->khz;
	case EM_6_1:
		return max_khz * state->power / state->khz;
	case EM_6_12:
		break;
	}
	return state->power * 10 / state->performance;
}

void em_compute(struct em_domain *domain)
{
	bool knows_inefficient = form_of(domain->version) != EM_5_10;
	uint64_t max_khz = domain->states[domain->nr - 1].khz;
	uint64_t cheapest = UINT64_MAX;

	for (int i = domain->nr - 1; i >= 0; i--) {
		struct em_state *state = &domain->states[i];

		state->performance = domain->capacity * state->khz / max_khz;
		state->cost = cost_of(domain, state, max_khz);
		state->inefficient = knows_inefficient && state->cost >= cheapest;
		if (state->cost < cheapest)
			cheapest = state->cost;
	}
}

/* What a state must reach: a frequency, in 6.12 a performance. */
static uint64_t need_of(const struct em_domain *domain, uint64_t max_util, uint64_t allowed)
{
	uint64_t max_khz = domain->states[domain->nr - 1].khz;

	switch (form_of(domain->version)) {
	case EM_5_10:
		return util_to_freq(max_util, util_with_headroom(max_khz), domain->capacity);
	case EM_6_1:
		max_util = util_with_headroom(max_util);
		max_util = max_util < allowed ? max_util : allowed;
		return util_to_freq(max_util, max_khz, domain->capacity);
	case EM_6_12:
		break;
	}
	/* The caller's utilisation has its headroom already. */
	return max_util < allowed ? max_util : allowed;
}

int em_state_for(const struct em_domain *domain, uint64_t max_util, uint64_t allowed)
{
	bool by_performance = form_of(domain->version) == EM_6_12;
	uint64_t need = need_of(domain, max_util, allowed);

	for (int i = 0; i < domain->nr; i++) {
		const struct em_state *state = &domain->states[i];

		if ((by_performance ? state->performance : state->khz) < need)
			continue;
		if (domain->skip_inefficient && state->inefficient)
			continue;
		return i;
	}
	return domain->nr - 1;
}

uint64_t em_energy(
	const struct em_domain *domain, uint64_t max_util, uint64_t sum_util, uint64_t allowed)
{
	uint64_t energy = domain->states[em_state_for(domain, max_util, allowed)].cost * sum_util;

	return form_of(domain->version) == EM_6_12 ? energy : energy / domain->capacity;
}
