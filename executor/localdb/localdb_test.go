package localdb_test

import (
	"context"
	"errors"
	"net"
	"os"
	"testing"
	"time"

	"github.com/semlayer/semlayer/executor/localdb"
)

var servers localdb.SharedServers

func TestMain(m *testing.M) { os.Exit(servers.RunTests(m)) }

func TestServer_ListensUntilStopped(t *testing.T) {
	for name, start := range map[string]func(context.Context) (*localdb.Server, error){
		"postgres": localdb.StartPostgres, "mariadb": localdb.StartMariaDB, "mysql": localdb.StartMySQL,
	} {
		t.Run(name, func(t *testing.T) {
			started := time.Now()
			s, err := start(t.Context())
			if errors.Is(err, localdb.ErrNoServer) {
				t.Skip(err)
			}
			if err != nil {
				t.Fatal(err)
			}
			defer s.Stop()
			t.Logf("started in %v", time.Since(started))
			address := s.HostPort()
			conn, err := net.Dial("tcp", address)
			if err != nil {
				t.Fatal(err)
			}
			conn.Close()
			if err := s.Restart(t.Context()); err != nil {
				t.Fatal(err)
			}
			if conn, err = net.Dial("tcp", address); err != nil {
				t.Fatalf("after a restart: %v", err)
			}
			conn.Close()
			if s.Password == "" || s.User == "" || s.Database == "" {
				t.Errorf("no way in: %+v", s)
			}
			s.Stop()
			s.Stop()
			if conn, err := net.Dial("tcp", address); err == nil {
				conn.Close()
				t.Error("the server still listens")
			}
		})
	}
}

func TestServer_ForeignOneNotRestarted(t *testing.T) {
	if err := localdb.NewExternalServer(localdb.Address{}, nil).Restart(t.Context()); !errors.Is(err, localdb.ErrExternalServer) {
		t.Errorf("got %v", err)
	}
}

func TestShared_StartsOnce(t *testing.T) {
	if first, second := servers.Postgres(t), servers.Postgres(t); first != second {
		t.Errorf("ports %d and %d", first.Port, second.Port)
	}
}
