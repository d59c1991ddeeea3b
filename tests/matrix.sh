#!/bin/sh
# docs/matrix.md has a table for every machine and in it every workload, under each governor that its
# head promises, with work done: no time and no clock of zero where something ran.
set -u
page=docs/matrix.md
bad=0
for machine in $("$CPUFREQSIM_PROGRAM" list machines | awk '{ print $1 }'); do
	grep -q "^- \[$machine\](#$machine): " $page || { echo "$page: no link to $machine"; bad=1; }
	table=$(awk -v head="## $machine" '$0 == head { on = 1; next } /^## / { on = 0 } on' $page)
	for workload in $("$CPUFREQSIM_PROGRAM" list workloads | awk '{ print $1 }'); do
		for governor in performance powersave ondemand conservative schedutil; do
			echo "$table" | grep -Eq "^\\| $workload \\| $governor( \\(intel_cpufreq\\))? \\| [0-9.]*[1-9][0-9.]* \\| " || {
				echo "$page: $machine: no $workload under $governor; run scripts/matrix"
				bad=1
			}
		done
	done
done
exit $bad
