#!/bin/sh
# Each command that psql 15 has for what a database holds.
psql --no-psqlrc --quiet <<'COMMANDS'
\d
\d orders
\d+ orders
\d customers
\d "Order Items"
\d+ "Order Items"
\d events
\d orders_pkey
\d nope
\d pg_class
\d+ pg_roles
\d *items*
\dt
\dt+
\dt or*
\dt public.*
\dv
\dv+
\di
\di+
\di orders*
\ds
\dm
\dE
\dn
\dn+
\dn public
\l
\l+
\du
\du+
\dg
\df
\df+ version
\df pg_get_*
\df *to_reg*
\da
\da sum
\dT
\dT+
\dT text
\dD
\dD+ information_schema.*
\do =
\do+ ~
\dO
\dC
\dc
\db
\dp
\z orders
\ddp
\dd
\dx
\dy
\dF
\dFd
\dFp
\dFt
\dL
\dL+
\dA
\dA+
\dAc btree
\dAf btree
\dAo btree
\dAp btree
\dP
\dRp
\dRs
\drds
\dconfig *search*
\dew
\des
\deu
\det
\dX
\dS pg_t*
\dtS pg_t*
\sv pg_roles
\conninfo
\encoding
select version();
select current_database(), current_user, session_user, current_schema();
select current_setting('server_version_num'), current_setting('search_path');
COMMANDS
exit 0
