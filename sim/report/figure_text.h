/*
 * The data of a figure on its way into the arena. Knows memory streams, no figure. For figure*.c
 * alone.
 */
#pragma once

#include <stdio.h>

#include "sim/base/arena.h"
#include "sim/base/error.h"

struct figure_text {
	FILE *out;
	char *text;
	size_t size;
};

/* 0 or -1 with @err. */
int figure_text_start(struct figure_text *text, struct error *err);
/* The text as the arena's; NULL with @err. */
const char *figure_text_end(struct figure_text *text, struct arena *arena, struct error *err);
