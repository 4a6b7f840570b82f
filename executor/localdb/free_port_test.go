package localdb

import (
	"context"
	"errors"
	"fmt"
	"net"
	"path/filepath"
	"strconv"
	"testing"
)

func TestServer_PortTaken(t *testing.T) {
	l, err := net.Listen("tcp", ListenHost+":0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	taken := l.Addr().(*net.TCPAddr).Port
	postgres, err := findProgram("/usr/lib/postgresql/*/bin/postgres", "/opt/homebrew/opt/postgresql*/bin/postgres", "postgres")
	if err != nil {
		t.Skip(err)
	}
	as, err := findSystemAccount("postgres")
	if err != nil {
		t.Skip(err)
	}
	starts := 0
	s, err := startServer(t.Context(), Postgres, as, func(s *Server) error {
		if starts++; starts == 1 {
			s.Port = taken
		}
		return s.initAndLaunchPostgres(t.Context(), filepath.Dir(postgres), as)
	})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Stop()
	if starts != 2 || s.Port == taken {
		t.Fatalf("%d starts, port %d; %d was taken", starts, s.Port, taken)
	}
	conn, err := (&net.Dialer{}).DialContext(context.WithoutCancel(t.Context()), "tcp", net.JoinHostPort(ListenHost, strconv.Itoa(s.Port)))
	if err != nil {
		t.Fatal(err)
	}
	conn.Close()
}

func TestWithFreePort_GivesUp(t *testing.T) {
	starts := 0
	_, err := startOnFreePort(func() (*Server, error) {
		starts++
		return nil, fmt.Errorf("mariadbd ended: %w", errPortTaken)
	})
	if !errors.Is(err, errPortTaken) || starts != maxStartAttempts {
		t.Fatalf("%d starts, error %v", starts, err)
	}
	_, err = startOnFreePort(func() (*Server, error) {
		starts++
		return nil, errServerEnded
	})
	if !errors.Is(err, errServerEnded) || starts != maxStartAttempts+1 {
		t.Fatalf("%d starts after another error", starts-maxStartAttempts)
	}
}
