/*
 * What a cell is set to: values of parameters at their paths, and in the place of "$name" in the
 * texts that variants and comparisons set. Knows names and texts; not what a value means.
 */
#pragma once

#include "sim/experiment/experiment.h"

/* Whether @name may stand behind a "$": a letter or "_", then letters, digits and "_". */
bool setting_is_name(const char *name);

/* The first "$name" of the text: its parameter in @index, or nr_parameters when none is called so,
 * and its length without the "$". NULL when there is none. */
const char *setting_find(
	const struct experiment *experiment, const char *text, size_t *index, size_t *length);

/* "path=value" for everything that is set in the cell, when every parameter has the text in
 * @values; @nr says how many. */
const char *const *setting_list(struct arena *arena, const struct experiment *experiment,
	const struct cell *cell, const char *const *values, size_t *nr);
