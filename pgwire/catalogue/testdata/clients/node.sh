#!/bin/sh
# What node-postgres, postgres.js, knex, sequelize, typeorm and drizzle ask. NODE_PATH names their folder.
node "$(dirname "$0")/orms.js"
cd "$(mktemp -d)" || exit 1
cat > drizzle.config.json <<CONFIG
{"dialect": "postgresql", "out": "./out", "dbCredentials": {"host": "$PGHOST", "port": $PGPORT, "user": "$PGUSER", "password": "$PGPASSWORD", "database": "$PGDATABASE", "ssl": false}}
CONFIG
ln -s "$NODE_PATH" node_modules
timeout 60 node node_modules/drizzle-kit/bin.cjs introspect --config drizzle.config.json >/dev/null
exit 0
