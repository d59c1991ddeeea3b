# Prints which series of an SVG by gnuplot have no mark but the sample in the key. Each series is a
# group with an id; its key begins with the label, and what is drawn just right of it is the sample. Status 1 when one is empty, or when there is no series at all.

function place(text,   at)
{
	if (!match(text, /-?[0-9.]+,-?[0-9.]+/))
		return
	split(substr(text, RSTART, RLENGTH), at, ",")
	if (key == "" || at[2] - key > 9 || key - at[2] > 9 || at[1] < left || at[1] > left + 80)
		marks++
}

function end_series()
{
	if (name != "" && marks + (key == "" ? labels : 0) == 0) {
		print "nothing drawn of " name
		bad = 1
	}
}

/id="gnuplot_plot_/ {
	end_series()
	series++
	name = $0
	sub(/^.*<title>/, "", name)
	sub(/<\/title>.*$/, "", name)
	marks = labels = 0
	key = label = ""
	next
}

/<g transform="translate\(/ {
	label = $0
	sub(/^.*translate\(/, "", label)
}

/<text>/ && name != "" {
	text = $0
	gsub(/<[^>]*>|^[ \t]+/, "", text)
	if (text == name && key == "") {
		left = label + 0
		key = label
		sub(/^[^,]*,/, "", key)
		key += 0
	} else
		labels++
}

/<use|<polygon|<circle|<rect/ && name != "" {
	text = $0
	sub(/^.*(translate\(|points = '|cx='|x=')/, "", text)
	place(text)
}

# A path goes on over several lines.
/[ML]-?[0-9.]+,/ && name != "" {
	nr = split($0, strokes, "[ML]")
	for (i = 2; i <= nr; i++)
		place(strokes[i])
}

END {
	end_series()
	exit bad || !series
}
