#include "sim/scenario/events.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <string.h>

#include "sim/governor.h"
#include "tests/support/tiny.h"

#define MACHINE                                                                                  \
	"machine: { name: quad, power: { ceff: 2000 }, reference: 2GHz, cpus: [{ cpus: 0-3 }], " \
	"policies: [0-1, 2-3], "                                                                 \
	"clock: {}, "                                                                            \
	"frequency_table: [{ freq: 1470MHz, voltage: 1V }, { freq: 2940MHz, voltage: 1V }], "    \
	"idle: [{ name: C1, exit_latency: 1us, target_residency: 1us }] }\n"                     \
	"driver: \"null\"\nworkload: idle\nrun: { duration: 1s }\n"
#define ONDEMAND "governor: ondemand\n" MACHINE

static struct tiny tiny;

static const struct event_spec *events_of(const char *yaml, size_t nr)
{
	cr_assert(eq(int, tiny_build(&tiny, yaml, NULL, 0), 0), "%s", tiny.err.text);
	cr_assert(eq(sz, tiny.scenario.nr_events, nr));
	return tiny.scenario.events;
}

static void expect_refused(const char *yaml, const char *message)
{
	static struct tiny refused;

	refused = (struct tiny){ .err = { .code = ERROR_NONE } };
	cr_assert(eq(int, tiny_build(&refused, yaml, NULL, 0), -1), "%s", yaml);
	cr_expect(eq(int, refused.err.code, ERROR_SCENARIO));
	cr_expect(strstr(refused.err.text, message) != NULL, "%s", refused.err.text);
	arena_free(&refused.arena);
}

Test(events, each_kind_is_read)
{
	const struct event_spec *e = events_of(ONDEMAND
		"events:\n"
		"  - { at: 43815us, set: governor.up_threshold=73 }\n"
		"  - { at: 0.1s, set: limits.scaling_max_freq=2.2GHz, policy: 2 }\n"
		"  - { at: 0.1s, set: limits.scaling_min_freq=1600000 }\n"
		"  - { at: 0.2s, governor: { name: conservative, freq_step: 7 }, policy: 2 }\n"
		"  - { at: 0.3s, governor: userspace }\n"
		"  - { at: 0.4s, set: scaling_setspeed=1885MHz }\n",
		6);

	cr_expect(eq(i64, e[0].at_ns, 43815000));
	cr_expect(eq(int, e[0].kind, EVENT_TUNABLE));
	cr_expect(eq(i64, e[0].policy, EVENT_ALL));
	cr_expect(eq(str, (char *)e[0].row->name, "up_threshold"));
	cr_expect(eq(str, (char *)e[0].value, "73"));
	cr_expect(eq(int, e[1].kind, EVENT_MAX_FREQ));
	cr_expect(eq(i64, e[1].khz, 2200000));
	cr_expect(eq(i64, e[1].policy, 1));
	cr_expect(eq(int, e[2].kind, EVENT_MIN_FREQ));
	cr_expect(eq(i64, e[2].khz, 1600000));
	cr_expect(eq(int, e[3].kind, EVENT_GOVERNOR));
	cr_expect(eq(str, (char *)e[3].governor_name, "conservative"));
	cr_expect(eq(str, (char *)e[5].governor->name, "userspace"));
	tiny_free(&tiny);
}

Test(events, shapes_that_are_none_are_refused)
{
	expect_refused(
		ONDEMAND "events: 3\n", ":6:9: events: found \"3\"; expected a list of maps");
	expect_refused(ONDEMAND "events: [ 3 ]\n", ":6:11: events: found \"3\"; expected a map");
	expect_refused(ONDEMAND "events: [ { set: governor.up_threshold=73 } ]\n",
		":6:11: an event: \"at\" is missing");
	expect_refused(ONDEMAND "events: [ { at: 1s } ]\n",
		":6:11: an event: 0 of set, governor, turbo and online; expected one");
	expect_refused(ONDEMAND "events: [ { at: 1s, turbo: off, governor: powersave } ]\n",
		":6:11: an event: 2 of set, governor, turbo and online; expected one");
	expect_refused(ONDEMAND "events: [ { att: 1s } ]\n", "did you mean \"at\"?");
	expect_refused(ONDEMAND "events: [ { at: 2s, governor: powersave }, "
				"{ at: 1s, governor: powersave } ]\n",
		":6:44: an event: earlier than the one before it");
}

Test(events, what_is_written_is_checked_where_it_stands)
{
	expect_refused(ONDEMAND "events: [ { at: 1s, set: governor.up_threshold } ]\n",
		":6:26: set: \"governor.up_threshold\" is no FILE=VALUE");
	expect_refused(ONDEMAND "events: [ { at: 1s, set: up_threshold=73 } ]\n",
		":6:26: set: unknown file \"up_threshold\"; expected governor.TUNABLE");
	expect_refused(ONDEMAND "events: [ { at: 1s, set: governor.up_treshold=73 } ]\n",
		":6:26: unknown key \"up_treshold\" in governor ondemand; did you mean");
	expect_refused(ONDEMAND "events: [ { at: 1s, set: governor.up_threshold=173 } ]\n",
		":6:26: up_threshold: 173 is out of range; expected 1..100 %");
	expect_refused(ONDEMAND "events: [ { at: 1s, set: limits.max=2GHz } ]\n",
		":6:26: unknown key \"max\" in limits");
	expect_refused(ONDEMAND "events: [ { at: 1s, set: limits.scaling_max_freq=fast } ]\n",
		":6:26: scaling_max_freq: \"fast\" is not a number");
	expect_refused(ONDEMAND "events: [ { at: 1s, set: scaling_setspeed=2GHz } ]\n",
		":6:26: unknown key \"scaling_setspeed\" in governor ondemand");
	expect_refused("governor: userspace\n" MACHINE
		       "events: [ { at: 1s, set: \"governor.set_speed=1s=2GHz\" } ]\n",
		":6:26: set: set_speed of governor userspace cannot change while the machine runs");
	expect_refused(ONDEMAND "events: [ { at: 1s, governor: powersave, policy: 1 } ]\n",
		":6:50: policy: no policy 1; policies are called by their first CPU");
	expect_refused(ONDEMAND
		"events: [ { at: 1s, governor: { name: ondemand, policies: {} } } ]\n",
		"policies: not in an event; name one with policy");
}

Test(events, a_tunable_is_that_of_the_governor_that_runs_then)
{
	expect_refused(ONDEMAND "events: [ { at: 1s, governor: conservative }, "
				"{ at: 2s, set: governor.io_is_busy=1 } ]\n",
		"unknown key \"io_is_busy\" in governor conservative");
	expect_refused(ONDEMAND "events: [ { at: 1s, governor: conservative, policy: 2 }, "
				"{ at: 2s, set: governor.up_threshold=73 } ]\n",
		"set: policies run different governors then, ondemand and conservative");
	events_of(ONDEMAND "events: [ { at: 1s, governor: conservative, policy: 2 }, "
			   "{ at: 2s, set: governor.up_threshold=73, policy: 2 } ]\n",
		2);
	tiny_free(&tiny);
}

/* Found when the run is built: the kernel's version and the driver decide. */
Test(events, what_the_kernel_would_refuse_is_refused)
{
	expect_refused("kernel: { version: \"4.8\" }\n" ONDEMAND
		       "events: [ { at: 1s, set: governor.up_threshold=7 } ]\n",
		":7:11: up_threshold: this kernel accepts 11..100 %, not 7");
	expect_refused(ONDEMAND "events: [ { at: 1s, set: governor.sampling_rate=1ms } ]\n",
		":6:11: sampling_rate: 1000us is not in 8ms");
	expect_refused("governor: conservative\n" MACHINE
		       "events: [ { at: 1s, set: governor.down_threshold=80 } ]\n",
		":6:11: down_threshold: 80 % is not below up_threshold, 80 %");
	expect_refused("kernel: { version: \"4.6\" }\n" ONDEMAND
		       "events: [ { at: 1s, governor: schedutil } ]\n",
		":7:11: governor schedutil appeared in Linux 4.7, this kernel is 4.6");
	expect_refused(ONDEMAND "events: [ { at: 1s, turbo: off } ]\n",
		":6:11: turbo: driver null and governor ondemand have no switch for it");
	expect_refused(ONDEMAND "events: [ { at: 1s, turbo: off, policy: 2 } ]\n",
		":6:11: turbo: one switch for the whole machine, not for a policy");
}

Test(events, single_policies_may_have_their_own_tunables)
{
	expect_refused("governor: { name: ondemand, policies: 3 }\n" MACHINE,
		":1:39: policies: found \"3\"; expected a map such as");
	expect_refused(
		"governor: { name: ondemand, policies: { 1: { up_threshold: 73 } } }\n" MACHINE,
		":1:41: policy: no policy 1");
	expect_refused(
		"governor: { name: ondemand, policies: { two: { up_threshold: 73 } } }\n" MACHINE,
		":1:41: policy: no policy -1");
	expect_refused(
		"governor: { name: ondemand, policies: { 2: { up_threshold: 0 } } }\n" MACHINE,
		":1:60: up_threshold: 0 is out of range");
	expect_refused("governor: { name: ondemand, policies: { 2: { freq_step: 1 } } }\n" MACHINE,
		"unknown key \"freq_step\" in governor ondemand");
	expect_refused(
		"governor: { name: ondemand, policies: { 2: { sampling_rate: 1ms } } }\n" MACHINE,
		":1:44: sampling_rate: 1000us is not in 8ms");
}
