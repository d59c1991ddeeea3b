# How every figure looks: fonts, colours, size. Loaded first by each script, which is given
#   format   png, svg, pdf or dumb (letters on the terminal)
#   output   the picture
#   input    the CSV
set datafile separator comma
set datafile columnheaders
set encoding utf8
if (format eq 'png') {
	set terminal pngcairo size figure_width, figure_height font 'sans,13' enhanced
}
if (format eq 'svg') {
	set terminal svg size figure_width, figure_height font 'sans,13' enhanced background 'white'
}
if (format eq 'pdf') {
	set terminal pdfcairo size figure_width / 100.0, figure_height / 100.0 font 'sans,11' enhanced
}
if (format eq 'dumb') {
	set terminal dumb noenhanced size 100, 34
}
if (format ne 'dumb') {
	set output output
}

# Colours that stay apart in print and for colour-blind eyes (Okabe and Ito).
set linetype 1 lc rgb '#0072b2' lw 2 pt 7
set linetype 2 lc rgb '#d55e00' lw 2 pt 5
set linetype 3 lc rgb '#009e73' lw 2 pt 9
set linetype 4 lc rgb '#cc79a7' lw 2 pt 13
set linetype 5 lc rgb '#e69f00' lw 2 pt 11
set linetype 6 lc rgb '#56b4e9' lw 2 pt 15
set linetype 7 lc rgb '#555555' lw 2 pt 4
# Once more with dashes and open points.
do for [i = 1:7] {
	set linetype i + 7 lc rgb word('#0072b2 #d55e00 #009e73 #cc79a7 #e69f00 #56b4e9 #555555', i) \
		lw 2 dt 2 pt int(word('6 4 8 12 10 14 3', i))
}
set linetype cycle 14

set border 3 lc rgb '#444444'
set tics nomirror textcolor rgb '#222222'
set grid ytics lc rgb '#dddddd' lt 1 lw 1
set key top right samplen 2 spacing 1.2
