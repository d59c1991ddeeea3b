#!/bin/sh
# golden-check must notice: one expected value changed, in whichever file; an emptied file; a file
# nobody knows; an unknown column; a sequence without configuration.
set -u
check=$CPUFREQSIM_BUILD/golden-check
data=tests/golden/data
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
failures=0

# expect STATUS AREA WHAT: golden-check on the copy of AREA must exit with STATUS.
expect()
{
	"$check" "$tmp/$2" >"$tmp/out" 2>&1
	status=$?
	if [ $status -ne "$1" ]; then
		echo "$2: $3: exit status $status, not $1"
		tail -n 3 "$tmp/out"
		failures=$((failures + 1))
	fi
}

# An expected column of a file: the last one, but for the few that end with an input.
expected_column()
{
	case $1 in
	*/tables*.csv) echo 'sorted|order' ;;
	*/update_util_*_events.csv) echo work_count ;;
	*/hwp_boost_*.csv) echo hwp_req_written ;;
	esac
}

# change FILE COLUMN: another last digit in that column of the last row.
change()
{
	awk -F, -v OFS=, -v column="$2" '
	NR == 1 {
		at = 0
		for (i = 1; column != "" && i <= NF; i++) {
			name = $i
			sub(/^#/, "", name)
			if (name ~ "^(" column ")$")
				at = i
		}
	}
	{
		if (NR > 1)
			print line
		line = $0
	}
	END {
		if (at == 0)
			at = NF
		digit = substr($at, length($at))
		$at = substr($at, 1, length($at) - 1) (digit == 0 ? 1 : digit == 1 ? 0 : digit - 1)
		print
	}' "$1" >"$tmp/changed" && cp "$tmp/changed" "$1"
}

nr=0
for dir in "$data"/*/; do
	area=$(basename "$dir")
	cp -R "$dir" "$tmp/$area"
	chmod -R u+w "$tmp/$area"
	expect 0 "$area" "untouched"
	for file in "$dir"*.csv; do
		name=$(basename "$file")
		copy=$tmp/$area/$name
		case $name in
		iowait_seq.csv) cfg=0 ;;
		*_cfg.csv | *_seq.csv) cfg=1 ;; # nothing in it is expected
		*) cfg=0 ;;
		esac
		if [ $cfg -eq 0 ]; then
			change "$copy" "$(expected_column "$file")"
			expect 1 "$area" "a value changed in $name"
		else
			sed '2d' "$file" >"$copy"
			expect 2 "$area" "a sequence without configuration in $name"
		fi
		: >"$copy"
		expect 2 "$area" "$name emptied"
		sed '1s/,/,no_/' "$file" >"$copy"
		expect 2 "$area" "an unknown column in $name"
		cp "$file" "$copy"
		nr=$((nr + 1))
	done
	printf '#a,b\n1,2\n' >"$tmp/$area/unheard_of.csv"
	expect 2 "$area" "an unknown file"
	rm -rf "${tmp:?}/$area"
done
mkdir "$tmp/empty"
expect 2 empty "a folder without vectors"
echo "$nr files, $failures failures"
[ $failures -eq 0 ] && [ $nr -gt 0 ]
