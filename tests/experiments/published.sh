#!/bin/sh
# What was published cannot reach a run: with every published value doubled the simulated column is
# the same to the last digit, and no source but the experiments' names the folder.
set -eu
P=$CPUFREQSIM_PROGRAM
top=$(mktemp -d)
trap 'rm -rf "$top"' EXIT
cp -r configs "$top/configs"
for file in "$top"/configs/published/*.csv; do
	# Columns by which rows are found stay as they are.
	awk -F, -v OFS=, '
	NR == 1 {
		for (i = 1; i <= NF; i++)
			key[i] = $i ~ /^(jobs|row|run|load_percent|sampling_rate_us|holdoff_multiplier|worker_cpu|above_up_threshold_95|target_id|rate_limit_us|cpu|policy|set_khz|duration_s)$/
	}
	NR > 1 {
		for (i = 1; i <= NF; i++)
			if (!key[i] && $i ~ /^-?[0-9]+(\.[0-9]+)?$/) {
				$i = 2 * $i
				changed++
			}
	}
	{ print }
	END { exit !changed }' "$file" >"$top/x" || { echo "$file: nothing to double" >&2; exit 1; }
	mv "$top/x" "$file"
done
for name in pcc-mapping pcc-idle-loads pcc-burst pcc-boot-storm pstate-holdoff; do
	"$P" reproduce "configs/experiments/$name.yaml" --quick --format csv >"$top/as-published" 2>/dev/null
	"$P" reproduce "$top/configs/experiments/$name.yaml" --quick --format csv >"$top/doubled" 2>/dev/null
	if cmp -s "$top/as-published" "$top/doubled"; then
		echo "$name: doubling changed no published number" >&2
		exit 1
	fi
	for file in as-published doubled; do
		cut -d, -f2,5,6,7 "$top/$file" >"$top/$file.simulated"
	done
	cmp "$top/as-published.simulated" "$top/doubled.simulated"
done
if grep -rl 'published/' sim governors drivers workloads --include='*.[ch]' --include='*.def'; then
	echo "the folder is named outside the experiments' files" >&2
	exit 1
fi
# csv_read() is how the folder is opened: by experiments, and by commands on results of their own.
grep -rlw 'csv_read' sim governors drivers workloads --include='*.c' | sort >"$top/readers"
if grep -v -e '^sim/experiment/' -e '^sim/report/' -e '^sim/cmd_' -e '^sim/sweep/' "$top/readers"; then
	echo "reads tables" >&2
	exit 1
fi
