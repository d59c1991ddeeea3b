#include "sim/sweep/identity.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/report/manifest.h"
#include "sim/run.h"

const char model_version[] = CPUFREQSIM_VERSION;

/* The effective scenario as text, to be freed. NULL when memory is out. */
static char *effective_text(const struct run *run, bool identity, size_t *size)
{
	const struct manifest manifest = { .scenario = run->scenario,
		.tunables = run->tunables,
		.version = model_version,
		.identity = identity };
	char *text = NULL;
	FILE *out = open_memstream(&text, size);

	if (!out)
		return NULL;
	manifest_write(out, &manifest);
	if (fclose(out) == 0)
		return text;
	free(text);
	return NULL;
}

int identity_of_scenario(const struct scenario *scenario, struct digest *digest, struct error *err)
{
	struct sha256 sha;
	struct run run;
	size_t size;

	if (run_build(&run, scenario, 0, err) < 0)
		return -1;
	char *text = effective_text(&run, true, &size);
	run_free(&run);
	if (!text)
		return error_set(err, ERROR_RUN, "out of memory for a scenario's identity");
	sha256_start(&sha);
	sha256_add(&sha, model_version, sizeof(model_version));
	sha256_add(&sha, text, size);
	sha256_end(&sha, digest);
	free(text);
	return 0;
}

int identity_manifest(const struct scenario *scenario, struct arena *arena, const char **manifest,
	struct error *err)
{
	struct run run;
	size_t size;

	if (run_build(&run, scenario, 0, err) < 0)
		return -1;
	char *text = effective_text(&run, false, &size);
	run_free(&run);
	if (!text)
		return error_set(err, ERROR_RUN, "out of memory for a manifest");
	*manifest = arena_strdup(arena, text);
	free(text);
	return 0;
}

void identity_of_run(const struct digest *scenario, int64_t repeat, struct digest *key)
{
	struct sha256 sha;
	char number[32];

	sha256_start(&sha);
	sha256_add(&sha, scenario->hex, strlen(scenario->hex));
	snprintf(number, sizeof(number), " %" PRId64, repeat);
	sha256_add(&sha, number, strlen(number));
	sha256_end(&sha, key);
}
