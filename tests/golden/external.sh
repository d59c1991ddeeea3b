#!/bin/sh
# All vectors, where there are more than the tree carries: in $CPUFREQSIM_GOLDEN, or beside the
# checkout. Says so when there are none.
dir=${CPUFREQSIM_GOLDEN:-../shared/golden}
if [ ! -d "$dir" ]; then
	echo "not checked: no vectors in $dir (CPUFREQSIM_GOLDEN names another place)"
	exit 77
fi
exec "$CPUFREQSIM_BUILD/golden-check" "$dir"
