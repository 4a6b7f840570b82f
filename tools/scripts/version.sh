#!/usr/bin/env bash
# Prints the version that the binary is stamped with: that of versions.yaml on the
# commit that carries its tag, and a development version of it anywhere else.
set -euo pipefail
cd "$(dirname "$0")/../.."

base=$(sed -n 's/^  cmd: *//p' versions.yaml)
if ! commit=$(git rev-parse --short=12 HEAD 2>/dev/null); then
	echo "$base-dev" # a source archive
	exit 0
fi
dirty=$(git status --porcelain --untracked-files=no 2>/dev/null)
if [ -z "$dirty" ] && git tag --points-at HEAD | grep -qx "cmd/$base"; then
	echo "$base"
else
	echo "$base-dev+$commit${dirty:+.dirty}"
fi
