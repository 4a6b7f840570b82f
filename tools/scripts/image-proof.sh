#!/usr/bin/env bash
# image-proof.sh: builds the image and tests it, in one command on a Debian machine with
# Go, as root. A container engine is started where none answers and ended afterwards;
# the image stays.
#
# The bases come from their registries with IMAGE_BASES=public, and are otherwise made
# here. IMAGE_BINARY=source compiles inside of the image, as a release does.
set -euo pipefail
cd "$(dirname "$0")/../.."
tag=semlayer:test
export IMAGE_BASES=${IMAGE_BASES:-local} IMAGE_BINARY=${IMAGE_BINARY:-prebuilt}

trap 'tools/scripts/containers/engine.sh down' EXIT
tools/scripts/containers/engine.sh up
if [ "$IMAGE_BINARY" = prebuilt ]; then
	make --no-print-directory binary
fi
tools/scripts/image.sh "$tag"
tools/scripts/image-test.sh "$tag"
