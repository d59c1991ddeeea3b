/*
 * A machine's operating points as a driver's frequency table. Shared by the drivers that have one.
 */
#pragma once

#include "sim/driver.h"

/* Fills the table and clock parts of @info from what the machine says of the policy; @descending
 * as ACPI lists them. */
int table_init(struct driver_ctx *ctx, int policy, bool descending, struct driver_info *info,
	struct error *err);
/* The clock that really runs at the policy's table entry @khz. */
int64_t table_clock_khz(const struct machine_spec *machine, int policy, int64_t khz);
/* The highest clock without turbo. */
int64_t table_base_khz(const struct machine_spec *machine, int policy);
