#!/bin/sh
# The same scenario, seed and version give the same bytes: built by gcc and by clang, without and
# with optimisation, with one thread and with two.
set -eu
if grep -q '^CPUFREQSIM_SANITIZE:BOOL=ON' "$CPUFREQSIM_BUILD/CMakeCache.txt"; then
	echo "skipped: it makes builds of its own, without the sanitizers"
	exit 77
fi
work=$CPUFREQSIM_BUILD/determinism
rm -rf "$work/out"
mkdir -p "$work/out"

# The builds are kept: a second run compiles what has changed.
builds=
for cc in gcc clang; do
	if ! command -v $cc >/dev/null; then
		echo "left out: $cc is not installed"
		continue
	fi
	for opt in O0 O3; do
		build=$work/$cc-$opt
		# A build type of no meaning to CMake: only the flags given here count.
		[ -e "$build/build.ninja" ] || cmake -S . -B "$build" -G Ninja \
			-DCMAKE_C_COMPILER=$cc -DCMAKE_C_FLAGS=-$opt -DCMAKE_BUILD_TYPE=Plain \
			-DBUILD_TESTING=OFF >/dev/null
		cmake --build "$build" --target cpufreq-sim >"$build/log" || {
			cat "$build/log"
			exit 1
		}
		builds="$builds $cc-$opt"
	done
done

# outputs BUILD JOBS: runs the scenarios into $work/out/BUILD-JOBS.
outputs()
{
	while read -r scenario settings; do
		name=$(basename "$scenario" .yaml)
		# Settings are words, each behind a --set of its own.
		set -- "$1" "$2" $(for s in $settings; do echo "--set $s"; done)
		build=$1 jobs=$2
		shift 2
		"$work/$build/cpufreq-sim" run "$scenario" "$@" --jobs "$jobs" \
			-o "$work/out/$build-$jobs/$name" >/dev/null
		set -- "$build" "$jobs"
	done <<-END
	configs/scenarios/pcc-kernel-build.yaml workload.jobs=8 run.duration=8s run.repeats=3
	END
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
find "$work/out/$first" -type f | xargs cat | cksum
echo "the same bytes from$builds, with one thread and with two"
