#include "sim/report/manifest.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/tiny.h"

#define REST                                                                                     \
	"workload: idle\n"                                                                       \
	"run: { duration: 1s }\n"                                                                \
	"machine: { name: quad, power: { ceff: 2000 }, reference: 1GHz, cpus: [{ cpus: 0-1 }], " \
	"policies: per-cpu, "                                                                    \
	"clock: {}, "                                                                            \
	"frequency_table: [{ freq: 1GHz, voltage: 1V }, { freq: 2GHz, voltage: 1V }], "          \
	"idle: [{ name: C1, exit_latency: 1us, target_residency: 1us }] }\n"                     \
	"driver: acpi-cpufreq\n"

static char *manifest_of(const char *yaml)
{
	struct tiny tiny = { 0 };
	struct manifest manifest;
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	cr_assert(eq(int, tiny_build(&tiny, yaml, NULL, 0), 0), "%s", tiny.err.text);
	manifest = (struct manifest){
		.scenario = &tiny.scenario, .tunables = tiny.run.tunables, .version = "0.43815"
	};
	manifest_write(out, &manifest);
	fclose(out);
	tiny_free(&tiny);
	return text;
}

static bool says(const char *text, const char *part)
{
	return strstr(text, part) != NULL;
}

Test(manifest, what_a_kernel_takes_from_another_version_is_an_extrapolation)
{
	char *text = manifest_of("governor: ondemand\nkernel: { version: \"4.10\" }\n" REST);

	cr_expect(says(text,
			  "# ondemand: an extrapolation; 4.9 .. 4.14 follows the source of "
			  "4.8-rc2.\n"),
		"%s", text);
	cr_expect(says(text, "# load sampler: an extrapolation; "));
	cr_expect(not(says(text, "# conservative")));
	cr_expect(not(says(text, "# energy model")));
	free(text);
}

Test(manifest, a_source_without_vectors_is_only_described)
{
	char *text = manifest_of("governor: ondemand\nkernel: { version: \"4.15\" }\n" REST);

	cr_expect(says(text, "# load sampler: only described; 4.15 follows the text of 4.15.\n"),
		"%s", text);
	free(text);
}

Test(manifest, a_checked_version_has_nothing_to_say_of_its_governor)
{
	char *text = manifest_of("governor: ondemand\nkernel: { version: \"6.1\" }\n" REST);

	cr_expect(not(says(text, "# ondemand")), "%s", text);
	cr_expect(not(says(text, "# cpufreq core")));
	cr_expect(says(text, "# acpi-cpufreq: only described; 6.1 "));
	free(text);
}

Test(manifest, variants_of_a_version_are_kept)
{
	char *text = manifest_of("governor: ondemand\nkernel: { version: \"6.1base\" }\n" REST);

	cr_expect(says(text, "  version: 6.1base\n"), "%s", text);
	cr_expect(says(
		text, "# load sampler: an extrapolation; 6.1base follows the source of 5.11."));
	free(text);
	text = manifest_of("governor: ondemand\n"
			   "kernel: { version: \"6.12\", patches: [consolidate-v7] }\n" REST);
	cr_expect(says(text, "  patches: [ consolidate-v7 ]\n"), "%s", text);
	free(text);
}
