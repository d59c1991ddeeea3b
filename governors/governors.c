#include "governors/governors.h"

#include <stddef.h>

#include "sim/governor.h"

#define PLUGIN(name) extern const struct governor governor_##name;
#include "governors/governors.def"
#undef PLUGIN

const struct governor *const governors[] = {
#define PLUGIN(name) &governor_##name,
#include "governors/governors.def"
#undef PLUGIN
	NULL,
};
