#!/bin/sh
# What can go wrong around a store: each is said clearly, and what was in the store stays there.
. tests/sweep/scenario.sh
scenario 97
"$P" sweep "$top/s.yaml" -o "$top/good" >/dev/null
good=$("$P" export "$top/good" | cksum)
intact()
{
	[ "$("$P" export "$top/good" | cksum)" = "$good" ] || fail "the store has changed"
}

says 1 "holds another sweep (s, 18 points over .*; this one has 36 over" \
	"$P" sweep "$top/s.yaml" --sweep kernel.hz=250,1000 -o "$top/good"
says 1 "of other values" \
	"$P" sweep "$top/s.yaml" --sweep governor.up_threshold=61,79,96 -o "$top/good"
says 1 "of other values" "$P" sweep "$top/s.yaml" --set run.seed=7 -o "$top/good"
intact

cp -r "$top/good" "$top/foreign"
printf 'this is no database, whatever its name may say, and it is long enough to be read as one\n' \
	>"$top/foreign/results.sqlite"
says 1 "is not a database; expected a result store" "$P" export "$top/foreign"
says 1 "is not a database; expected a result store" \
	"$P" sweep "$top/s.yaml" -o "$top/foreign"
says 1 "expected a directory written by sweep -o" "$P" export "$top"
says 1 "not a directory" "$P" sweep "$top/s.yaml" -o "$top/s.yaml"

if command -v sqlite3 >/dev/null; then
	cp -r "$top/good" "$top/other"
	sqlite3 "$top/other/results.sqlite" "UPDATE meta SET value = '0.0.9' WHERE name = 'version'"
	says 1 "holds results of cpufreq-sim 0.0.9 and this is" \
		"$P" sweep "$top/s.yaml" -o "$top/other"
	says 1 "holds results of cpufreq-sim 0.0.9 and this is" "$P" export "$top/other"
	sqlite3 "$top/other/results.sqlite" "PRAGMA user_version = 99"
	says 1 "has layout 99" "$P" export "$top/other"
	sqlite3 "$top/other/results.sqlite" "PRAGMA application_id = 7"
	says 1 "is no result store" "$P" export "$top/other"
	cp -r "$top/good" "$top/columns"
	sqlite3 "$top/columns/results.sqlite" "ALTER TABLE run DROP COLUMN elapsed_s"
	says 1 "a build with other metrics" "$P" export "$top/columns"
fi

# Two at a time: the second is told so.
scenario 40001
"$P" sweep "$top/s.yaml" -j 1 -o "$top/busy" >/dev/null 2>&1 &
first=$!
while [ ! -e "$top/busy/results.sqlite-wal" ]; do sleep 0.05; done
says 1 "another sweep is writing there" "$P" sweep "$top/s.yaml" -o "$top/busy"
kill -9 $first
wait $first 2>/dev/null || true

# A disk that is full, and one that cannot be written.
scenario 97
mkdir "$top/small"
if mount -t tmpfs -o size=256k tmpfs "$top/small" 2>/dev/null; then
	trap 'umount "$top/small"; rm -rf "$top"' EXIT
	dd if=/dev/zero of="$top/small/filler" bs=1k count=100 2>/dev/null
	says 1 "full.*the same command goes on" \
		"$P" sweep "$top/s.yaml" --repeats 60 -o "$top/small/s"
	kept=$("$P" export "$top/small/s" | wc -l)
	[ "$kept" -gt 2 ] || fail "nothing was kept"
	mount -o remount,size=16m "$top/small"
	"$P" sweep "$top/s.yaml" --repeats 60 -o "$top/small/s" |
		grep -q "$((kept - 1)) there before" || fail "runs were lost"
	"$P" sweep "$top/s.yaml" --repeats 60 -o "$top/sixty" >/dev/null
	cmp "$top/sixty/runs.csv" "$top/small/s/runs.csv"
	mount -o remount,ro "$top/small"
	says 1 "Read-only file system" "$P" sweep "$top/s.yaml" --repeats 60 -o "$top/small/s"
	"$P" export "$top/small/s" | cmp - "$top/sixty/runs.csv"
else
	echo "left out: full and read-only disks, as nothing can be mounted here"
fi
intact
