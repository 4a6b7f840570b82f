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

// RequireEnv is the variable that forbids skipping: 1 for every engine, or the
// names of engines with commas between them.
const RequireEnv = "SEMLAYER_REQUIRE_SERVERS"

// A container may have to be fetched first; its source gives up long before when
// nothing comes.
const startTimeout = 10 * time.Minute

// Shared keeps at most one server of each kind for all tests of a process. The
// first test that asks starts it. The zero value is ready for use.
type Shared struct {
	// Sources are asked in this order, unless the environment names another;
	// nil is DSN and Local.
	Sources []Source

	postgres, mariadb, mysql lazyServer
}

// Run runs the tests and then stops what they started. It returns the exit code.
func (s *Shared) Run(m *testing.M) int {
	defer s.Stop()
	return m.Run()
}

// Stop stops what was started.
func (s *Shared) Stop() {
	for _, l := range []*lazyServer{&s.postgres, &s.mariadb, &s.mysql} {
		l.stop()
	}
}

// Postgres returns the PostgreSQL server, or skips the test.
func (s *Shared) Postgres(tb testing.TB) *Server {
	tb.Helper()
	return s.postgres.get(tb, Postgres, s.start)
}

// MariaDB returns the MariaDB server, or skips the test.
func (s *Shared) MariaDB(tb testing.TB) *Server {
	tb.Helper()
	return s.mariadb.get(tb, MariaDB, s.start)
}

// MySQL returns the MySQL server, which is never a MariaDB, or skips the test.
func (s *Shared) MySQL(tb testing.TB) *Server {
	tb.Helper()
	return s.mysql.get(tb, MySQL, s.start)
}

func (s *Shared) start(ctx context.Context, e Engine) (*Server, error) {
	if s.Sources == nil {
		return Start(ctx, e, DSN(), Local())
	}
	return Start(ctx, e, s.Sources...)
}

type lazyServer struct {
	once   sync.Once
	server *Server
	err    error
}

func (l *lazyServer) get(tb testing.TB, e Engine, start func(context.Context, Engine) (*Server, error)) *Server {
	tb.Helper()
	l.once.Do(func() {
		// The server outlives the test that happens to start it.
		ctx, cancel := context.WithTimeout(context.WithoutCancel(tb.Context()), startTimeout)
		defer cancel()
		l.server, l.err = start(ctx, e)
	})
	if errors.Is(l.err, ErrMissing) && !isRequired(e) {
		tb.Skipf("%v\n%s=1 makes this a failure", l.err, RequireEnv)
	}
	if l.err != nil {
		tb.Fatal(l.err)
	}
	return l.server
}

func isRequired(e Engine) bool {
	names := strings.Split(os.Getenv(RequireEnv), ",")
	return slices.Contains(names, "1") || slices.Contains(names, string(e))
}

func (l *lazyServer) stop() {
	if l.server != nil {
		l.server.Stop()
	}
}
