package localdb

import (
	"context"
	"errors"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// RequireServersEnv is the variable that forbids skipping: 1 for every engine, or the
// names of engines with commas between them.
const RequireServersEnv = "SEMLAYER_REQUIRE_SERVERS"

// A container may have to be fetched first; its source gives up long before when
// nothing comes.
const startTimeout = 10 * time.Minute

// SharedServers keeps at most one server of each kind for all tests of a process. The
// first test that asks starts it. The zero value is ready for use.
type SharedServers struct {
	// Sources are asked in this order, unless the environment names another;
	// nil is DSN and Local.
	Sources []ServerSource

	postgres, mariadb, mysql lazilyStartedServer
}

// RunTests runs the tests and then stops what they started. It returns the exit code.
func (s *SharedServers) RunTests(m *testing.M) int {
	defer s.Stop()
	return m.Run()
}

// Stop stops what was started.
func (s *SharedServers) Stop() {
	for _, l := range []*lazilyStartedServer{&s.postgres, &s.mariadb, &s.mysql} {
		l.stop()
	}
}

// Postgres returns the PostgreSQL server, or skips the test.
func (s *SharedServers) Postgres(tb testing.TB) *Server {
	tb.Helper()
	return s.postgres.startOnce(tb, Postgres, s.startFromSources)
}

// MariaDB returns the MariaDB server, or skips the test.
func (s *SharedServers) MariaDB(tb testing.TB) *Server {
	tb.Helper()
	return s.mariadb.startOnce(tb, MariaDB, s.startFromSources)
}

// MySQL returns the MySQL server, which is never a MariaDB, or skips the test.
func (s *SharedServers) MySQL(tb testing.TB) *Server {
	tb.Helper()
	return s.mysql.startOnce(tb, MySQL, s.startFromSources)
}

func (s *SharedServers) startFromSources(ctx context.Context, e Engine) (*Server, error) {
	if s.Sources == nil {
		return StartServer(ctx, e, NewDSNVariableServerSource(), NewLocalServerSource())
	}
	return StartServer(ctx, e, s.Sources...)
}

type lazilyStartedServer struct {
	once   sync.Once
	server *Server
	err    error
}

func (l *lazilyStartedServer) startOnce(tb testing.TB, e Engine, start func(context.Context, Engine) (*Server, error)) *Server {
	tb.Helper()
	l.once.Do(func() {
		// The server outlives the test that happens to start it.
		ctx, cancel := context.WithTimeout(context.WithoutCancel(tb.Context()), startTimeout)
		defer cancel()
		l.server, l.err = start(ctx, e)
	})
	if errors.Is(l.err, ErrNoServer) && !isServerRequired(e) {
		tb.Skipf("%v\n%s=1 makes this a failure", l.err, RequireServersEnv)
	}
	if l.err != nil {
		tb.Fatal(l.err)
	}
	return l.server
}

func isServerRequired(e Engine) bool {
	names := strings.Split(os.Getenv(RequireServersEnv), ",")
	return slices.Contains(names, "1") || slices.Contains(names, string(e))
}

func (l *lazilyStartedServer) stop() {
	if l.server != nil {
		l.server.Stop()
	}
}
