#!/usr/bin/env bash
# fuzz.sh [TIME [MODULE...]]: every fuzz target for TIME (FUZZTIME, 30s), one after the
# other, because the go command fuzzes one target of one package at a time. Ends with its
# figures, as a test prints its attributes: tools/promises reads them.
set -euo pipefail
cd "$(dirname "$0")/../.."
time=${1:-${FUZZTIME:-30s}}
if [ $# -gt 1 ]; then
	shift
else
	mapfile -t modules < <(sed -n 's|^\t\./||p' go.work)
	set -- "${modules[@]}"
fi
said=$(mktemp)
trap 'rm -f "$said"' EXIT
run() { "${GO:-go}" test -run '^$' -fuzz "^$target\$" -fuzztime "$time" "$package" | tee "$said"; }
# Before Go 1.27 the end of the time is taken for a failure now and then, on a busy machine
# (go.dev/issue/75804): such a run has no result, and is repeated.
found() { ! grep -q 'context deadline exceeded' "$said" || grep -q 'Failing input written' "$said"; }
targets=0 inputs=0 failures=0 failed=
for package in $(tools/scripts/having.sh '^func Fuzz' "$@"); do
	for target in $(sed -n 's/^func \(Fuzz[A-Za-z0-9_]*\)(.*/\1/p' "$package"/*_test.go); do
		echo "fuzz $package $target"
		targets=$((targets + 1))
		if ! run && { found || ! run; }; then
			failures=$((failures + 1))
			failed+=" $package.$target"
		fi
		tried=$(sed -n 's/.*execs: \([0-9]*\).*/\1/p' "$said" | tail -n 1)
		inputs=$((inputs + ${tried:-0}))
	done
done
printf '=== ATTR  fuzz %s\n' "targets $targets" "inputs $inputs" "failed $failures"
if [ -n "$failed" ]; then
	echo "fuzz: failures in$failed" >&2
	exit 1
fi
