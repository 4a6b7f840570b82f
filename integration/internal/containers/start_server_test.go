package containers_test

import (
	"errors"
	"net"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/semlayer/semlayer/executor/localdb"
	"github.com/semlayer/semlayer/integration/internal/containers"
)

// wanted skips unless the environment allows containers: `make test` does not.
func wanted(t *testing.T) {
	t.Helper()
	if sources := os.Getenv(localdb.ServerSourcesEnv); sources != "" && !strings.Contains(sources, localdb.SourceNameContainers) {
		t.Skipf("%s=%s leaves containers out", localdb.ServerSourcesEnv, sources)
	}
}

// The corpus runs on these servers; here it is about their end.
func TestContainer_RemovedWhenServerStops(t *testing.T) {
	wanted(t)
	for _, e := range localdb.Engines() {
		t.Run(string(e), func(t *testing.T) {
			t.Parallel()
			s, err := localdb.StartServer(t.Context(), e, containers.ServerSource())
			if errors.Is(err, localdb.ErrNoServer) && os.Getenv(localdb.RequireServersEnv) != "1" {
				t.Skip(err)
			}
			if err != nil {
				t.Fatal(err)
			}
			defer s.Stop()
			if s.Engine != e || s.User != "semlayer" || s.Database != "semlayer" || s.Password == "" {
				t.Errorf("%+v", s.Address)
			}
			s.Stop()
			if conn, err := net.DialTimeout("tcp", s.HostPort(), time.Second); err == nil {
				conn.Close()
				t.Error("the port still answers")
			}
		})
	}
}
