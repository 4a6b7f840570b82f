# shellcheck shell=bash disable=SC2154
# debian.sh: how images are made from Debian packages, for machines that reach no
# registry. To be sourced; needs root, $work and a running container engine.
#
# The packages come from SEMLAYER_APT_MIRROR or else from where this machine gets
# its own, through the same proxy.
export DEBIAN_FRONTEND=noninteractive LC_ALL=C

mirror() {
	local uri=${SEMLAYER_APT_MIRROR-}
	if [ -z "$uri" ]; then
		uri=$(apt-get indextargets --format '$(ORIGIN) $(REPO_URI)' 'Created-By: Packages' |
			awk '$1 == "Debian" && $2 !~ /security/ { print $2; exit }')
	fi
	# Origins are known after the first update only.
	echo "${uri:-http://deb.debian.org/debian}"
}

needs() {
	command -v debootstrap >/dev/null && return
	apt-get update -q
	apt-get -o DPkg::Lock::Timeout=300 install -y -q --no-install-recommends debootstrap
}

# bootstrap SUITE: a minimal system in $work/SUITE, made once.
bootstrap() {
	local root=$work/$1
	[ ! -d "$root" ] || return 0
	echo "debootstrap $1"
	debootstrap --variant=minbase "$1" "$root" "$(mirror)" >"$work/log" 2>&1 || {
		tail -20 "$work/log" >&2
		return 1
	}
	apt-config dump | grep -E '^Acquire::https?::' >"$root/etc/apt/apt.conf.d/80machine" || true
	# Mirrors that are no longer updated have unstable releases whose dates have expired.
	cat >"$root/etc/apt/apt.conf.d/90images" <<-'EOF'
		Acquire::Check-Valid-Until "false";
		APT::Install-Recommends "false";
	EOF
	# An image that is half made is made again: nothing has to be safe on the disk.
	echo force-unsafe-io >"$root/etc/dpkg/dpkg.cfg.d/90images"
	# Nothing is started while packages are installed.
	printf '#!/bin/sh\nexit 101\n' >"$root/usr/sbin/policy-rc.d"
	chmod +x "$root/usr/sbin/policy-rc.d"
}

# import ROOT TAG [docker import FLAG...]: the folder as an image.
import() {
	local root=$1 tag=$2
	shift 2
	tar -C "$root" --numeric-owner --one-file-system -c . | docker import "$@" - "$tag" >/dev/null
	docker image inspect --format "$tag: {{.Size}} bytes" "$tag"
}
