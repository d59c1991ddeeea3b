#!/bin/sh
# Every header compiles alone, so that no file depends on the order of its includes.
set -eu
flags="-std=c17 -D_POSIX_C_SOURCE=200809L -I. -Wall -Wextra -Wshadow -Wconversion -Werror"
flags="$flags $(pkg-config --cflags gsl yaml-0.1 liblzma zlib libzstd libtracecmd libtraceevent)"
bad=0
nr=0
for header in $(find sim governors drivers workloads -name '*.h' | sort); do
	nr=$((nr + 1))
	if ! ${CC:-cc} $flags -fsyntax-only -include "$header" -x c /dev/null; then
		echo "$header does not compile alone"
		bad=1
	fi
	if ! grep -q '^#pragma once$' "$header"; then
		echo "$header lacks #pragma once"
		bad=1
	fi
	if [ "$(head -c 2 "$header")" != "/*" ]; then
		echo "$header does not begin with a paragraph on what it knows"
		bad=1
	fi
done
echo "$nr headers"
exit $bad
