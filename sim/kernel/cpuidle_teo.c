#include "sim/kernel/cpuidle_governors.h"

#define PULSE 1024u
#define DECAY_SHIFT 3

void teo_init(struct cpuidle *idle)
{
	/* No interval has been seen: as if every wake-up had been the timer's. */
	for (int i = 0; i < CPUIDLE_INTERVALS; i++)
		idle->intervals[i] = NEVER_NS;
}

static void decay(uint32_t *metric)
{
	*metric -= *metric >> DECAY_SHIFT;
}

/* How long the CPU idled; as good as for ever when the timer woke it, or a tick in its stead. */
static int64_t teo_measured_ns(const struct cpuidle *idle, int64_t tick_ns)
{
	int64_t latency_ns = cpuidle_latency_ns(idle->cstates, idle->last_state);
	int64_t ns = idle->measured_ns;

	if (ns >= idle->sleep_length_ns || (idle->tick_woke && idle->sleep_length_ns > tick_ns))
		return NEVER_NS;
	/* The wake-up itself took part of the exit latency. */
	return ns >= latency_ns ? ns - latency_ns / 2 : ns / 2;
}

void teo_learn(struct cpuidle *idle)
{
	int64_t measured_ns = teo_measured_ns(idle, idle->tick_ns);
	int hit = -1, timer = -1;

	for (int i = 0; i < idle->nr_cstates; i++) {
		decay(&idle->states[i].early_hits);
		if (cpuidle_residency_ns(idle->cstates, i) > idle->sleep_length_ns)
			continue;
		timer = i;
		if (cpuidle_residency_ns(idle->cstates, i) <= measured_ns)
			hit = i;
	}
	if (timer >= 0) {
		struct teo_state *state = &idle->states[timer];

		decay(&state->hits);
		decay(&state->misses);
		if (timer > hit) {
			state->misses += PULSE;
			if (hit >= 0)
				idle->states[hit].early_hits += PULSE;
		} else {
			state->hits += PULSE;
		}
	}
	idle->intervals[idle->interval] = measured_ns;
	idle->interval = (idle->interval + 1) % CPUIDLE_INTERVALS;
}

/* Mean of the recent stays shorter than @ns, when most of them are; else @ns. */
static int64_t recent_mean_ns(const struct cpuidle *idle, int64_t ns)
{
	int64_t sum = 0;
	int nr = 0;

	for (int i = 0; i < CPUIDLE_INTERVALS; i++) {
		if (idle->intervals[i] >= ns)
			continue;
		sum += idle->intervals[i];
		nr++;
	}
	return nr > CPUIDLE_INTERVALS / 2 ? sum / nr : ns;
}

int teo_choose(struct cpuidle *idle, const struct cpuidle_query *query, int64_t *predicted_ns)
{
	const struct cstate_spec *cstates = idle->cstates;
	int64_t ns = query->next_timer_ns, mean_ns;
	int state = 0, early = -1, early_before = -1;
	uint32_t most = 0;

	idle->tick_ns = query->tick_ns;
	for (int i = 0; i < idle->nr_cstates; i++) {
		int64_t residency_ns = cpuidle_residency_ns(cstates, i);

		if (residency_ns > ns)
			break;
		state = i;
		/* With the tick gone a shallow state could be stayed in for too long. */
		if (idle->states[i].early_hits > most &&
			!(query->tick_stopped && residency_ns < query->tick_ns)) {
			early_before = early;
			early = i;
			most = idle->states[i].early_hits;
		}
	}
	if (idle->states[state].hits <= idle->states[state].misses) {
		if (early == state)
			early = early_before;
		if (early >= 0) {
			state = early;
			ns = cpuidle_residency_ns(cstates, state);
		}
	}
	if (state > 0) {
		mean_ns = recent_mean_ns(idle, ns);
		if (mean_ns < ns && !(query->tick_stopped && mean_ns < query->tick_ns)) {
			ns = mean_ns;
			state = cpuidle_deepest(cstates, ns, state);
		}
	}
	*predicted_ns = ns;
	return state;
}
