# CPU time at each clock, all policies together, mean of the repeats. Reads residency.csv: repeat,
# policy, khz (0 = idle), seconds.
figure_width = 1100
figure_height = 560
load style

stats input using 'repeat' name 'R' nooutput
repeats = int(R_max - R_min) + 1
total = 0.0
idle = 0.0
low = 1e12
high = 0.0
add(khz, s) = (total = total + s, khz == 0 ? (idle = idle + s) : \
	(low = khz < low ? khz : low, high = khz > high ? khz : high), s)
stats input using (add(column('khz'), column('seconds'))) name 'S' nooutput

# The narrowest distance between two clocks decides how wide a bar can be.
clocks = (high - low) / 1e6
width = clocks > 0 ? clocks / 60 : 0.05

set title sprintf('CPU time at each clock (busy %.1f %% of %.4g CPU seconds per run)', \
	total > 0 ? 100 * (total - idle) / total : 0, total / repeats)
set xlabel 'clock (GHz)'
set ylabel 'busy CPU time per run (s)'
set xrange [low / 1e6 - 3 * width : high / 1e6 + 3 * width]
set yrange [0:*]
set boxwidth width
set style fill solid 0.85 noborder
unset key

# Idle time, at 0 GHz, lies outside the figure.
plot input using (column('khz') / 1e6):(column('seconds') / repeats) \
	smooth frequency with boxes lt 1
