/*
 * The list of drivers: every plug-in that drivers.def names. Only main and tests know it.
 */
#pragma once

struct driver;

/* NULL-terminated, in the order of the .def file. */
extern const struct driver *const drivers[];
