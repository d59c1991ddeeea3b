#include "sim/kernel/cpuidle_governors.h"

#define RESOLUTION 1024
#define DECAY 8
#define MAX_INTERESTING_NS (50000 * NSEC_PER_USEC)
#define NO_INTERVAL INT64_MAX

void menu_init(struct cpuidle *idle)
{
	/* Until something is learnt the sleep length is believed. */
	for (int i = 0; i < CPUIDLE_BUCKETS; i++)
		idle->factors[i] = RESOLUTION * DECAY;
}

/* By order of magnitude of the sleep length, apart with and without somebody waiting for I/O. */
static int bucket_of(int64_t ns, int nr_iowait)
{
	int bucket = nr_iowait ? CPUIDLE_BUCKETS / 2 : 0;

	for (int64_t limit = 10 * NSEC_PER_USEC; limit <= 100000 * NSEC_PER_USEC; limit *= 10) {
		if (ns < limit)
			return bucket;
		bucket++;
	}
	return bucket;
}

static int64_t menu_measured_ns(const struct cpuidle *idle)
{
	int64_t latency_ns = cpuidle_latency_ns(idle->cstates, idle->last_state);
	int64_t ns = idle->measured_ns;

	/* The tick cut short what would have been a long stay. */
	if (idle->tick_woke && idle->sleep_length_ns > idle->tick_ns)
		ns = 9 * MAX_INTERESTING_NS / 10;
	else
		ns = ns > 2 * latency_ns ? ns - latency_ns : ns / 2;
	return min_i64(ns, idle->sleep_length_ns);
}

void menu_learn(struct cpuidle *idle)
{
	int64_t ns = menu_measured_ns(idle);
	uint32_t *factor = &idle->factors[idle->bucket];

	*factor -= *factor / DECAY;
	if (idle->sleep_length_ns > 0 && ns < MAX_INTERESTING_NS)
		*factor += (uint32_t)(RESOLUTION * ns / idle->sleep_length_ns);
	else
		*factor += RESOLUTION;
	idle->intervals[idle->interval] = ns / NSEC_PER_USEC;
	idle->interval = (idle->interval + 1) % CPUIDLE_INTERVALS;
}

struct spread {
	int64_t least_us, most_us, mean_us;
	uint64_t variance;
	int nr;
};

/* The recent intervals up to @limit_us. */
static struct spread spread_of(const struct cpuidle *idle, int64_t limit_us)
{
	struct spread s = { .least_us = INT64_MAX };
	int64_t sum = 0;

	for (int i = 0; i < CPUIDLE_INTERVALS; i++) {
		int64_t us = idle->intervals[i];

		if (us > limit_us)
			continue;
		sum += us;
		s.nr++;
		s.least_us = min_i64(s.least_us, us);
		s.most_us = max_i64(s.most_us, us);
	}
	if (s.nr == 0)
		return s;
	s.mean_us = sum / s.nr;
	for (int i = 0; i < CPUIDLE_INTERVALS; i++) {
		int64_t diff = idle->intervals[i] - s.mean_us;

		if (idle->intervals[i] <= limit_us)
			s.variance += (uint64_t)(diff * diff);
	}
	s.variance /= (uint64_t)s.nr;
	return s;
}

/* An interval that most recent stays agree on, outliers above left out; none is NO_INTERVAL. */
static int64_t typical_interval_us(const struct cpuidle *idle, int64_t predicted_us)
{
	int64_t limit_us = INT32_MAX;

	for (;;) {
		struct spread s = spread_of(idle, limit_us);
		uint64_t mean = (uint64_t)s.mean_us;

		if (s.nr == 0 || s.least_us > predicted_us)
			return NO_INTERVAL;
		if ((mean * mean > s.variance * 36 && s.nr * 4 >= CPUIDLE_INTERVALS * 3) ||
			s.variance <= 400)
			return s.mean_us;
		if (s.nr * 4 <= CPUIDLE_INTERVALS * 3)
			return NO_INTERVAL;
		limit_us = s.most_us - 1;
	}
}

static int64_t predict_ns(const struct cpuidle *idle, const struct cpuidle_query *query)
{
	int64_t scale = (int64_t)RESOLUTION * DECAY * NSEC_PER_USEC;
	/* A CPU without any timer: longer than anything that matters here, and no overflow. */
	int64_t timer_ns = min_i64(query->next_timer_ns, 1000 * NSEC_PER_SEC);
	int64_t us = (timer_ns * (int64_t)idle->factors[idle->bucket] + scale / 2) / scale;

	us = min_i64(us, typical_interval_us(idle, us));
	if (query->tick_stopped && us * NSEC_PER_USEC < query->tick_ns)
		return query->next_timer_ns;
	return us * NSEC_PER_USEC;
}

int menu_choose(struct cpuidle *idle, const struct cpuidle_query *query, int64_t *predicted_ns)
{
	const struct cstate_spec *cstates = idle->cstates;
	int64_t ns, latency_ns = NEVER_NS;
	int state = 0;

	idle->tick_ns = query->tick_ns;
	idle->bucket = bucket_of(query->next_timer_ns, query->nr_iowait);
	ns = predict_ns(idle, query);
	/* With somebody waiting for I/O a slow exit hurts more. */
	if (!query->tick_stopped)
		latency_ns = ns / (1 + 10 * query->nr_iowait);
	for (int i = 1; i < idle->nr_cstates; i++) {
		int64_t residency_ns = cpuidle_residency_ns(cstates, i);

		if (cpuidle_latency_ns(cstates, i) > latency_ns)
			break;
		if (residency_ns <= ns) {
			state = i;
			continue;
		}
		/* Rather a real state than polling, when the timer leaves the time. */
		if (state == 0 && idle->polls && residency_ns <= query->next_timer_ns) {
			ns = residency_ns;
			state = i;
		} else if (query->tick_stopped) {
			/* No tick will correct a shallow choice: rather meet the timer. */
			if (cpuidle_residency_ns(cstates, state) < query->tick_ns &&
				residency_ns <= query->next_tick_ns)
				state = i;
		} else if (ns >= query->tick_ns) {
			/* A shallow state with the tick on: it will be asked again. */
			ns = cpuidle_residency_ns(cstates, state);
		}
		break;
	}
	*predicted_ns = ns;
	return state;
}
