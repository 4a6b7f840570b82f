#!/usr/bin/env bash
# Installs the browser that the tests of the pages open. Without root nothing is
# installed: those tests are then skipped, or fail where SEMLAYER_REQUIRE_BROWSER=1
# is set.
set -euo pipefail

if command -v chromium >/dev/null || command -v chromium-browser >/dev/null || command -v google-chrome >/dev/null; then
	echo "a browser is installed"
	exit 0
fi
if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null; then
	echo "missing: chromium; install it to run the tests of the pages" >&2
	exit 0
fi
export DEBIAN_FRONTEND=noninteractive
apt-get update -q
apt-get install -y -q --no-install-recommends chromium
