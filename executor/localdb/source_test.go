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
	source := func(name string, err error) Source {
		return Source{name, func(context.Context, Engine) (*Server, error) {
			asked = append(asked, name)
			if err != nil {
				return nil, err
			}
			return NewRunning(Address{Host: name}, nil), nil
		}}
	}
	missing, broken := fmt.Errorf("%w: nothing here", ErrMissing), errors.New("it burns")
	tests := []struct {
		name, env string
		sources   []Source
		asked     []string
		from      string
		err       error
		says      string
	}{
		{"the first that has one", "", []Source{source(FromDSN, missing), source(FromContainers, nil), source(FromLocal, nil)}, []string{FromDSN, FromContainers}, FromContainers, nil, ""},
		{"one that fails ends it", "", []Source{source(FromContainers, broken), source(FromLocal, nil)}, []string{FromContainers}, "", broken, "mysql from containers"},
		{"none has one", "", []Source{source(FromDSN, missing), source(FromLocal, missing)}, []string{FromDSN, FromLocal}, "", ErrMissing, "local: no database server: nothing here"},
		{"the environment's order", "local, dsn", []Source{source(FromDSN, nil), source(FromLocal, nil)}, []string{FromLocal}, FromLocal, nil, ""},
		{"only what the environment names", FromDSN, []Source{source(FromDSN, missing), source(FromLocal, nil)}, []string{FromDSN}, "", ErrMissing, ""},
		{"a source that is not there", FromContainers, []Source{source(FromDSN, nil), source(FromLocal, nil)}, nil, "", ErrMissing, ""},
		{"a name that is none", "docker", []Source{source(FromDSN, nil)}, nil, "", nil, `"docker" is not one of dsn, containers, local`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Setenv(SourcesEnv, tt.env)
			asked = nil
			s, err := Start(t.Context(), MySQL, tt.sources...)
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
			t.Setenv(DSNEnv(tt.engine), tt.text)
			s, err := Start(t.Context(), tt.engine, DSN())
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
		_, err := Start(t.Context(), MySQL, DSN(), Source{FromLocal, func(context.Context, Engine) (*Server, error) {
			t.Error("the next source is asked")
			return nil, ErrMissing
		}})
		if err == nil || errors.Is(err, ErrMissing) || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%s: %v", text, err)
		}
	}
}
