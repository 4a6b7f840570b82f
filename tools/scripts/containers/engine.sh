#!/usr/bin/env bash
# engine.sh up|down: a container engine for the tests.
#
# up starts dockerd where no engine answers, and on Debian installs it first; both
# need root. down stops the one that up has started and no other. Images stay.
set -euo pipefail
cd "$(dirname "$0")/../../.."
state=$PWD/.cache/containers
pidfile=$state/dockerd.pid

answers() { timeout 10 docker version --format '{{.Server.Version}}' 2>/dev/null; }

install() {
	local missing=()
	command -v dockerd >/dev/null || missing+=(docker.io)
	command -v docker >/dev/null || missing+=(docker.io)
	command -v iptables >/dev/null || missing+=(iptables)
	[ ${#missing[@]} -gt 0 ] || return 0
	if ! command -v apt-get >/dev/null; then
		echo "no container engine answers, and without apt-get none can be installed here" >&2
		return 1
	fi
	export DEBIAN_FRONTEND=noninteractive
	apt-get update -q
	apt-get -o DPkg::Lock::Timeout=300 install -y -q --no-install-recommends "${missing[@]}"
}

up() {
	if version=$(answers); then
		echo "container engine $version"
		return
	fi
	if [ "$(id -u)" -ne 0 ]; then
		echo "no container engine answers; start one, or run this as root" >&2
		return 1
	fi
	install
	# Installing may have started it, where there is an init system.
	if version=$(answers); then
		echo "container engine $version"
		return
	fi
	mkdir -p "$state"
	# In a separate session, so that an interrupt at the terminal leaves it to
	# down; with our own pid file, because dockerd writes one for its own use.
	setsid dockerd >"$state/dockerd.log" 2>&1 </dev/null &
	echo $! >"$pidfile"
	for _ in $(seq 150); do
		if version=$(answers); then
			echo "container engine $version, started for the tests"
			return
		fi
		kill -0 "$(cat "$pidfile")" 2>/dev/null || break
		sleep 0.2
	done
	down
	echo "dockerd does not start; its last words:" >&2
	tail -20 "$state/dockerd.log" >&2
	return 1
}

down() {
	[ -f "$pidfile" ] || return 0
	pid=$(cat "$pidfile")
	rm -f "$pidfile"
	# A pid of an earlier boot may belong to another process by now.
	[ "$(cat "/proc/$pid/comm" 2>/dev/null)" = dockerd ] || return 0
	kill "$pid"
	for _ in $(seq 100); do
		kill -0 "$pid" 2>/dev/null || return 0
		sleep 0.2
	done
	echo "dockerd $pid is still stopping" >&2
}

case ${1-} in
up) up ;;
down) down ;;
*)
	echo "usage: engine.sh up|down" >&2
	exit 2
	;;
esac
