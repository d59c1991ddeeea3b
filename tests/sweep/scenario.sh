# Sourced by the tests of sweeps: a directory of their own and a scenario with short runs.
set -eu
P=$CPUFREQSIM_PROGRAM
top=$(mktemp -d)
trap 'rm -rf "$top"' EXIT

# scenario LOOPS: periods of 43 ms, so 23 loops are a second.
scenario()
{
	cat >"$top/s.yaml" <<-END
	machine: generic-2cpu
	governor: { name: ondemand }
	workload: { name: periodic, tasks: 3, period: 43ms, run: 7ms, jitter: 0.21, loops: $1 }
	run: { seed: 43815, repeats: 3, sample_interval: 613ms }
	sweep:
	  governor.sampling_rate: 11ms:61ms:10ms
	  governor.up_threshold: [61, 79, 95]
	END
}

fail()
{
	echo "$*" >&2
	exit 1
}

# says STATUS PATTERN COMMAND...: the command ends like that, and says that.
says()
{
	want=$1 pattern=$2
	shift 2
	status=0
	"$@" >"$top/said" 2>&1 || status=$?
	[ "$status" = "$want" ] || { cat "$top/said" >&2; fail "$*: status $status, not $want"; }
	grep -q -- "$pattern" "$top/said" || { cat "$top/said" >&2; fail "$*: no \"$pattern\""; }
}
