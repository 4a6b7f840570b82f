#!/bin/sh
# Entrypoint of the local MySQL image. It keeps the part of the public image's
# contract that the tests use: MYSQL_ROOT_PASSWORD is the password of root from
# anywhere, arguments go to the server.
set -eu
data=/var/lib/mysql
install -d -o mysql -g mysql -m 700 "$data"
install -d -o mysql -g mysql /run/mysqld
# The compiled-in folder for files does not exist without the full package.
files=--secure-file-priv=
if [ ! -d "$data/mysql" ]; then
	mysqld --no-defaults --user=mysql --datadir="$data" "$files" --initialize-insecure
fi
cat >/run/mysqld/init.sql <<SQL
CREATE USER IF NOT EXISTS 'root'@'%' IDENTIFIED BY '$MYSQL_ROOT_PASSWORD';
GRANT ALL PRIVILEGES ON *.* TO 'root'@'%' WITH GRANT OPTION;
SQL
chown mysql /run/mysqld/init.sql
exec mysqld --no-defaults --user=mysql --datadir="$data" "$files" --bind-address=0.0.0.0 --socket=/run/mysqld/mysqld.sock \
	--init-file=/run/mysqld/init.sql "$@"
