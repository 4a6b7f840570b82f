#!/usr/bin/env bash
# images.sh ENGINE...: builds server images from Debian packages, for machines that
# reach no registry. ENGINE is postgres, mariadb or mysql; the image is called
# semlayer-local/ENGINE and is left alone when it exists. Needs root, for
# debootstrap, and a running container engine.
#
# The packages come from SEMLAYER_APT_MIRROR or else from where this machine gets
# its own, through the same proxy.
set -euo pipefail
cd "$(dirname "$0")"
entrypoints=$PWD
export DEBIAN_FRONTEND=noninteractive LC_ALL=C

# PostgreSQL and MariaDB of the stable release; MySQL is only in the unstable one.
stable=bookworm
unstable=sid

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

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
	# Mirrors that stand still have outlived the dates in their unstable releases.
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

# build ENGINE SUITE PORT PACKAGE...: an image of the suite with the packages.
build() {
	local engine=$1 suite=$2 port=$3 tag=semlayer-local/$1:latest root=$work/$1
	shift 3
	if docker image inspect "$tag" >/dev/null 2>&1; then
		echo "$tag is there"
		return
	fi
	needs
	bootstrap "$suite"
	cp -a "$work/$suite" "$root"
	echo "$tag: install $*"
	{
		chroot "$root" apt-get update -q
		# PostgreSQL's packages make a cluster of their own unless told not to.
		mkdir -p "$root/etc/postgresql-common"
		echo 'create_main_cluster = false' >"$root/etc/postgresql-common/createcluster.conf"
		chroot "$root" apt-get -o Dpkg::Options::=--force-confold install -y -q "$@"
		chroot "$root" sh -c 'id mysql || useradd --system --no-create-home mysql'
		chroot "$root" apt-get clean
	} >"$work/log" 2>&1 </dev/null || {
		tail -20 "$work/log" >&2
		return 1
	}
	rm -rf "$root"/var/lib/apt/lists/*
	install -m 755 "$entrypoints/$engine.sh" "$root/entrypoint.sh"
	tar -C "$root" --numeric-owner --one-file-system -c . |
		docker import --change 'ENTRYPOINT ["/entrypoint.sh"]' --change "EXPOSE $port" --change 'ENV LC_ALL=C.UTF-8' - "$tag" >/dev/null
	rm -rf "$root"
	docker image inspect --format "$tag: {{.Size}} bytes" "$tag"
}

for engine in "$@"; do
	case $engine in
	postgres) build postgres "$stable" 5432 postgresql ;;
	mariadb) build mariadb "$stable" 3306 mariadb-server-core mariadb-client-core ;;
	mysql) build mysql "$unstable" 3306 mysql-server-core mysql-client-core ;;
	*)
		echo "no image is known for $engine" >&2
		exit 2
		;;
	esac
done
