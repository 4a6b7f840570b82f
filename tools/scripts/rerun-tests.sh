#!/usr/bin/env bash
# Runs go test, and runs each test that failed again, alone and at most twice, with all of its
# subtests. More than ten failures are not chance, and are not run again; the runs that write
# into one file share the ten. A data race, a panic and a build failure are never run again.
#
#	rerun-tests.sh GOTESTSUM FILE FLAG... PACKAGE...
#
# GOTESTSUM is the program of that name. The tests that were run again are added to FILE, with
# their packages. Packages begin with a dot.
set -euo pipefail
gotestsum=$1 file=$2
shift 2
flags=() packages=()
for arg in "$@"; do
	case $arg in
	./*) packages+=("$arg") ;;
	*) flags+=("$arg") ;;
	esac
done
touch "$file"
earlier=$(grep -cE '\.[A-Z][^/.]*: [0-9]+ runs' "$file" || true) # tests, not their subtests
report=$(mktemp)
trap 'rm -f "$report"' EXIT
result=0
"$gotestsum" --format pkgname --format-icons text --hide-summary skipped --no-color \
	--rerun-fails=2 --rerun-fails-max-failures $((10 - earlier)) --rerun-fails-run-root-test --rerun-fails-abort-on-data-race \
	--rerun-fails-report "$report" --packages "${packages[*]}" -- "${flags[@]}" || result=$?
cat "$report" >>"$file"
exit "$result"
