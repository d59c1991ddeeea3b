/*
 * One experiment as a section of the page of validation, in Markdown: what it is, its figure, why
 * it comes out, what is known of its parameters, every number, what does not come out. Knows texts
 * and tables, computes nothing.
 */
#pragma once

#include <stdio.h>

#include "sim/experiment/score.h"

/* @figure: the picture as the page names it. */
void page_write(FILE *out, const struct experiment *experiment, const struct outcome *outcomes,
	const struct summary *summary, const char *figure);
