#!/bin/sh
# Under mpirun rank 0 writes the table that one process writes, a rank that dies costs nothing but
# its own run, and mistakes are said once.
. tests/sweep/scenario.sh
# Open MPI itself leaks at its end; our own leaks are found by the tests without it.
ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0
export ASAN_OPTIONS
command -v mpirun >/dev/null || { echo "skipped: there is no mpirun"; exit 77; }
# As in a container: perhaps root, perhaps fewer processors than ranks.
OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_btl=self,vader
export OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM
export OMPI_MCA_rmaps_base_oversubscribe OMPI_MCA_btl
scenario 97
if mpirun -n 2 "$P" sweep "$top/s.yaml" -o "$top/try" 2>&1 | grep -q "built without MPI"; then
	echo "skipped: this build has no MPI"
	exit 77
fi
"$P" sweep "$top/s.yaml" -j 2 -o "$top/one" >/dev/null
mpirun -n 3 "$P" sweep "$top/s.yaml" -o "$top/three" >"$top/out"
grep -q "^54 runs in .*: 54 done now, 0 there before, 0 failed" "$top/out"
cmp "$top/one/runs.csv" "$top/three/runs.csv"
mpirun -n 3 "$P" sweep "$top/s.yaml" -o "$top/three" | grep -q "0 done now, 54 there before"
mpirun -n 3 "$P" sweep "$top/s.yaml" --precision 1% --max-repeats 9 -o "$top/p3" >/dev/null
"$P" sweep "$top/s.yaml" -j 2 --precision 1% --max-repeats 9 -o "$top/p1" >/dev/null
cmp "$top/p1/runs.csv" "$top/p3/runs.csv"
mpirun -n 3 "$P" sweep "$top/nothing.yaml" -o "$top/none" >"$top/said" 2>&1 || true
[ "$(grep -c "nothing.yaml: No such file" "$top/said")" = 1 ] || fail "$(cat "$top/said")"

# kill_rank DIR MPIRUN-OPTION...: the last rank is killed in the middle of the sweep.
kill_rank()
{
	dir=$1
	shift
	mpirun "$@" -n 3 "$P" sweep "$top/s.yaml" -o "$dir" >"$top/said" 2>&1 &
	mpirun=$!
	for i in $(seq 200); do
		victim=$(pgrep -f "^$P sweep $top/s.yaml -o $dir" | tail -n 1)
		[ -s "$dir/results.sqlite-wal" ] && break
		sleep 0.05
	done
	kill -9 "$victim"
	wait $mpirun || true
}
scenario 9001
"$P" sweep "$top/s.yaml" -j 2 -o "$top/whole" >/dev/null

# Without recovery mpirun ends all ranks when one dies; the same command goes on.
kill_rank "$top/dead"
"$P" sweep "$top/s.yaml" -j 2 -o "$top/dead"
cmp "$top/whole/runs.csv" "$top/dead/runs.csv"

# With it the others do what the dead one had begun.
kill_rank "$top/recovered" --mca orte_enable_recovery 1
grep -q "rank [12] has died; going on without it" "$top/said" || fail "$(cat "$top/said")"
cmp "$top/whole/runs.csv" "$top/recovered/runs.csv"
