#!/usr/bin/env bash
# Writes docs/explorer-home.png and docs/explorer.png, the pictures in README.md and docs/explorer.md: the
# explorer of `semlayer demo` in the installed browser, and in it revenue by month and channel.
set -euo pipefail
cd "$(dirname "$0")/../.."
address=127.0.0.1:18481
browser=
for name in chromium chromium-browser google-chrome chromium-headless-shell; do
	browser=$(command -v "$name") && break
done
[ -n "$browser" ] || { echo "missing: chromium (make browser-install)" >&2; exit 1; }

bin/semlayer demo --stored --bind "$address" >/dev/null &
demo=$!
profile=$(mktemp -d)
trap 'kill "$demo"; wait "$demo" || true; rm -rf "$profile"' EXIT
for _ in $(seq 100); do
	curl -sf "http://$address/ready" >/dev/null && break
	sleep 0.1
done

take() {
	"$browser" --headless --no-sandbox --disable-gpu --hide-scrollbars --user-data-dir="$profile" \
		--window-size=1400,860 --force-device-scale-factor=1.25 --virtual-time-budget=8000 \
		--screenshot="$PWD/$1" "http://$address/$2" 2>/dev/null
	test -s "$1"
}
take docs/explorer-home.png ''
take docs/explorer.png '#/explore?metric=revenue&by=metric_time:month&by=orders.channel&kind=stacked&last=12-month&as_of=2025-01-01'
