#!/bin/sh
# Every machine, scenario and experiment that is shipped passes `check`, and says in its first line
# where its numbers come from.
set -eu
bad=0
nr=0
for file in $(find configs -name '*.yaml' | sort); do
	nr=$((nr + 1))
	if [ "$(head -c 2 "$file")" != "# " ]; then
		echo "$file does not begin with a comment that names its source"
		bad=1
	fi
	"$CPUFREQSIM_PROGRAM" check "$file" >/dev/null || bad=1
done
echo "$nr files"
[ $nr -gt 0 ]
exit $bad
