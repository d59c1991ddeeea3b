#!/bin/sh
# What is installed is enough: a program outside the tree finds headers and library through
# pkg-config, builds a scenario that was installed, and runs it.
set -eu
prefix=$(mktemp -d)
trap 'rm -rf "$prefix"' EXIT
cmake --install "$CPUFREQSIM_BUILD" --prefix "$prefix" >/dev/null

pc=$(find "$prefix" -name cpufreqsim.pc)
PKG_CONFIG_PATH=$(dirname "$pc")
export PKG_CONFIG_PATH
flags=$(pkg-config --define-variable=prefix="$prefix" --cflags --libs cpufreqsim)
if grep -q '^CPUFREQSIM_SANITIZE:BOOL=ON' "$CPUFREQSIM_BUILD/CMakeCache.txt"; then
	flags="$flags -fsanitize=address,undefined"
fi
case $flags in
*"$PWD"*)
	echo "the installed flags point into the source tree: $flags"
	exit 1
	;;
esac

cat >"$prefix/outside.c" <<'END'
#include <stdio.h>
#include "sim/run.h"
#include "governors/governors.h"
#include "drivers/drivers.h"
#include "workloads/workloads.h"

int main(int argc, char **argv)
{
	struct catalog catalog = { governors, drivers, workloads };
	static struct arena arena;
	static struct scenario scenario;
	static struct run run;
	struct error err = { 0 };

	if (argc < 2 || arena_try(&arena))
		return 1;
	if (scenario_load(&arena, &catalog, argv[1], (const char *const *)argv + 2,
		    (size_t)argc - 2, &scenario, &err) < 0 ||
		run_build(&run, &scenario, 0, &err) < 0 || run_execute(&run, &err) < 0) {
		fprintf(stderr, "%s\n", err.text);
		return 1;
	}
	printf("%d CPUs, %lld ns\n", run.machine.nr_cpus, (long long)run.elapsed_ns);
	run_free(&run);
	arena_free(&arena);
	return 0;
}
END
cd "$prefix"
# Flags of pkg-config are words, and the libraries have to follow the file that needs them.
# shellcheck disable=SC2086
${CC:-cc} -std=c17 -Wall -Wextra -Werror outside.c $flags -o outside
out=$(./outside "$(find "$prefix" -name pcc-kernel-build.yaml | grep scenarios/)" \
	workload.jobs=4 run.duration=1700ms)
echo "$out"
[ "$out" = "60 CPUs, 1700000000 ns" ]
bin=$prefix/bin/cpufreq-sim
"$bin" list >/dev/null
