#!/usr/bin/env bash
# Writes docs/explorer.png, the picture in README.md: the explorer of `semlayer demo` in the
# installed browser, with revenue by month and channel.
set -euo pipefail
cd "$(dirname "$0")/../.."
address=127.0.0.1:18481
browser=
for name in chromium chromium-browser google-chrome; do
	browser=$(command -v "$name") && break
done
[ -n "$browser" ] || { echo "missing: chromium (make browser-install)" >&2; exit 1; }

bin/semlayer demo --bind "$address" >/dev/null &
demo=$!
profile=$(mktemp -d)
trap 'kill "$demo"; wait "$demo" || true; rm -rf "$profile"' EXIT
for _ in $(seq 100); do
	curl -sf "http://$address/ready" >/dev/null && break
	sleep 0.1
done

query='metric=revenue&by=metric_time:month&by=orders.channel'
"$browser" --headless --no-sandbox --disable-gpu --hide-scrollbars --user-data-dir="$profile" \
	--window-size=1200,760 --force-device-scale-factor=1.25 --virtual-time-budget=8000 \
	--screenshot="$PWD/docs/explorer.png" "http://$address/#/explore?$query" 2>/dev/null
test -s docs/explorer.png
