#!/bin/sh
# Functions that have no place in the simulator: unbounded copies, parsers that ignore errors,
# hidden state, the wall clock, and memory that is not the arena's.
set -eu
code=$(find sim governors drivers workloads -name '*.[ch]' | sort | xargs awk -f tests/code.awk)

refuse()
{
	if printf '%s\n' "$code" | grep -E "$1" | grep -Ev "$2"; then
		echo "^ $3"
		bad=1
	fi
}

word='(^|[^A-Za-z0-9_>.])'
bad=0
refuse "$word(strcpy|strcat|sprintf|vsprintf|strtok|strtok_r|gets)[[:space:]]*\\(" '^$' \
	"writes without knowing the size, or cuts up its input"
refuse "$word(atoi|atol|atoll|atof)[[:space:]]*\\(" '^$' "ignores errors: use str_to_i64()"
refuse "$word(rand|srand|random|srandom|drand48)[[:space:]]*\\(" '^$' \
	"chance comes from a numbered stream: use sim/base/rng.h"
refuse "$word(time|gettimeofday|clock)[[:space:]]*\\(" '^$' "the simulator has its own clock"
refuse "$word(malloc|calloc|realloc|strdup|strndup|alloca)[[:space:]]*\\(" '^sim/base/arena\.c:' \
	"memory is the arena's"
refuse "$word(abort|exit|_exit)[[:space:]]*\\(" '^(sim/main|workloads/trace/dat_child)\.c:' \
	"a library never ends the program"
[ $bad = 0 ] && echo "none found"
exit $bad
