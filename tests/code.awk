# Prints C sources without comments and without what is between quotes, as FILE:LINE:CODE.
FNR == 1 {
	inside = 0
}

{
	line = $0
	code = ""
	while (line != "") {
		if (inside) {
			at = index(line, "*/")
			if (!at)
				break
			inside = 0
			line = substr(line, at + 2)
		} else if (match(line, /\/\*|\/\/|"([^"\\]|\\.)*"|'([^'\\]|\\.)*'/)) {
			token = substr(line, RSTART, 2)
			code = code substr(line, 1, RSTART - 1)
			if (token == "/*") {
				inside = 1
				line = substr(line, RSTART + 2)
			} else if (token == "//") {
				line = ""
			} else {
				code = code "\"\""
				line = substr(line, RSTART + RLENGTH)
			}
		} else {
			code = code line
			line = ""
		}
	}
	print FILENAME ":" FNR ":" code
}
