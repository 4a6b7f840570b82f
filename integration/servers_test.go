package integration_test

import (
	"testing"

	"github.com/semlayer/semlayer/integration/internal/servers"
)

func postgreSQL() *backend {
	b := &backend{name: "postgres", family: "postgres", dialect: "postgres"}
	b.start = func(tb testing.TB) { b.use(servers.PostgreSQL(tb, &shared)) }
	return b
}

func mySQL() *backend {
	b := &backend{name: "mysql", family: "mysql"}
	b.start = func(tb testing.TB) { b.use(servers.MySQL(tb, &shared)) }
	return b
}

// use makes a server the engine of a backend.
func (b *backend) use(s *servers.Server) { b.dialect, b.load, b.drop = s.Dialect, s.Load, s.Drop }
