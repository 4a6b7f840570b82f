#!/usr/bin/env bash
# mysql-test.sh [GO TEST FLAG...]: the tests that need MySQL, on the server of Debian's unstable release, which runs beside an
# installed MariaDB: its packages are unpacked into .cache/mysql the first time (60 MB), with the libraries that they need, and
# nothing is installed. Needs apt and Debian's keys; SEMLAYER_APT_MIRROR names another mirror.
set -euo pipefail
cd "$(dirname "$0")/../.."
unpacked=$PWD/.cache/mysql
loader=usr/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2

unpack() {
	local work
	work=$(mktemp -d)
	mkdir -p "$work/lists/partial" "$work/archives/partial"
	: >"$work/status"
	echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] ${SEMLAYER_APT_MIRROR:-http://deb.debian.org/debian} sid main" >"$work/sources.list"
	# The state is in the folder: the machine keeps its release and its packages.
	local apt=(apt-get -q -o Dir::Etc::SourceList="$work/sources.list" -o Dir::Etc::SourceParts=/dev/null -o Dir::State::Lists="$work/lists"
		-o Dir::State::status="$work/status" -o Dir::Cache="$work" -o Acquire::Check-Valid-Until=false -o Acquire::Languages=none
		-o APT::Sandbox::User=root -o Debug::NoLocking=1)
	"${apt[@]}" update
	"${apt[@]}" install -y --no-install-recommends --download-only mysql-server-core
	rm -rf "$unpacked"
	mkdir -p "$unpacked/bin"
	for package in "$work"/archives/*.deb; do dpkg-deb -x "$package" "$unpacked"; done
	cat >"$unpacked/bin/mysqld" <<-EOF
		#!/bin/sh
		exec "$unpacked/$loader" --library-path "$unpacked/usr/lib/x86_64-linux-gnu" "$unpacked/usr/sbin/mysqld" "\$@" \\
			--basedir="$unpacked/usr" --lc-messages-dir="$unpacked/usr/share/mysql" --plugin-dir="$unpacked/usr/lib/mysql/plugin"
	EOF
	chmod 755 "$unpacked/bin/mysqld"
	rm -rf "$work"
}

[ -x "$unpacked/bin/mysqld" ] || unpack
# A server that root starts runs as this user.
[ "$(id -u)" != 0 ] || id mysql >/dev/null 2>&1 || useradd --system --no-create-home mysql
export PATH="$unpacked/bin:$PATH" SEMLAYER_SERVERS=dsn,local SEMLAYER_REQUIRE_SERVERS=mysql
go=${GO:-go}
# Tests of MySQL, and tests of every engine, of which one part is MySQL's.
"$go" test -count=1 -timeout 30m -run '_MySQL$' "$@" ./executor/mysql ./executor/tables ./integration/generated
"$go" test -count=1 -timeout 30m -run '^Test(.*OnEveryEngine|Corpus_Rows|NativeExpression|Differences|Precedence|Session_.*)/^mysql$' "$@" ./executor/mysql ./integration ./integration/expressions
