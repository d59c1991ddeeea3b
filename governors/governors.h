/*
 * The list of governors: every plug-in that governors.def names. Only main and tests know it.
 */
#pragma once

struct governor;

/* NULL-terminated, in the order of the .def file. */
extern const struct governor *const governors[];
