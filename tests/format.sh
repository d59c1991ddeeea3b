#!/bin/sh
# .clang-format decides on layout. Its versions differ in details, so the one we use is named.
set -eu
version=14
for tool in clang-format-$version clang-format; do
	if command -v $tool >/dev/null && $tool --version | grep -q "version $version\."; then
		bad=0
		for file in $(find sim governors drivers workloads tests -name '*.[ch]' | sort); do
			if ! $tool --dry-run --Werror "$file" 2>/dev/null; then
				echo "$tool -i $file"
				bad=1
			fi
		done
		exit $bad
	fi
done
echo "skipped: clang-format $version is not installed"
exit 77
