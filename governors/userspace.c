#include <inttypes.h>
#include <string.h>

#include "governors/fixed.h"
#include "sim/base/str.h"

#define WRITES_MAX 256
#define TEXT_MAX 64

/* A program that writes scaling_setspeed at a given time. */
struct write {
	int64_t at_ns;
	int64_t khz;
};

struct userspace_tunables {
	int64_t setspeed_khz; /* PARAM_AUTO: the frequency the governor finds */
	const char *script;
	struct write writes[WRITES_MAX]; /* the script, read by tune() */
	int nr_writes;
};

struct userspace {
	int64_t setspeed_khz;
	int next; /* of the script */
};

static const struct param params[] = {
	PARAM_INT(struct userspace_tunables, setspeed_khz, "scaling_setspeed", UNIT_KHZ, 0,
		UINT32_MAX, PARAM_AUTO,
		"frequency to hold; auto: the one found when the governor starts"),
	PARAM_TEXT(struct userspace_tunables, script, "set_speed", NULL,
		"writes to scaling_setspeed over time: \"0s=1.2GHz,1s=2GHz\""),
	PARAM_END
};

/* Reads "1s=2GHz", which ends at @end. */
static int read_write(const char *text, const char *end, struct write *write)
{
	char time[TEXT_MAX], khz[TEXT_MAX];
	const char *equals = memchr(text, '=', (size_t)(end - text));
	size_t time_len, khz_len;

	if (!equals)
		return -1;
	time_len = (size_t)(equals - text);
	khz_len = (size_t)(end - equals - 1);
	if (time_len >= TEXT_MAX || khz_len >= TEXT_MAX)
		return -1;
	memcpy(time, text, time_len);
	time[time_len] = '\0';
	memcpy(khz, equals + 1, khz_len);
	khz[khz_len] = '\0';
	if (str_to_i64(time, UNIT_NS, &write->at_ns) < 0 ||
		str_to_i64(khz, UNIT_KHZ, &write->khz) < 0)
		return -1;
	return write->at_ns < 0 || write->khz <= 0 || write->khz > UINT32_MAX ? -1 : 0;
}

static int userspace_tune(
	const struct governor_env *env, void *tunables, const char **key, struct error *err)
{
	struct userspace_tunables *t = tunables;
	int64_t last_ns = -1;

	(void)env;
	t->nr_writes = 0;
	*key = "set_speed";
	for (const char *text = t->script; text && *text;) {
		const char *end = text + strcspn(text, ",");
		struct write *write = &t->writes[t->nr_writes];

		if (t->nr_writes == WRITES_MAX)
			return error_set(
				err, ERROR_SCENARIO, "set_speed: more than %d writes", WRITES_MAX);
		if (read_write(text, end, write) < 0)
			return error_set(err, ERROR_SCENARIO,
				"set_speed: \"%.*s\" is no TIME=FREQUENCY such as 1s=2GHz",
				(int)(end - text), text);
		if (write->at_ns <= last_ns)
			return error_set(err, ERROR_SCENARIO,
				"set_speed: \"%.*s\" is not later than the write before it",
				(int)(end - text), text);
		last_ns = write->at_ns;
		t->nr_writes++;
		text = end + (*end == ',');
	}
	return 0;
}

static void arm(struct policy *policy)
{
	const struct userspace_tunables *t = policy->tunables;
	const struct userspace *us = policy->governor_state;

	if (us->next < t->nr_writes)
		cpufreq_work_at(policy, t->writes[us->next].at_ns);
}

static void userspace_start(struct policy *policy)
{
	const struct userspace_tunables *t = policy->tunables;
	struct userspace *us = policy->governor_state;

	us->setspeed_khz = t->setspeed_khz == PARAM_AUTO ? policy->cur_khz : t->setspeed_khz;
	arm(policy);
}

static void userspace_limits(struct policy *policy)
{
	const struct userspace *us = policy->governor_state;

	fixed_apply(policy,
		fixed_userspace_limits(fixed_limits(policy), (uint32_t)us->setspeed_khz),
		DECISION_LIMITS);
}

/* Only scaling_setspeed can be written while it runs. */
static void userspace_written(struct policy *policy, const char *name, int64_t now_ns)
{
	const struct userspace_tunables *t = policy->tunables;
	struct userspace *us = policy->governor_state;

	(void)name;
	(void)now_ns;
	if (t->setspeed_khz == PARAM_AUTO)
		return;
	us->setspeed_khz = t->setspeed_khz;
	fixed_apply(policy, fixed_userspace((uint32_t)us->setspeed_khz), DECISION_SETSPEED);
}

static void userspace_work(struct policy *policy, int64_t now_ns)
{
	const struct userspace_tunables *t = policy->tunables;
	struct userspace *us = policy->governor_state;

	while (us->next < t->nr_writes && t->writes[us->next].at_ns <= now_ns) {
		us->setspeed_khz = t->writes[us->next++].khz;
		fixed_apply(policy, fixed_userspace((uint32_t)us->setspeed_khz), DECISION_SETSPEED);
	}
	arm(policy);
}

const struct governor governor_userspace = {
	.name = "userspace",
	.summary = "the frequency somebody writes to scaling_setspeed",
	.params = params,
	.tunables_size = sizeof(struct userspace_tunables),
	.policy_size = sizeof(struct userspace),
	.tune = userspace_tune,
	.start = userspace_start,
	.limits = userspace_limits,
	.written = userspace_written,
	.work = userspace_work,
};
