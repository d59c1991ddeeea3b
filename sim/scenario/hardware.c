#include "sim/base/units.h"
#include "sim/scenario/scenario.h"

const struct param hardware_params[] = {
	PARAM_BOOL(struct hardware_spec, turbo, "turbo", 1,
		"the highest clock follows the machine's table by busy cores, where it has one"),
	PARAM_BOOL(struct hardware_spec, limit_power, "limit_power", 0,
		"the running average of a package's power stays below power_limit"),
	PARAM_BOOL(struct hardware_spec, limit_temperature, "limit_temperature", 0,
		"a package slows down at the trip point"),
	PARAM_BOOL(struct hardware_spec, pressure, "pressure", 0,
		"the firmware tells the kernel of that, which counts as pressure (from 5.7 on)"),
	PARAM_INT(struct hardware_spec, power_limit_uw, "power_limit", UNIT_UW, 1,
		INT64_C(10000000000), PARAM_AUTO, "of the average, per package"),
	PARAM_INT(struct hardware_spec, power_window_ns, "power_window", UNIT_NS, NSEC_PER_MSEC,
		3600 * NSEC_PER_SEC, 28 * NSEC_PER_SEC, "time constant of the average"),
	PARAM_INT(struct hardware_spec, trip_mc, "trip", UNIT_MC, -50000, 300000, 95000,
		"temperature from which on the clock falls"),
	PARAM_INT(struct hardware_spec, hysteresis_mc, "hysteresis", UNIT_MC, 0, 100000, 2000,
		"so much colder it rises again"),
	PARAM_INT(struct hardware_spec, ambient_mc, "ambient", UNIT_MC, -50000, 150000, 25000,
		"of the surroundings, and of a package when the run starts"),
	PARAM_INT(struct hardware_spec, resistance_mk_per_w, "thermal_resistance", UNIT_NONE, 1,
		1000000, PARAM_AUTO, "from a package to its surroundings, in mK/W"),
	PARAM_INT(struct hardware_spec, heat_capacity_mj_per_k, "heat_capacity", UNIT_NONE, 1,
		1000000000, PARAM_AUTO, "of a package and what cools it, in mJ/K"),
	PARAM_INT(struct hardware_spec, period_ns, "limit_period", UNIT_NS, 10000, NSEC_PER_SEC,
		10 * NSEC_PER_MSEC, "between two looks of the hardware at power and temperature"),
	PARAM_END
};

/* What a limit needs has to come from the machine file or the scenario. */
int hardware_check(const struct hardware_spec *hardware, struct where at, struct error *err)
{
	if (hardware->limit_power && hardware->power_limit_uw == PARAM_AUTO)
		return error_at(err, ERROR_SCENARIO, at,
			"hardware: limit_power needs a power_limit, such as 65W");
	if (hardware->limit_temperature &&
		(hardware->resistance_mk_per_w == PARAM_AUTO ||
			hardware->heat_capacity_mj_per_k == PARAM_AUTO))
		return error_at(err, ERROR_SCENARIO, at,
			"hardware: limit_temperature needs thermal_resistance, in mK/W, and "
			"heat_capacity, in mJ/K");
	return 0;
}
