# Runs compared: time, energy, clock and transitions, mean and standard deviation of the repeats. Reads
# one or several runs.csv, separated by line feeds in input; a bar is named by the file's folder.
figure_width = 1200
figure_height = 760
load style

# The files, one per line feed.
count = 1
rest = input
do for [i = 1:64] {
	cut = strstrt(rest, "\n")
	if (cut > 0) {
		rest = rest[cut + 1:*]
		count = count + 1
	}
}
array file[count]
array label[count]
array mean[count]
array sd[count]
rest = input
do for [i = 1:count] {
	cut = strstrt(rest, "\n")
	file[i] = cut > 0 ? rest[1:cut - 1] : rest
	rest = cut > 0 ? rest[cut + 1:*] : ''
	name = file[i]
	slash = strstrt(name, '/runs.csv')
	name = slash > 1 ? name[1:slash - 1] : name
	do for [k = 1:64] {
		slash = strstrt(name, '/')
		if (slash > 0) {
			name = name[slash + 1:*]
		}
	}
	label[i] = name
}

set multiplot layout 2, 2 title 'Runs compared: mean and standard deviation of the repeats' font ',16'
set style fill solid 0.85 noborder
set boxwidth 0.6
unset key
set xtics scale 0 rotate by (count > 4 ? 25 : 0) right noenhanced
if (count <= 4) {
	set xtics scale 0 norotate center noenhanced
}
set xtics ('' 0)
set for [i = 1:count] xtics add (label[i] i)

names = 'elapsed_s energy_pkg_j freq_avg_ghz transitions'
array heading[4] = ['elapsed time', 'package energy', 'mean clock of busy CPUs', 'transitions']
array unit[4] = ['s', 'J', 'GHz', 'per run']
do for [m = 1:4] {
	top = 0.0
	# stats counts only what lies inside the ranges, and an array has no header row.
	set datafile columnheaders
	set datafile separator comma
	set autoscale xy
	do for [i = 1:count] {
		stats file[i] using (column(word(names, m))) name 'S' nooutput
		mean[i] = S_mean
		sd[i] = S_records > 1 ? S_stddev : 0
		top = mean[i] + sd[i] > top ? mean[i] + sd[i] : top
	}
	unset datafile columnheaders
	set datafile separator whitespace
	set xrange [0.4:count + 0.6]
	set title heading[m]
	set ylabel unit[m]
	set yrange [0:top > 0 ? top * 1.18 : 1]
	plot mean using 1:2:1 with boxes lc variable, \
		mean using 1:($2 - sd[$1]):(0):(2 * sd[$1]) with vectors nohead lc rgb '#222222' lw 2, \
		mean using 1:(mean[$1] + sd[$1]):(sprintf('%.5g', $2)) with labels offset 0, 0.7 noenhanced
}
unset multiplot
