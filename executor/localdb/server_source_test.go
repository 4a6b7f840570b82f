package localdb

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSources_AskedInOrder(t *testing.T) {
	var asked []string
	source := func(name string, err error) ServerSource {
		return ServerSource{name, func(context.Context, Engine) (*Server, error) {
			asked = append(asked, name)
			if err != nil {
				return nil, err
			}
			return NewExternalServer(Address{Host: name}, nil), nil
		}}
	}
	missing, broken := fmt.Errorf("%w: nothing here", ErrNoServer), errors.New("it burns")
	tests := []struct {
		name, env string
		sources   []ServerSource
		asked     []string
		from      string
		err       error
		says      string
	}{
		{"the first that has one", "", []ServerSource{source(SourceNameDSN, missing), source(SourceNameContainers, nil), source(SourceNameLocal, nil)}, []string{SourceNameDSN, SourceNameContainers}, SourceNameContainers, nil, ""},
		{"one that fails ends it", "", []ServerSource{source(SourceNameContainers, broken), source(SourceNameLocal, nil)}, []string{SourceNameContainers}, "", broken, "mysql from containers"},
		{"none has one", "", []ServerSource{source(SourceNameDSN, missing), source(SourceNameLocal, missing)}, []string{SourceNameDSN, SourceNameLocal}, "", ErrNoServer, "local: no database server: nothing here"},
		{"the environment's order", "local, dsn", []ServerSource{source(SourceNameDSN, nil), source(SourceNameLocal, nil)}, []string{SourceNameLocal}, SourceNameLocal, nil, ""},
		{"only what the environment names", SourceNameDSN, []ServerSource{source(SourceNameDSN, missing), source(SourceNameLocal, nil)}, []string{SourceNameDSN}, "", ErrNoServer, ""},
		{"a source that is not there", SourceNameContainers, []ServerSource{source(SourceNameDSN, nil), source(SourceNameLocal, nil)}, nil, "", ErrNoServer, ""},
		{"an unknown source", "docker", []ServerSource{source(SourceNameDSN, nil)}, nil, "", nil, `"docker" is not one of dsn, containers, local`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Setenv(ServerSourcesEnv, tt.env)
			asked = nil
			s, err := StartServer(t.Context(), MySQL, tt.sources...)
			if diff := cmp.Diff(tt.asked, asked); diff != "" {
				t.Errorf("asked (-want +got)\n%s", diff)
			}
			if tt.from != "" {
				if err != nil || s.Host != tt.from {
					t.Errorf("got %v, %v", s, err)
				}
				return
			}
			if err == nil || tt.err != nil && !errors.Is(err, tt.err) || !strings.Contains(err.Error(), tt.says) {
				t.Errorf("got %v", err)
			}
		})
	}
}

func TestSources_EnvironmentNamesServer(t *testing.T) {
	tests := []struct {
		engine Engine
		text   string
		want   Address
	}{
		{Postgres, "postgresql://u:p%40ss@db.example/shop?sslmode=require", Address{Postgres, "db.example", 5432, "u", "p@ss", "shop", "sslmode=require"}},
		{MariaDB, "mariadb://u:p@[::1]:3307", Address{MariaDB, "::1", 3307, "u", "p", "", ""}},
		{MySQL, "mysql://u@127.0.0.1/x", Address{MySQL, "127.0.0.1", 3306, "u", "", "x", ""}},
	}
	for _, tt := range tests {
		t.Run(string(tt.engine), func(t *testing.T) {
			t.Setenv(DSNVariableName(tt.engine), tt.text)
			s, err := StartServer(t.Context(), tt.engine, NewDSNVariableServerSource())
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, s.Address); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
			again, err := ParseURI(tt.engine, s.URI())
			if diff := cmp.Diff(tt.want, again); err != nil || diff != "" {
				t.Errorf("%s: %v\n%s", s.URI(), err, diff)
			}
			s.Stop()
		})
	}
}

func TestSources_InvalidAddressHidesPassword(t *testing.T) {
	for _, text := range []string{
		"postgres://u:hunter2@h/db", "u:hunter2@tcp(h)/db", "mysql://u:hunter2@/db", "mysql://hunter2/db", "mysql://u:hunter2@h:99999999999999999999/db", "mysql://u:hunter2@h:no/db",
	} {
		t.Setenv("SEMLAYER_MYSQL_DSN", text)
		_, err := StartServer(t.Context(), MySQL, NewDSNVariableServerSource(), ServerSource{SourceNameLocal, func(context.Context, Engine) (*Server, error) {
			t.Error("the next source is asked")
			return nil, ErrNoServer
		}})
		if err == nil || errors.Is(err, ErrNoServer) || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%s: %v", text, err)
		}
	}
}
