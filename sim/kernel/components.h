/*
 * One kernel version in a scenario, many sources behind it: for every component, which source a
 * version follows and how well that is known. Knows names and numbers; the rules themselves are in
 * the components' own tables, and a test sees that both change at the same versions.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* How well a range is known. */
enum component_basis {
	COMPONENT_CHECKED,      /* every row of vectors made by that source's functions agrees */
	COMPONENT_DESCRIBED,    /* from that source's text or its changelog, without vectors */
	COMPONENT_EXTRAPOLATED, /* no source of the range was seen: the rules of a neighbour */
};

struct component_row {
	unsigned since, until; /* KVER(), until exclusive; COMPONENT_OPEN: no end */
	unsigned patches;      /* enum kernel_patches: only with these; 0: without any */
	enum component_basis basis;
	const char *source; /* version used */
	const char *change; /* what is new here; "" when nothing is known to be */
};

#define COMPONENT_OPEN (~0u)

struct component {
	const char *name;
	const char *used_by; /* plug-ins, separated by spaces; NULL: every run */
	const struct component_row *rows;
	size_t nr_rows;
};

/* All of them; NULL behind the last. */
const struct component *component_at(size_t i);

/* The row that holds for a kernel, or NULL when the component does not exist in it (yet). */
const struct component_row *component_row(
	const struct component *component, unsigned version, unsigned patches);

/* Whether a run with this plug-in uses the component. */
bool component_used_by(const struct component *component, const char *plugin);

/* "4.8", "2.6.39", "6.1.192" of KVER(). */
void kver_print(unsigned version, char *buf, size_t size);
/* "4.8", "3.12 .. 3.15", "6.13 .." of a row. */
void component_range(const struct component_row *row, char *buf, size_t size);

const char *component_basis_name(enum component_basis basis);
