#!/usr/bin/env bash
# Installs the browser that the tests of the pages open: Chromium without its windows, in which they take half the time,
# or Chromium where Debian has no such package. Without root nothing is installed: those tests are then skipped, or
# fail where SEMLAYER_REQUIRE_BROWSER=1 is set.
set -euo pipefail

installed() {
	local name
	for name in "$@"; do
		! command -v "$name" >/dev/null || return 0
	done
	return 1
}

if installed chromium-headless-shell; then
	echo "a browser is installed"
	exit 0
fi
if [ "$(id -u)" -eq 0 ] && command -v apt-get >/dev/null; then
	export DEBIAN_FRONTEND=noninteractive
	install=(apt-get install -y -q --no-install-recommends)
	if apt-get update -q && "${install[@]}" chromium-headless-shell; then
		exit 0
	fi
	installed chromium chromium-browser google-chrome || "${install[@]}" chromium
	exit 0
fi
installed chromium chromium-browser google-chrome || echo "missing: chromium; install it to run the tests of the pages" >&2
