#!/bin/sh
# The library has no variable that a run could leave changed: every object is constant, so that
# runs in parallel threads need no lock. Tables of pointers are constant after relocation.
set -eu
if grep -q '^CPUFREQSIM_SANITIZE:BOOL=ON' "$CPUFREQSIM_BUILD/CMakeCache.txt"; then
	echo "skipped: the sanitizer adds variables of its own"
	exit 77
fi
objdump -t "$CPUFREQSIM_LIBRARY" | awk '
/^[^ ]+\.o:/ { file = $1 }
/ O / && match($0, /\*COM\*|\.(data|bss|tdata|tbss)[^ \t]*/) {
	section = substr($0, RSTART, RLENGTH)
	if (section !~ /^\.data\.rel\.ro/) {
		printf "%s %s is in %s\n", file, $NF, section
		bad++
	}
}
/ O / { nr++ }
END {
	printf "%d objects, %d of them variable\n", nr, bad
	exit bad > 0 || nr == 0
}'
