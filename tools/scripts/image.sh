#!/usr/bin/env bash
# image.sh TAG [docker build FLAG...]: builds deploy/Dockerfile with BuildKit.
#
# IMAGE_BASES=local takes bases that are made here from Debian packages, for machines
# that reach no registry (as root); IMAGE_BINARY=prebuilt takes bin/semlayer instead of
# compiling inside.
set -euo pipefail
cd "$(dirname "$0")/../.."
tag=${1:?usage: image.sh TAG [FLAG...]}
shift

# A client before version 23 has BuildKit in itself; later ones have it in a plugin
# that may be missing.
for docker in docker /usr/bin/docker none; do
	"$docker" buildx version >/dev/null 2>&1 && break
	major=$("$docker" version --format '{{.Client.Version}}' 2>/dev/null | cut -d. -f1) || true
	[ -n "${major-}" ] && [ "$major" -lt 23 ] && break
done
if [ "$docker" = none ]; then
	echo "no docker with BuildKit: install docker-buildx" >&2
	exit 1
fi

flags=(
	--build-arg "VERSION=$(tools/scripts/version.sh)"
	--build-arg "REVISION=$(git rev-parse HEAD 2>/dev/null || echo unknown)"
	--build-arg "BINARY=${IMAGE_BINARY:-source}"
)
if [ "${IMAGE_BASES-}" = local ]; then
	bases=(base)
	[ "${IMAGE_BINARY:-source}" = prebuilt ] || bases+=(go)
	tools/scripts/containers/bases.sh "${bases[@]}"
	flags+=(--build-arg GO_IMAGE=semlayer-local/go --build-arg BASE_IMAGE=semlayer-local/base --network=host)
	for name in GOPROXY GOSUMDB; do
		flags+=(--build-arg "$name=$("${GO:-go}" env "$name")")
	done
	for name in HTTP_PROXY HTTPS_PROXY NO_PROXY; do
		[ -z "${!name-}" ] || flags+=(--build-arg "$name")
	done
fi
DOCKER_BUILDKIT=1 "$docker" build -f deploy/Dockerfile -t "$tag" "${flags[@]}" "$@" .
docker image inspect --format '{{index .RepoTags 0}}: {{.Size}} bytes' "$tag"
