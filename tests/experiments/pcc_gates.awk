# What the kernel build has to show, from the rows of `reproduce pcc-kernel-build --format csv`: how near
# the cells come that nothing was fitted on, and the orders that survive any tolerance. Status 1 when
# something does not hold.
function abs(x) { return x < 0 ? -x : x }
function check(holds, text) {
	print (holds ? "holds: " : "FAILS: ") text
	bad += !holds
}
function t(variant, rate, jobs) { return simulated["pcc_elapsed_" variant "_" rate "us_" jobs] }

BEGIN { FS = "," }
NR > 1 {
	simulated[$2] = $5
	rate = 0
	if (match($2, /_[0-9]+us_/))
		rate = substr($2, RSTART + 1, RLENGTH - 4) + 0
	if ($11 == "prediction" && $4 != "" && rate > 10000) {
		kind = $2 ~ /elapsed/ ? "elapsed" : "cpu"
		nr[kind]++
		sum[kind] += abs($8)
		if (abs($8) > worst[kind]) {
			worst[kind] = abs($8)
			where[kind] = $2
		}
	}
	if ($2 ~ /^pcc_elapsed_rc2_v1_/) {
		nr["v1"]++
		sum["v1"] += abs($8)
	}
}
END {
	check(nr["elapsed"] == 70 && nr["cpu"] == 70, "70 cells at 20 to 90 ms")
	check(sum["elapsed"] / 70 <= 3, sprintf("elapsed, mean error %.2f %% (3)", sum["elapsed"] / 70))
	check(worst["elapsed"] <= 13, sprintf("elapsed, worst %.1f %% (13), %s", worst["elapsed"], where["elapsed"]))
	check(sum["cpu"] / 70 <= 5, sprintf("CPU seconds, mean error %.2f %% (5)", sum["cpu"] / 70))
	check(nr["v1"] == 7 && sum["v1"] / 7 <= 4, sprintf("v1 of rc2, mean error %.2f %% (4)", sum["v1"] / 7))

	n = split("10000 20000 30000 45000 60000 90000", rates, " ")
	split("2 4 8 16 32 64 120", jobs, " ")
	falls = 1
	for (i = 2; i <= n; i++)
		falls = falls && t("vanilla", rates[i], 32) < t("vanilla", rates[i - 1], 32)
	check(falls, "new map at 32 jobs: falls with the period")
	best = 1
	for (i = 1; i <= n; i++) {
		total = 0
		for (k = 1; k <= 7; k++)
			total += t("vanilla", rates[i], jobs[k])
		totals[i] = total
		if (t("vanilla", rates[i], 2) < t("vanilla", rates[best], 2))
			best = i
		if (!least || total < totals[least])
			least = i
	}
	check(best == 2 || best == 3, "new map, 2 jobs: best at " rates[best] " us (20 or 30 ms)")
	check(rates[least] >= 30000 && rates[least] <= 60000,
		"new map, sum over jobs: least at " rates[least] " us (30 to 60 ms)")
	for (k = 1; k <= 2; k++)
		for (i = 2; i <= n; i++)
			check(t("revert_6393d6a", 10000, jobs[k]) < t("revert_6393d6a", rates[i], jobs[k]),
				"old map, " jobs[k] " jobs: 10 ms before " rates[i] " us")
	gap = 100 * (t("vanilla", 90000, 2) / t("revert_6393d6a", 90000, 2) - 1)
	check(abs(gap) < 2, sprintf("maps at 2 jobs and 90 ms: %.2f %% apart (2)", gap))
	for (k = 3; k <= 5; k++) {
		steps = simulated["pcc_elapsed_10ms_10steps_" jobs[k]]
		check(t("vanilla", 10000, jobs[k]) > steps && steps > t("revert_6393d6a", 10000, jobs[k]),
			"10 ms, " jobs[k] " jobs: new > 10 steps > old")
	}
	exit bad > 0
}
