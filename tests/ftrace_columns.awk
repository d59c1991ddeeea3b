# The text of ftrace by its columns alone, in another language and without our reader: every line has
# the shape that the kernel's format string gives it, times never go back, each switch leaves the
# task that the last one on that CPU went to, and the head names who runs.
/^#/ { next }
{
	lines++
	if (!match($0, /-[0-9]+ +\[[0-9][0-9][0-9]\] [d.][.N][.h][.0-9][.] +[0-9]+\.[0-9]+: [a-z_]+: /)) {
		print FILENAME ":" FNR ": no such line: " $0
		bad++
		next
	}
	rest = substr($0, RSTART + RLENGTH)
	split(substr($0, RSTART + 1, RLENGTH), part, /[][ ]+/)
	pid = part[1]
	cpu = part[2]
	t = part[4]
	sub(/:$/, "", t)
	event = part[5]
	sub(/:$/, "", event)
	if (t + 0 < last + 0) {
		print FILENAME ":" FNR ": time goes back"
		bad++
	}
	last = t
	if (cpu in on && on[cpu] != pid) {
		print FILENAME ":" FNR ": " pid " is not who runs on CPU " cpu ": " on[cpu]
		bad++
	}
	nr[event]++
}
event == "sched_switch" {
	if (!match(rest, /prev_pid=[0-9]+ prev_prio=-?[0-9]+ prev_state=[RSDX] ==> next_comm=.* next_pid=[0-9]+ next_prio=-?[0-9]+$/)) {
		print FILENAME ":" FNR ": no such switch: " rest
		bad++
	}
	prev = next_ = rest
	sub(/.* prev_pid=/, "", prev)
	sub(/ .*/, "", prev)
	sub(/.* next_pid=/, "", next_)
	sub(/ .*/, "", next_)
	if (prev != pid) {
		print FILENAME ":" FNR ": the head is not prev"
		bad++
	}
	on[cpu] = next_
}
END {
	print lines " lines, " nr["sched_switch"] " switches, " bad + 0 " wrong"
	exit bad > 0 || nr["sched_switch"] == 0
}
