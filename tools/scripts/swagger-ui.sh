#!/usr/bin/env bash
# Fetches Swagger UI for /docs: the package of this version, with this digest, as
# npm publishes it. The served files are stored compressed, beside its licence
# and the checksums of the files as they were published; a test holds the stored
# files to those. Run it to move to another version, with VERSION and DIGEST
# changed, and read the licence again.
set -euo pipefail

VERSION=5.35.0
DIGEST=sha512-U06rpMtW9V3XPGOBeamTUSr0Z09jMX4IJuANpE/EZbAhw0G8CgwrzU4YmXkn/h0wCDNsXdGarTNNHC3sU8yVUQ==

served=(swagger-ui-bundle.js swagger-ui.css)
beside=(LICENSE NOTICE swagger-ui-bundle.js.LICENSE.txt)

into=$(cd "$(dirname "$0")/../.." && pwd)/restapi/internal/docs/swagger-ui
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

npm pack --silent "swagger-ui-dist@$VERSION" >/dev/null
got=sha512-$(openssl dgst -sha512 -binary "swagger-ui-dist-$VERSION.tgz" | openssl base64 -A)
if [ "$got" != "$DIGEST" ]; then
	echo "swagger-ui-dist $VERSION has the digest $got, not $DIGEST" >&2
	exit 1
fi
tar xzf "swagger-ui-dist-$VERSION.tgz"

mkdir -p "$into"
rm -f "$into"/*
cd package
sha256sum "${served[@]}" "${beside[@]}" >"$into/SHA256SUMS"
cp "${beside[@]}" "$into/"
for f in "${served[@]}"; do
	gzip -9 -n -c "$f" >"$into/$f.gz"
done
echo "swagger-ui-dist $VERSION" >"$into/VERSION"
ls -l "$into"
