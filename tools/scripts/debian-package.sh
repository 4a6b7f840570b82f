#!/usr/bin/env bash
# debian-package.sh BINARY VERSION FOLDER: writes the Debian package of a binary of this machine's architecture into a
# folder, and prints its path. The tools are those of every Debian: dpkg and dpkg-deb.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
binary=${1:?usage: debian-package.sh BINARY VERSION FOLDER}
version=${2:?usage: debian-package.sh BINARY VERSION FOLDER}
folder=${3:?usage: debian-package.sh BINARY VERSION FOLDER}
arch=$(dpkg --print-architecture)
version=${version#v}
version=${version/-/\~} # 0.1.0~dev comes before 0.1.0

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
umask 022
install -D -m 755 "$binary" "$work/usr/bin/semlayer"
install -D -m 644 "$root/LICENSE" "$work/usr/share/doc/semlayer/copyright"
"$binary" licenses | gzip -9n >"$work/usr/share/doc/semlayer/THIRD_PARTY_LICENSES.gz"
install -D -m 644 /dev/stdin "$work/usr/lib/systemd/system/semlayer.service" <<'UNIT'
[Unit]
Description=semlayer, a semantic layer
Documentation=https://github.com/semlayer/semlayer/blob/main/docs/operations.md
After=network-online.target
Wants=network-online.target
ConditionPathExists=/etc/semlayer/settings.yaml

[Service]
ExecStart=/usr/bin/semlayer serve --config /etc/semlayer/settings.yaml
ExecReload=/bin/kill -HUP $MAINPID
WorkingDirectory=/etc/semlayer
Restart=on-failure
# The longest request has that much time to end (docs/operations.md, Stopping).
TimeoutStopSec=80
DynamicUser=yes
CacheDirectory=semlayer
Environment=TMPDIR=/var/cache/semlayer
ProtectSystem=strict
ProtectHome=yes
PrivateDevices=yes
NoNewPrivileges=yes
CapabilityBoundingSet=

[Install]
WantedBy=multi-user.target
UNIT
mkdir -p "$work/DEBIAN"
# The C and C++ libraries of Debian 12, on which releases are linked (deploy/README.md).
cat >"$work/DEBIAN/control" <<CONTROL
Package: semlayer
Version: $version
Architecture: $arch
Maintainer: The maintainers of semlayer <maintainers@semlayer.invalid>
Installed-Size: $(du -sk --exclude=DEBIAN "$work" | cut -f1)
Depends: libc6 (>= 2.34), libstdc++6 (>= 12), libgcc-s1
Recommends: ca-certificates, tzdata
Section: database
Priority: optional
Homepage: https://github.com/semlayer/semlayer
Description: semantic layer: metrics over tables, in SQL, HTTP and MCP
 Describe tables, joins and metrics once, and people, dashboards and agents get
 the same numbers over HTTP, in SQL, through the protocol of PostgreSQL, as MCP
 tools and on the command line. The service starts when
 /etc/semlayer/settings.yaml exists and the unit is enabled.
CONTROL
(cd "$work" && find usr -type f -print0 | sort -z | xargs -0 md5sum) >"$work/DEBIAN/md5sums"
mkdir -p "$folder"
name=$folder/semlayer_${version}_$arch.deb
dpkg-deb --root-owner-group -Zxz --build "$work" "$name" >&2
echo "$name"
