/*
 * Kernel versions as numbers that compare. Knows numbering, not what changed when: every component
 * keeps its own table of version ranges.
 */
#pragma once

#include <stddef.h>

#define KVER(major, minor, patch) \
	((unsigned)(major) << 16 | (unsigned)(minor) << 8 | (unsigned)(patch))

/* Reads "4.8", "4.8-rc5", "2.6.39", "6.1.192", "6.1base". Returns 0 and the number (a release
 * candidate counts as its release), or -1. @suffix receives what follows the digits and "-rcN"
 * ("" or "base"); it may be NULL. */
int kver_parse(const char *text, unsigned *version, const char **suffix);
