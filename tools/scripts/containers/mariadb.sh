#!/bin/sh
# Entrypoint of the local MariaDB image. It keeps the part of the public image's
# contract that the tests use: MARIADB_ROOT_PASSWORD is the password of root from
# anywhere, arguments go to the server.
set -eu
data=/var/lib/mysql
install -d -o mysql -g mysql -m 700 "$data"
install -d -o mysql -g mysql /run/mysqld
if [ ! -d "$data/mysql" ]; then
	mariadb-install-db --no-defaults --user=mysql --datadir="$data" --auth-root-authentication-method=normal --skip-test-db
fi
cat >/run/mysqld/init.sql <<SQL
CREATE OR REPLACE USER 'root'@'%' IDENTIFIED BY '$MARIADB_ROOT_PASSWORD';
GRANT ALL PRIVILEGES ON *.* TO 'root'@'%' WITH GRANT OPTION;
SQL
chown mysql /run/mysqld/init.sql
exec mariadbd --no-defaults --user=mysql --datadir="$data" --bind-address=0.0.0.0 --socket=/run/mysqld/mysqld.sock \
	--init-file=/run/mysqld/init.sql "$@"
