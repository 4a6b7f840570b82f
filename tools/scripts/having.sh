#!/usr/bin/env bash
# having.sh PATTERN MODULE...: the packages whose tests have a line that matches.
# Running benchmarks only there saves linking every other test binary.
set -euo pipefail
pattern=$1
shift
{ grep -rlE --include='*_test.go' --exclude-dir=testdata "$pattern" "$@" || true; } |
	while IFS= read -r file; do echo "./$(dirname "$file")"; done | sort -u
