# Plants one mistake: prints the file with the first @OLD behind @BEHIND replaced by @NEW, and
# refuses what is not one token, or not where it is said to be. With @BEHIND "-", @OLD must be in
# the file exactly once.
#
# usage: BEHIND=... OLD=... NEW=... awk -f plant.awk FILE

function refuse(why)
{
	print FILENAME ": " why >"/dev/stderr"
	status = 1
	exit 1
}

# Cuts @text into words, numbers and signs.
function tokens(text, out,    nr)
{
	nr = 0
	while (match(text, /[A-Za-z0-9_]+|->|<<=|>>=|<<|>>|<=|>=|==|!=|&&|\|\||\+\+|--|[-+*\/%&|^]=|[^ \t]/)) {
		out[++nr] = substr(text, RSTART, RLENGTH)
		text = substr(text, RSTART + RLENGTH)
	}
	return nr
}

# Whether they differ in one token: another one, one more, or one less.
function one_token(old, new,    a, b, nr_a, nr_b, front, back)
{
	nr_a = tokens(old, a)
	nr_b = tokens(new, b)
	front = back = 0
	while (front < nr_a && front < nr_b && a[front + 1] == b[front + 1])
		front++
	while (back < nr_a - front && back < nr_b - front && a[nr_a - back] == b[nr_b - back])
		back++
	return old != new && nr_a - front - back <= 1 && nr_b - front - back <= 1
}

BEGIN {
	behind = ENVIRON["BEHIND"]
	old = ENVIRON["OLD"]
	new = ENVIRON["NEW"]
	reached = behind == "-"
}

{
	if (!reached && index($0, behind))
		reached = 1
	at = reached ? index($0, old) : 0
	if (at && (behind == "-" || !found)) {
		found++
		if (index(substr($0, at + 1), old))
			refuse("twice in one line: " old)
		$0 = substr($0, 1, at - 1) new substr($0, at + length(old))
	}
	print
}

END {
	if (status)
		exit status
	if (!one_token(old, new))
		refuse("not one token: " old " -> " new)
	if (!reached)
		refuse("not there: " behind)
	if (!found)
		refuse("not there: " old)
	if (found > 1)
		refuse("there " found " times: " old)
}
