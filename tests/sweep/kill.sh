#!/bin/sh
# A sweep is killed at ten random moments and goes on each time: in the end its table is that of a
# sweep that nobody disturbed, and no session repeated a run that another had finished. One that
# is interrupted by SIGINT ends by itself and says how to go on.
#
# usage: kill.sh [SEED]
. tests/sweep/scenario.sh
command -v sqlite3 >/dev/null || { echo "skipped: sqlite3 is not installed"; exit 77; }
seed=${1:-$(od -An -N3 -tu4 /dev/urandom | tr -d ' ')}
echo "seed $seed"
scenario 4001

start=$(date +%s%N)
"$P" sweep "$top/s.yaml" -j 2 -o "$top/whole" >/dev/null
whole=$(($(date +%s%N) - start))

# Ten moments, each within a sixth of the time that all of it takes.
awk -v seed="$seed" -v whole="$whole" 'BEGIN {
	srand(seed)
	for (i = 0; i < 10; i++)
		printf "%.4f\n", rand() * whole / 6e9
}' >"$top/moments"
while read -r moment; do
	"$P" sweep "$top/s.yaml" -j 2 -o "$top/killed" >/dev/null 2>&1 &
	sleep "$moment"
	kill -9 $! 2>/dev/null || true
	wait $! 2>/dev/null || true
done <"$top/moments"
"$P" sweep "$top/s.yaml" -j 2 -o "$top/killed"
cmp "$top/whole/runs.csv" "$top/killed/runs.csv"

query()
{
	sqlite3 "$top/killed/results.sqlite" "$1"
}
query "SELECT id, found, (SELECT count(*) FROM run WHERE session = id) FROM session"
[ "$(query "SELECT count(*) FROM session s WHERE found <>
	(SELECT count(*) FROM run WHERE session < s.id)")" = 0 ] || fail "a run was done twice"
[ "$(query "PRAGMA integrity_check")" = ok ] || fail "the store is damaged"
[ "$(query "SELECT count(*) FROM run")" = 54 ] || fail "not 54 runs"

# Not in the background: the shell makes a background job deaf to SIGINT.
timeout -s INT -k 60 "$(awk -v whole="$whole" 'BEGIN { print whole / 3e9 }')" \
	"$P" sweep "$top/s.yaml" -j 2 -o "$top/stopped" >"$top/out" 2>"$top/err" || true
grep -q "stopped with .* of 54 runs in .*the same command goes on" "$top/err" ||
	fail "SIGINT: $(cat "$top/err")"
[ ! -e "$top/stopped/runs.csv" ] || fail "runs.csv before the end"
"$P" sweep "$top/s.yaml" -j 2 -o "$top/stopped" | grep -q "there before, 0 failed"
cmp "$top/whole/runs.csv" "$top/stopped/runs.csv"
