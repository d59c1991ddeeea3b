/*
 * Where the files that a scenario names are looked for. Knows folders, not contents.
 */
#pragma once

#include <stddef.h>

#include "sim/base/arena.h"
#include "sim/base/error.h"

/* The file called @name, wanted by the file @from (may be NULL); NULL when it is nowhere. */
const char *search_file(struct arena *arena, const char *from, const char *name);

/* The machine called @name: a path, or the name of a file in a machines/ folder without its
 * ".yaml". NULL with @err at @at when it is nowhere. */
const char *search_machine(struct arena *arena, const char *from, const char *name, struct where at,
	struct error *err);
