#!/bin/sh
# The layering check has to fail when a forbidden include is planted: a check that cannot fail
# checks nothing. Works on a copy of the sources.
set -eu
here=$(dirname "$0")
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
cp -R sim governors drivers workloads "$copy"
sh "$here/layering.sh" "$copy"

# plant FILE INCLUDED REASON: FILE is made or extended, must be refused for that reason, and is put
# back.
plant()
{
	# The room that is pointed at may not have this file yet.
	case $2 in
	*/*) [ -e "$copy/$2" ] || : >"$copy/$2" ;;
	esac
	existed=0
	if [ -e "$copy/$1" ]; then
		existed=1
		cp "$copy/$1" "$copy/kept"
	fi
	printf '#include "%s"\n' "$2" >>"$copy/$1"
	if out=$(sh "$here/layering.sh" "$copy"); then
		echo "not noticed: $1 includes $2"
		exit 1
	fi
	case $out in
	*"$1:"*" $3 \"$2\""* | *"$1:"*"\"$2\" $3"*) ;;
	*)
		echo "noticed, but the message does not name $1 and $2:"
		echo "$out"
		exit 1
		;;
	esac
	if [ $existed = 1 ]; then
		mv "$copy/kept" "$copy/$1"
	else
		rm "$copy/$1"
	fi
}

forbid()
{
	plant "$1" "$2" "may not include"
}

forbid sim/base/arena.c sim/engine/engine.h
forbid sim/engine/engine.c sim/hw/cpu.h
forbid sim/hw/planted.c sim/kernel/task.h
forbid sim/kernel/planted.c sim/scenario/scenario.h
forbid sim/kernel/cpufreq.h sim/driver.h
forbid sim/kernel/planted.c sim/run.h
forbid sim/scenario/planted.c sim/kernel/cpufreq.h
forbid sim/report/planted.c sim/cmd.h
forbid sim/catalog.c governors/governors.h
forbid sim/governor.h sim/run.h
forbid governors/planted.c sim/driver.h
forbid governors/planted.c sim/hw/cpu.h
forbid governors/planted.c drivers/drivers.h
forbid drivers/planted.c sim/governor.h
forbid drivers/planted.c sim/kernel/cpufreq.h
forbid workloads/planted.c sim/hw/machine.h
forbid workloads/planted.c sim/kernel/cputime.h
plant workloads/planted.c workload.h "is not a path"
echo "every planted include was refused"
