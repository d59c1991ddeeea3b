#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>
#include <string.h>

#include "governors/fixed.h"
#include "tests/support/tiny.h"

#define YAML(tunables)                                        \
	"machine: tests/data/machines/two-package.yaml\n"     \
	"driver: { name: pcc-cpufreq, command_time: 43us }\n" \
	"governor: { name: userspace" tunables " }\n"         \
	"workload: scripted\n"

static const struct script_step asleep[] = { SCRIPT_SLEEP(43815000), SCRIPT_EXIT };
static const struct script one[] = { { asleep, 0, false } };
static struct tiny tiny;

static void teardown(void)
{
	tiny_free(&tiny);
}

TestSuite(userspace, .fini = teardown);

Test(userspace, the_speed_written_comes_back_when_limits_allow)
{
	struct fixed_request request;

	request = fixed_userspace_limits((struct freq_limits){ 1200000, 1443000 }, 1885000);
	cr_assert(eq(u32, request.khz, 1443000));
	cr_assert(eq(u32, request.relation, RELATION_H));
	request = fixed_userspace_limits((struct freq_limits){ 2100000, 2800000 }, 1885000);
	cr_assert(eq(u32, request.khz, 2100000));
	cr_assert(eq(u32, request.relation, RELATION_L));
	request = fixed_userspace_limits((struct freq_limits){ 1200000, 2800000 }, 1885000);
	cr_assert(eq(u32, request.khz, 1885000));
}

Test(userspace, scaling_setspeed_holds_from_the_start)
{
	tiny_run(&tiny, YAML(", scaling_setspeed: 1443MHz"), one, 1);
	cr_assert(eq(i64, tiny.run.kernel.policies[3].cur_khz, 1443000));
	cr_assert(eq(i64, tiny_commands(&tiny), 0));
}

Test(userspace, without_a_speed_the_one_found_stays)
{
	tiny_run(&tiny, YAML(""), one, 1);
	cr_assert(eq(i64, tiny.run.kernel.policies[0].cur_khz,
		tiny.run.kernel.policies[0].cpuinfo_min_khz));
}

Test(userspace, a_script_writes_at_its_times)
{
	tiny_run(&tiny, YAML(", set_speed: \"0s=1.2GHz,7ms=1885MHz,17.3ms=1.7GHz\""), one, 1);
	cr_assert(eq(i64, tiny.run.kernel.policies[2].cur_khz, 1700000));
	cr_assert(eq(i64, tiny.run.kernel.policies[2].requests, 3));
}

static void refused(const char *yaml, const char *message)
{
	cr_assert(eq(int, tiny_build(&tiny, yaml, one, 1), -1));
	cr_assert(eq(str, tiny.err.text, (char *)message));
}

Test(userspace, a_script_that_cannot_be_read_is_refused)
{
	refused(YAML(", set_speed: \"1s=2GHz,2s\""),
		"tests/data/tiny.yaml:3:41: set_speed: \"2s\" is no TIME=FREQUENCY such as "
		"1s=2GHz");
}

Test(userspace, a_script_that_goes_back_in_time_is_refused)
{
	refused(YAML(", set_speed: \"1s=2GHz,1s=1.7GHz\""),
		"tests/data/tiny.yaml:3:41: set_speed: \"1s=1.7GHz\" is not later than the write "
		"before it");
}

Test(userspace, a_script_of_too_many_writes_is_refused)
{
	char yaml[8192] = "machine: tests/data/machines/two-package.yaml\n"
			  "driver: { name: pcc-cpufreq, command_time: 43us }\n"
			  "governor: { name: userspace, set_speed: \"";
	size_t len = strlen(yaml);

	for (int i = 0; i < 257; i++)
		len += (size_t)snprintf(yaml + len, sizeof(yaml) - len, "%dms=1885MHz,", i);
	snprintf(yaml + len, sizeof(yaml) - len, "\" }\nworkload: scripted\n");
	refused(yaml, "tests/data/tiny.yaml:3:41: set_speed: more than 256 writes");
}
