#!/bin/sh
# Every scenario and experiment that is shipped passes `check`, and every file says where its
# numbers come from.
set -eu
bad=0
nr=0
for file in $(find configs -name '*.yaml' | sort); do
	nr=$((nr + 1))
	case $(head -c 2 "$file") in
	'# ') ;;
	*)
		echo "$file does not begin with a comment that names its source"
		bad=1
		;;
	esac
	case $file in
	# A machine is checked by the scenarios that include it.
	configs/machines/*)
		grep -rqF "$(basename "$file")" configs/scenarios configs/experiments || {
			echo "$file is used by no scenario, so nothing checks it"
			bad=1
		}
		;;
	*)
		"$CPUFREQSIM_PROGRAM" check "$file" || {
			echo "$file does not pass"
			bad=1
		}
		;;
	esac
done
echo "$nr files"
[ $nr -gt 0 ]
exit $bad
