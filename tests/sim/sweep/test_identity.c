#include "sim/sweep/identity.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>
#include <string.h>

#include "drivers/drivers.h"
#include "governors/governors.h"
#include "sim/scenario/scenario.h"
#include "workloads/workloads.h"

static const struct catalog catalog = { governors, drivers, workloads };
static struct arena arena;
static struct error err;

static struct digest digest_of(const char *text)
{
	struct scenario scenario;
	struct digest digest;
	struct node *root;

	cr_assert(eq(int, arena_try(&arena), 0));
	cr_assert(eq(int, yaml_read_text(&arena, "/tmp/x.yaml", text, &root, &err), 0));
	cr_assert(eq(int, scenario_from_tree(&arena, &catalog, root, &scenario, &err), 0), "%s",
		err.text);
	cr_assert(eq(int, identity_of_scenario(&scenario, &digest, &err), 0), "%s", err.text);
	return digest;
}

#define HEAD "machine: generic-2cpu\nworkload: { name: periodic, tasks: 3 }\n"

Test(identity, defaults_spelled_out_and_repeats_change_nothing)
{
	struct digest short_form = digest_of(HEAD "governor: ondemand\nrun: { duration: 2s }\n");

	cr_assert(eq(str, short_form.hex,
		digest_of(HEAD "name: other\ngovernor: { name: ondemand, up_threshold: 95% }\n"
			       "run: { duration: 2000ms, repeats: 7 }\n")
			.hex));
}

Test(identity, any_value_changes_it)
{
	struct digest base = digest_of(HEAD "governor: ondemand\nrun: { duration: 2s }\n");

	cr_assert(ne(str, base.hex,
		digest_of(HEAD "governor: { name: ondemand, up_threshold: 94 }\n"
			       "run: { duration: 2s }\n")
			.hex));
	cr_assert(ne(str, base.hex,
		digest_of(HEAD "governor: ondemand\nrun: { duration: 2s, seed: 2 }\n").hex));
	cr_assert(ne(str, base.hex,
		digest_of(HEAD "governor: ondemand\nrun: { duration: 2s }\nkernel: { version: "
			       "\"4.8\" }\n")
			.hex));
}

Test(identity, repeats_have_keys_of_their_own)
{
	struct digest base = digest_of(HEAD "governor: ondemand\nrun: { duration: 2s }\n");
	struct digest one, two;

	identity_of_run(&base, 0, &one);
	identity_of_run(&base, 1, &two);
	cr_assert(ne(str, one.hex, two.hex));
	identity_of_run(&base, 0, &two);
	cr_assert(eq(str, one.hex, two.hex));
}

Test(identity, a_scenario_that_cannot_be_built_is_refused)
{
	struct scenario scenario;
	struct digest digest;
	struct node *root;

	cr_assert(eq(int, arena_try(&arena), 0));
	yaml_read_text(&arena, "/tmp/x.yaml",
		"machine: generic-2cpu\nworkload: idle\ngovernor: performance\n", &root, &err);
	cr_assert(eq(int, scenario_from_tree(&arena, &catalog, root, &scenario, &err), 0));
	cr_assert(lt(int, identity_of_scenario(&scenario, &digest, &err), 0));
	cr_assert(ne(ptr, strstr(err.text, "run.duration is missing"), NULL));
}
