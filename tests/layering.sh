#!/bin/sh
# Checks every #include of the product against the picture of who may include whom:
#
#   base <- engine <- hw <- kernel + its face {governor,driver,workload}.h
#                                         ^             ^            ^
#                                    governors/      drivers/    workloads/
#   base, the plain-data headers, the face <- scenario
#   base, hw, kernel, scenario, run <- report
#   kernel, scenario, a governor's decisions, trace events <- validate
#   catalog, run, cmd_* <- any room of sim/      main.c <- everything
#
# usage: layering.sh [TREE]        status 1 when an include points the wrong way
set -eu
cd "${1:-.}"

find sim governors drivers workloads -name '*.[ch]' -o -name '*.def' | sort |
xargs grep -n '^[ 	]*#[ 	]*include[ 	]*"' /dev/null |
awk -F: '
function room(path)
{
	if (path ~ /^sim\/(base|engine|hw|kernel|scenario|report|validate)\//) {
		sub(/^sim\//, "", path)
		sub(/\/.*/, "", path)
		return path
	}
	if (path ~ /^sim\/(governor|driver|workload)\.h$/)
		return "face"
	if (path ~ /^sim\/main\.c$/)
		return "main"
	if (path ~ /^sim\//)
		return "host"
	sub(/\/.*/, "", path)
	return path
}

function allowed(file, target,    from, to)
{
	from = room(file)
	to = room(target)
	if (from == to || from == "main")
		return 1
	if (from == "host")
		return target ~ /^sim\//
	if (target ~ /^sim\/cmd/)
		return 0
	if (to == "base")
		return 1
	# A header of kernel/ forward-declares the contracts; its .c files call through them.
	if (from == "kernel" && to == "face")
		return file ~ /\.c$/
	if (from == "hw")
		return to == "engine"
	if (from == "kernel")
		return to == "engine" || to == "hw"
	if (from == "face")
		return to == "engine" || to == "hw" || to == "kernel"
	if (from == "scenario")
		return target in plain || to == "face"
	if (from == "report")
		return to ~ /^(engine|hw|kernel|face|scenario)$/ || target in plain ||
			target == "sim/run.h"
	# What judges a governor knows its decisions, not the plug-in, and the events of recordings.
	if (from == "validate")
		return to ~ /^(kernel|face|scenario)$/ || target in plain || target ~ judged
	# A plug-in has its contract and the part of the kernel or the hardware it works on.
	return from in contract && (target == contract[from] || target ~ subject[from])
}

BEGIN {
	contract["governors"] = "sim/governor.h"
	contract["drivers"] = "sim/driver.h"
	contract["workloads"] = "sim/workload.h"
	subject["governors"] = "^sim/kernel/(cpufreq|cputime|decision|freq_table|pelt|perf_counters|pstate|pstate_hwp|util|version)\\.h$"
	subject["drivers"] = "^sim/(hw/[a-z_]+|kernel/(cppc|freq_table|pstate|pstate_hwp|version))\\.h$"
	subject["workloads"] = "^sim/kernel/(task|version)\\.h$"
	judged = "^(governors/(schedutil_core|pstate_load)|workloads/trace/(event|reader))\\.h$"
	plain["sim/hw/machine_spec.h"]
	plain["sim/kernel/cpumask.h"]
	plain["sim/kernel/kernel_spec.h"]
	plain["sim/kernel/version.h"]
	plain["sim/catalog.h"]
}

{
	file = $1
	line = $2
	target = $0
	sub(/^[^"]*"/, "", target)
	sub(/".*/, "", target)
	checked++
	if ((getline first < target) < 0) {
		printf "%s:%d: \"%s\" is not a path from the top of the tree\n", file, line, target
		bad++
	} else if (!allowed(file, target)) {
		printf "%s:%d: %s may not include \"%s\"\n", file, line, room(file), target
		bad++
	}
	close(target)
}

END {
	printf "%d includes checked, %d wrong\n", checked, bad
	exit bad > 0
}'
