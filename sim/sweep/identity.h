/*
 * What a run is called by: a digest of everything its results depend on. Knows scenarios and this
 * program's version; knows neither host nor time.
 */
#pragma once

#include <stdint.h>

#include "sim/base/arena.h"
#include "sim/base/error.h"
#include "sim/base/sha256.h"

struct scenario;

/* Results of different versions are never mixed. */
extern const char model_version[];

/* Builds the scenario's run, which finds its last mistakes, and digests every value in effect;
 * files that it reads count by what they hold. 0 or -1 with @err. */
int identity_of_scenario(const struct scenario *scenario, struct digest *digest, struct error *err);

/* Every value in effect as a scenario that says all of it (report/manifest.h). 0, or -1 with
 * @err. */
int identity_manifest(const struct scenario *scenario, struct arena *arena, const char **manifest,
	struct error *err);

/* The key of one repeat (from 0) of it. */
void identity_of_run(const struct digest *scenario, int64_t repeat, struct digest *key);
