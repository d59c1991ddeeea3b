#!/bin/sh
# .clang-format decides on layout. Its versions differ in details, so the one we use is named.
set -eu
version=14
for tool in clang-format-$version clang-format; do
	if command -v $tool >/dev/null && $tool --version | grep -q "version $version\."; then
		find sim governors drivers workloads tests -name '*.[ch]' | sort |
			xargs $tool --dry-run --Werror
		exit 0
	fi
done
echo "skipped: clang-format $version is not installed"
exit 77
