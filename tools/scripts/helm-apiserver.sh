#!/usr/bin/env bash
# Runs the tests of the chart that need a kube-apiserver: `helm-apiserver.sh VERSION HELM`. The server is built from its Go
# module the first time, into .cache/bin. Its store is etcd of Debian, which is installed where it is missing (as root).
#
# The go.mod of Kubernetes replaces its staging modules by folders that its module does not hold. Each of them is also
# released, as v0.X.Y beside v1.X.Y. The build happens in a module of a temporary folder, whose go.mod names these.
set -euo pipefail
cd "$(dirname "$0")/../.."
version=$1 helm=$2
go=${GO:-go}
built=$PWD/.cache/bin/kube-apiserver-$version

# `downloaded MODULE@VERSION Dir` prints a file or folder of a module in the cache of Go.
downloaded() {
	(cd / && GOWORK=off GOFLAGS=-mod=mod "$go" mod download -json "$1") | sed -n 's/^\t"'"$2"'": "\(.*\)",$/\1/p'
}

build() {
	local work mod minor=${version#v1.} package=k8s.io/component-base/version
	work=$(mktemp -d)
	mod=$(downloaded "k8s.io/kubernetes@$version" GoMod)
	{
		printf 'module apiserver\n\n'
		grep -E '^go ' "$mod"
		printf '\nrequire k8s.io/kubernetes %s\n\nreplace (\n' "$version"
		sed -n 's|^\t\(k8s\.io/[^ ]*\) => \./staging/.*|\t\1 => \1 v0'"${version#v1}"'|p' "$mod"
		printf ')\n'
	} >"$work/go.mod"
	mkdir -p "$(dirname "$built")"
	# The version is what helm asks the server for.
	(cd "$work" && GOWORK=off GOFLAGS="${GOFLAGS:+$GOFLAGS }-mod=mod" CGO_ENABLED=0 "$go" build -trimpath -o "$built" \
		-ldflags "-s -w -X $package.gitVersion=$version -X $package.gitMajor=1 -X $package.gitMinor=${minor%%.*}" \
		k8s.io/kubernetes/cmd/kube-apiserver)
	rm -rf "$work"
}

[ -x "$built" ] || build
if ! command -v etcd >/dev/null; then
	apt-get update -q
	DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends etcd-server
fi
monitoring=$(downloaded github.com/prometheus-operator/prometheus-operator@v0.85.0 Dir)/example/prometheus-operator-crd/monitoring.coreos.com
gateway=$(downloaded sigs.k8s.io/gateway-api@v1.3.0 Dir)/config/crd/standard/gateway.networking.k8s.io
export CLUSTER_CRDS="${monitoring}_servicemonitors.yaml ${monitoring}_prometheusrules.yaml ${gateway}_httproutes.yaml"
cd deploy/charttest
GOWORK=off KUBE_APISERVER=$built HELM=$helm "$go" test -count=1 -timeout 60m -v -run '^TestCluster' .
