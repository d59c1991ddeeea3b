# How often each power was read, all repeats together. Reads series-power.csv: repeat, t_s, power_w.
figure_width = 1000
figure_height = 520
load style

stats input using 'power_w' name 'P' nooutput
bins = 30
width = P_max > P_min ? (P_max - P_min) / bins : 1.0
# The highest reading belongs to the last bin, not to one of its own.
last = floor((P_max - P_min) / width) - 1
bin(v) = (i = floor((v - P_min) / width), P_min + width * ((i > last && last >= 0 ? last : i) + 0.5))

set title sprintf('Readings of package power: %d, mean %.4g W, standard deviation %.3g W', P_records, P_mean, P_stddev)
set xlabel 'power, all packages (W)'
set ylabel 'readings (%)'
set yrange [0:*]
set boxwidth width * 0.92
set style fill solid 0.85 noborder
unset key
plot input using (bin(column('power_w'))):(100.0 / P_records) smooth frequency with boxes lt 1
