#!/bin/sh
# The same scenario, seed and version give the same bytes: built by gcc and by clang, without and
# with optimisation, with one thread and with two. Also by gcc with a sanitizer, which evaluates the
# parts of an expression in another order.
set -eu
if grep -q '^CPUFREQSIM_SANITIZE:BOOL=ON' "$CPUFREQSIM_BUILD/CMakeCache.txt"; then
	echo "skipped: it makes builds of its own, without the sanitizers"
	exit 77
fi
work=$CPUFREQSIM_BUILD/determinism
rm -rf "$work/out" "$work"/*.yaml
mkdir -p "$work/out"

# The builds are kept: a second run compiles what has changed.
builds=
for kind in gcc-O0 gcc-O3 clang-O0 clang-O3 gcc-O1-fsanitize=undefined; do
	cc=${kind%%-*} build=$work/$kind
	if ! command -v "$cc" >/dev/null; then
		echo "left out: $kind, as $cc is not installed"
		continue
	fi
	# A build type of no meaning to CMake: only the flags given here count.
	[ -e "$build/build.ninja" ] || cmake -S . -B "$build" -G Ninja \
		-DCMAKE_C_COMPILER="$cc" -DCMAKE_BUILD_TYPE=Plain -DBUILD_TESTING=OFF \
		-DCMAKE_C_FLAGS="$(echo "${kind#*-}" | sed 's/^/-/; s/-f/ -f/')" >/dev/null
	cmake --build "$build" --target cpufreq-sim >"$build/log" || {
		cat "$build/log"
		exit 1
	}
	builds="$builds $kind"
done

# Every workload that needs no file, for a moment; two kinds of CPUs.
for workload in $("$CPUFREQSIM_PROGRAM" list workloads | sed 's/ .*//'); do
	case $workload in
	load-series | loadrec | rt-app | trace) continue ;;
	esac
	printf '%s\n' 'machine: rk3588' 'kernel: { version: "6.12" }' 'governor: schedutil' \
		"workload: $workload" 'run: { duration: 300ms }' >"$work/$workload.yaml"
done

# outputs BUILD JOBS: runs these, and every shipped scenario for a few simulated seconds, into
# $work/out/BUILD-JOBS.
outputs()
{
	for scenario in "$work"/*.yaml; do
		"$work/$1/cpufreq-sim" run "$scenario" --repeats 2 --jobs "$2" \
			-o "$work/out/$1-$2/workload-$(basename "$scenario" .yaml)" >/dev/null
	done
	for scenario in configs/scenarios/*.yaml; do
		"$work/$1/cpufreq-sim" run "$scenario" --set run.duration=4s --repeats 3 \
			--jobs "$2" -o "$work/out/$1-$2/$(basename "$scenario" .yaml)" >/dev/null
	done
}

first=
for build in $builds; do
	for jobs in 1 2; do
		outputs "$build" $jobs
		if [ -z "$first" ]; then
			first=$build-$jobs
		elif ! diff -r "$work/out/$first" "$work/out/$build-$jobs"; then
			echo "$first and $build-$jobs differ"
			exit 1
		fi
	done
done
find "$work/out/$first" -type f | sort | xargs cat | cksum
echo "the same bytes from$builds, with one thread and with two"
