package containers

import (
	"context"
	"database/sql"
	"time"

	"github.com/go-sql-driver/mysql"
	"github.com/jackc/pgx/v5"

	"github.com/semlayer/semlayer/executor/localdb"
)

// A server that listens replies at once; an unused address may stay silent.
const loginTimeout = 3 * time.Second

// prepareUser logs in. In the MySQL family the first user then makes way for a user
// like the one that localdb's servers have.
func prepareUser(ctx context.Context, at *localdb.Address) error {
	ctx, cancel := context.WithTimeout(ctx, loginTimeout)
	defer cancel()
	if at.Engine == localdb.Postgres {
		conn, err := pgx.Connect(ctx, at.URI())
		if err != nil {
			return err
		}
		return conn.Close(ctx)
	}
	c := mysql.NewConfig()
	c.User, c.Passwd, c.Net, c.Addr = at.User, at.Password, "tcp", at.HostPort()
	c.MultiStatements = true
	// Connections that break while the server starts are expected.
	c.Logger = &mysql.NopLogger{}
	connector, err := mysql.NewConnector(c)
	if err != nil {
		return err
	}
	db := sql.OpenDB(connector)
	defer func() { _ = db.Close() }()
	// The password is letters and digits.
	_, err = db.ExecContext(ctx, "CREATE DATABASE IF NOT EXISTS "+at.Database+" CHARACTER SET utf8mb4 COLLATE utf8mb4_bin; "+
		"CREATE USER IF NOT EXISTS '"+testUser+"'@'%' IDENTIFIED BY '"+at.Password+"'; "+
		"GRANT ALL PRIVILEGES ON *.* TO '"+testUser+"'@'%' WITH GRANT OPTION")
	if err != nil {
		return err
	}
	at.User = testUser
	return nil
}
