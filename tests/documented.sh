#!/bin/sh
# Every key of scenario and machine files stands in docs/scenario.md, every command and every option
# in the man page.
set -eu
bad=0
for key in $(cat sim/scenario/*.c | tr '\n\t' '  ' |
	grep -oE 'PARAM_(INT|BOOL|CHOICE|TEXT)\([^,]*,[^,]*, *"[^"]+"' |
	sed 's/.*"\(.*\)"/\1/' | sort -u); do
	grep -qw -- "$key" docs/scenario.md || {
		echo "docs/scenario.md does not mention the key $key"
		bad=1
	}
done

# In the man page a dash is written \-.
page=$(sed 's/\\-/-/g' docs/cpufreq-sim.1)
for command in $("$CPUFREQSIM_PROGRAM" --help | sed -n '/^commands:/,/^$/s/^  \([a-z]*\) .*/\1/p'); do
	echo "$page" | grep -q "^\.SS $command" || {
		echo "the man page has no section on $command"
		bad=1
	}
	for option in $("$CPUFREQSIM_PROGRAM" "$command" --help |
		sed -n 's/^  \(-., \)\{0,1\}\(--[a-z-]*\).*/\2/p'); do
		echo "$page" | grep -q -- "$option" || {
			echo "the man page does not mention $option of $command"
			bad=1
		}
	done
done

# Every plug-in's rows carry a sentence of help.
for room in governor driver workload; do
	for name in $("$CPUFREQSIM_PROGRAM" list ${room}s | sed 's/ .*//'); do
		"$CPUFREQSIM_PROGRAM" help $room "$name" | awk -v of="$room $name" '
		NR > 3 && NF < 3 { print of ": " $1 " has no help"; bad = 1 }
		END { exit bad }' || bad=1
	done
done
[ $bad = 0 ] && echo "all keys, commands and options are documented"
exit $bad
