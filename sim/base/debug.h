/*
 * Whether this is a debug build, as a value: costly checks are compiled everywhere and run there.
 */
#pragma once

#include <stdbool.h>

#ifdef CPUFREQSIM_DEBUG
#define DEBUG_BUILD true
#else
#define DEBUG_BUILD false
#endif
