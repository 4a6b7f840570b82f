package integration_test

import (
	"testing"

	"github.com/semlayer/semlayer/integration/internal/containers"
	"github.com/semlayer/semlayer/integration/internal/servers"
)

// shared are the servers of the run: of the environment, in containers or installed.
var shared = containers.SharedServers()

func postgreSQL() *backend {
	b := &backend{name: "postgres", family: "postgres", dialect: "postgres"}
	b.start = func(tb testing.TB) { b.connect(servers.PostgreSQL(tb, shared)) }
	return b
}

func mariaDB() *backend {
	b := &backend{name: "mariadb", family: "mysql", dialect: "mariadb"}
	b.start = func(tb testing.TB) { b.connect(servers.MariaDB(tb, shared)) }
	return b
}

func mySQL() *backend {
	b := &backend{name: "mysql", family: "mysql", dialect: "mysql"}
	b.start = func(tb testing.TB) { b.connect(servers.MySQL(tb, shared)) }
	return b
}

// connect makes a server the engine of a backend.
func (b *backend) connect(s *servers.Server) { b.load, b.drop = s.Load, s.Drop }
