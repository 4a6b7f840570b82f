#!/usr/bin/env bash
# bases.sh base|go...: the base images of deploy/Dockerfile, made from Debian packages,
# for machines that reach no registry. Needs root and a running container engine;
# images that exist are left alone.
#
#	semlayer-local/go    Debian with compilers, and this machine's Go
#	semlayer-local/base  what gcr.io/distroless/cc-debian12 holds: the C and C++
#	                     libraries, certificates and time zones, and no shell
set -euo pipefail
cd "$(dirname "$0")"
go=${GO:-go}
suite=bookworm

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# shellcheck source=tools/scripts/containers/debian.sh
. ./debian.sh

there() { docker image inspect "$1" >/dev/null 2>&1; }

quietly() {
	"$@" >"$work/log" 2>&1 </dev/null || {
		tail -20 "$work/log" >&2
		return 1
	}
}

# What this machine trusts beside the usual authorities: a proxy in front of the Go
# modules may have its own certificate.
certificates() {
	install -D -m 644 /etc/ssl/certs/ca-certificates.crt "$1/etc/ssl/certs/ca-certificates.crt"
}

builder() {
	local tag=semlayer-local/go:latest root=$work/$suite
	! there "$tag" || return 0
	needs
	bootstrap "$suite"
	echo "$tag: install compilers"
	quietly chroot "$root" apt-get update -q
	quietly chroot "$root" apt-get install -y -q gcc g++ libc6-dev ca-certificates
	chroot "$root" apt-get clean
	rm -rf "$root"/var/lib/apt/lists/*
	cp -a "$("$go" env GOROOT)" "$root/usr/local/go"
	certificates "$root"
	import "$root" "$tag" --change 'ENV PATH=/usr/local/go/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin' --change 'ENV GOTOOLCHAIN=local'
}

# Packages are unpacked and not installed: no script runs, and no shell is needed.
base() {
	local tag=semlayer-local/base:latest root=$work/base
	! there "$tag" || return 0
	needs
	bootstrap "$suite"
	echo "$tag: unpack libraries"
	quietly chroot "$work/$suite" apt-get update -q
	mkdir -p "$work/$suite/debs" "$root"
	quietly chroot "$work/$suite" sh -c 'cd /debs && apt-get download base-files netbase tzdata media-types libc6 libgcc-s1 libgomp1 libstdc++6 libssl3 gcc-12-base'
	for deb in "$work/$suite/debs"/*.deb; do
		dpkg-deb -x "$deb" "$root"
	done
	rm -rf "$work/$suite/debs" "$root"/usr/share/doc "$root"/usr/share/man
	certificates "$root"
	printf 'root:x:0:0:root:/root:/sbin/nologin\nnonroot:x:65532:65532:nonroot:/home/nonroot:/sbin/nologin\n' >"$root/etc/passwd"
	printf 'root:x:0:\nnonroot:x:65532:\n' >"$root/etc/group"
	install -d -m 1777 "$root/tmp"
	install -d -o 65532 -g 65532 -m 700 "$root/home/nonroot"
	import "$root" "$tag" --change 'USER 65532' --change 'WORKDIR /home/nonroot' --change 'ENV SSL_CERT_FILE=/etc/ssl/certs/ca-certificates.crt'
}

for name in "$@"; do
	case $name in
	base) base ;;
	go) builder ;;
	*)
		echo "no base image is called $name" >&2
		exit 2
		;;
	esac
done
