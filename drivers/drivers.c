#include "drivers/drivers.h"

#include <stddef.h>

#include "sim/driver.h"

#define PLUGIN(name) extern const struct driver driver_##name;
#include "drivers/drivers.def"
#undef PLUGIN

const struct driver *const drivers[] = {
#define PLUGIN(name) &driver_##name,
#include "drivers/drivers.def"
#undef PLUGIN
	NULL,
};
