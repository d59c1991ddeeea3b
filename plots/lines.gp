# Experiments against their published numbers: points where something was published, lines with 95 %
# intervals for what was simulated, a panel per part of an experiment. Reads figure.csv: panel_nr,
# panel, series_nr, variant, numeric, x, axis, unit, published, simulated, ci95_lo, ci95_hi.
# The size depends on the data, and the style on the size.
set datafile separator comma
set datafile columnheaders
stats input using (column('panel_nr')) nooutput name 'P'
panels = int(P_max)
columns = panels < 4 ? panels : int(ceil(sqrt(panels)))
rows = (panels + columns - 1) / columns
figure_width = 440 * columns + 120
figure_height = 340 * rows + 140
load style
set datafile missing NaN

stats input using (column('series_nr')) nooutput name 'S'
variants = int(S_max)
array panel_name[panels]
array axis_name[panels]
array unit_name[panels]
array numeric[panels]
array variant_name[variants]
array tics[panels]
array low[panels]
array high[panels]
array left[panels]
array right[panels]
do for [k = 1:panels] {
	tics[k] = ''
	low[k] = 1e300
	high[k] = -1e300
	left[k] = 1e300
	right[k] = -1e300
}
min(a, b) = b == b && b < a ? b : a
max(a, b) = b == b && b > a ? b : a
tic(k, l, x) = (tics[k] = sprintf('%s%s"%s" %g', tics[k], strlen(tics[k]) ? ', ' : '', l, x), 1)
pairs = ' '
points = ' '
here(k, s) = (pairs = pairs . sprintf('%d/%d ', k, s), \
	points = column('published') == column('published') ? points . sprintf('%d/%d ', k, s) : points, 1)
text(k, s) = (panel_name[k] = stringcolumn('panel'), axis_name[k] = stringcolumn('axis'), \
	unit_name[k] = stringcolumn('unit'), numeric[k] = int(column('numeric')), \
	variant_name[s] = stringcolumn('variant'), tic(k, stringcolumn('axis'), column('x')))
range(k) = (low[k] = min(min(low[k], column('ci95_lo')), column('published')), \
	high[k] = max(max(high[k], column('ci95_hi')), column('published')), \
	left[k] = min(left[k], column('x')), right[k] = max(right[k], column('x')), 1)
note(k, s) = here(k, s) && text(k, s) && range(k)
stats input using (note(int(column('panel_nr')), int(column('series_nr')))) nooutput

set multiplot layout rows, columns title 'Published (points) and simulated (lines, 95 % intervals)' \
	font ',16'
mine(k, s) = int(column('panel_nr')) == k && int(column('series_nr')) == s
do for [k = 1:panels] {
	set title panel_name[k] noenhanced
	set ylabel unit_name[k] noenhanced
	unset logscale
	if (low[k] > 0 && high[k] > 8 * low[k]) {
		set logscale y
		set yrange [low[k] / 1.5:high[k] * 1.5]
	} else {
		room = 0.08 * (high[k] - low[k]) + 0.01 * abs(high[k]) + 1e-9
		set yrange [low[k] - room:high[k] + room]
	}
	set xtics autofreq norotate enhanced format '%g'
	if (numeric[k]) {
		set xlabel axis_name[k] noenhanced
		set key top right noenhanced
		if (left[k] > 0) {
			set logscale x 2
			set xrange [left[k] / 1.2:right[k] * 1.2]
		} else {
			set xrange [left[k] - 0.05 * (right[k] - left[k]) - 1e-9:right[k] + 0.05 * (right[k] - left[k]) + 1e-9]
		}
	} else {
		unset xlabel
		unset key
		set xrange [left[k] - 0.5:right[k] + 0.5]
		eval sprintf('set xtics rotate by 30 right noenhanced (%s)', tics[k])
	}
	# A variant keeps its colour in panels that lack another.
	drawn = ''
	there = ''
	do for [s = 1:variants] {
		drawn = strstrt(pairs, sprintf(' %d/%d ', k, s)) > 0 ? drawn . ' ' . s : drawn
		there = strstrt(points, sprintf(' %d/%d ', k, s)) > 0 ? there . ' ' . s : there
	}
	simulated = "for [s in drawn] input " . \
		"using (mine(k, int(s)) ? column('x') : NaN):(column('simulated')) " . \
		"with lines lt int(s) notitle, for [s in drawn] input " . \
		"using (mine(k, int(s)) ? column('x') : NaN):(column('simulated')):(column('ci95_lo')):(column('ci95_hi')) " . \
		"with yerrorbars lt int(s) pt 1 ps 0.7 title variant_name[int(s)]"
	# gnuplot walks an empty list once.
	marked = there eq '' ? '' : ", for [s in there] input " . \
		"using (mine(k, int(s)) ? column('x') : NaN):(column('published')) " . \
		"with points lt int(s) ps 1.3 notitle"
	eval 'plot ' . simulated . marked
}
unset multiplot
