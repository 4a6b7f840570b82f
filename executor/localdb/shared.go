package localdb

import (
	"context"
	"errors"
	"os"
	"sync"
	"testing"
	"time"
)

// RequireEnv is the variable that forbids skipping when set to 1.
const RequireEnv = "SEMLAYER_REQUIRE_SERVERS"

const startTimeout = 60 * time.Second

// Shared keeps at most one server of each kind for all tests of a process. The
// first test that asks starts it. The zero value is ready for use.
type Shared struct {
	postgres, mariadb lazy
}

// Run runs the tests and then stops what they started. It returns the exit code.
func (s *Shared) Run(m *testing.M) int {
	defer s.Stop()
	return m.Run()
}

// Stop stops what was started.
func (s *Shared) Stop() {
	s.postgres.stop()
	s.mariadb.stop()
}

// Postgres returns the PostgreSQL server, or skips the test.
func (s *Shared) Postgres(tb testing.TB) *Server {
	tb.Helper()
	return s.postgres.get(tb, StartPostgres)
}

// MariaDB returns the MariaDB server, or skips the test.
func (s *Shared) MariaDB(tb testing.TB) *Server {
	tb.Helper()
	return s.mariadb.get(tb, StartMariaDB)
}

type lazy struct {
	once   sync.Once
	server *Server
	err    error
}

func (l *lazy) get(tb testing.TB, start func(context.Context) (*Server, error)) *Server {
	tb.Helper()
	l.once.Do(func() {
		// The server outlives the test that happens to start it.
		ctx, cancel := context.WithTimeout(context.WithoutCancel(tb.Context()), startTimeout)
		defer cancel()
		l.server, l.err = start(ctx)
	})
	if errors.Is(l.err, ErrMissing) && os.Getenv(RequireEnv) != "1" {
		tb.Skipf("%v; set %s=1 to make this a failure", l.err, RequireEnv)
	}
	if l.err != nil {
		tb.Fatal(l.err)
	}
	return l.server
}

func (l *lazy) stop() {
	if l.server != nil {
		l.server.Stop()
	}
}
