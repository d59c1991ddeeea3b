/*
 * What a figure needs of a table of runs: means and 95 % intervals of time and energy, by column.
 * Knows tables, not how a figure is drawn.
 */
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include "sim/base/arena.h"
#include "sim/base/error.h"

#define FIGURE_MAX_SERIES 64

/* The axes of a sweep as a figure has them. */
struct figure {
	const char *x, *y;          /* names with units; y NULL without a second numeric axis */
	bool numeric;               /* x is numbers; else places 1, 2, ... with labels */
	size_t nr_axes, nr_x, nr_y; /* values on x and y */
	const char *series[FIGURE_MAX_SERIES]; /* values of the axes beside x, joined by blanks */
	size_t nr_series;
	const char *series_axes; /* the names of those axes; "" without any */
	const char *data;        /* the table that a script reads */
};

/* Reads a sweep's runs.csv into @figure. data: series (number from 1), x, x_label, y, elapsed_s,
 * elapsed_lo, elapsed_hi, energy_j, energy_lo, energy_hi, front (1: no other point is better in
 * both), x_lo, x_hi, y_lo, y_hi (of its field in a map). 0 or -1 with @err. */
int figure_of_sweep(
	struct figure *figure, struct arena *arena, const char *path, struct error *err);

/* Whether the table is of a sweep with at least one axis. */
bool figure_is_sweep(struct arena *arena, const char *path);

/* Bars of several runs.csv, named as @names: name, then mean and half the width of the 95 %
 * interval of elapsed_s, energy_pkg_j, freq_avg_ghz, transitions. The text, or NULL with @err. */
const char *figure_bars(struct arena *arena, const char *const *paths, const char *const *names,
	size_t nr, struct error *err);

/* A stack of several residency.csv, named as @names, or of one by its policies when they are few:
 * name, idle, then a column per clock, or per band of clocks where there are many, in percent of
 * the CPU time. Their number into @bands. The text, or NULL with @err. */
const char *figure_residency(struct arena *arena, const char *const *paths,
	const char *const *names, size_t nr, size_t *bands, struct error *err);
