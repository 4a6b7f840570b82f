package profile_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/profile"
)

func TestParseDSN_ReadsTheSettingsOfEachScheme(t *testing.T) {
	secret := executor.NewSecret("p@ss")
	tests := []struct {
		dsn, kind, dialect string
		want               profile.WarehouseSettings
	}{
		{
			"postgres://u:p%40ss@db.example.com:5433/shop?sslmode=require", "postgres", "postgres",
			&profile.Postgres{Host: "db.example.com", Port: 5433, Username: "u", Password: secret, Database: "shop", SSLMode: "require"},
		},
		{"postgresql://h/d", "postgres", "postgres", &profile.Postgres{Host: "h", Port: 5432, Database: "d", SSLMode: "prefer"}},
		{"redshift://h/d", "redshift", "redshift", &profile.Postgres{Host: "h", Port: 5432, Database: "d", SSLMode: "prefer"}},
		{"cockroachdb://h:26257/d", "cockroachdb", "postgres", &profile.Postgres{Host: "h", Port: 26257, Database: "d", SSLMode: "prefer"}},
		{"postgres:///d?host=/run/postgresql", "postgres", "postgres", &profile.Postgres{Host: "/run/postgresql", Port: 5432, Database: "d", SSLMode: "prefer"}},
		{
			"mysql://u:p%40ss@h/d?tls=true&timeout_seconds=5", "mysql", "mysql",
			&profile.MySQL{Host: "h", Port: 3306, Username: "u", Password: secret, Database: "d", TLS: "true", Timeout: 5 * time.Second},
		},
		{"mariadb://h/d?collation=binary", "mariadb", "mariadb", &profile.MySQL{Host: "h", Port: 3306, Database: "d", TLS: "false", ByCodePoint: true}},
		{"tidb://h/d", "tidb", "tidb", &profile.MySQL{Host: "h", Port: 4000, Database: "d", TLS: "false"}},
		{"starrocks://h/d?catalog=lake", "starrocks", "starrocks", &profile.MySQL{Host: "h", Port: 9030, Database: "d", Catalog: "lake", TLS: "false"}},
		{"doris://h/d", "doris", "doris", &profile.MySQL{Host: "h", Port: 9030, Database: "d", TLS: "false"}},
		{"clickhouse://u@h/d", "clickhouse", "clickhouse", &profile.ClickHouse{Host: "h", Port: 8123, Username: "u", Database: "d"}},
		{"clickhouses://[::1]/d", "clickhouse", "clickhouse", &profile.ClickHouse{Host: "::1", Port: 8443, Database: "d", Secure: true}},
		{"sqlite:a dir/${x}?.sqlite", "sqlite", "sqlite", &profile.SQLite{Path: "a dir/${x}?.sqlite"}},
		{"sqlite:////abs/x.sqlite", "sqlite", "sqlite", &profile.SQLite{Path: "/abs/x.sqlite"}},
		{"duckdb:x.duckdb", "duckdb", "duckdb", &profile.DuckDB{Path: "x.duckdb", ReadOnly: true}},
		{"DUCKDB:///rel.duckdb", "duckdb", "duckdb", &profile.DuckDB{Path: "rel.duckdb", ReadOnly: true}},
	}
	for _, tt := range tests {
		t.Run(tt.dsn, func(t *testing.T) {
			if !profile.IsDSN(tt.dsn) {
				t.Error("it is not recognised as a DSN")
			}
			d, err := profile.ParseDSN("main", tt.dsn)
			if err != nil {
				t.Fatal(err)
			}
			if d.Profile.Name != "main" || d.Profile.Type != tt.kind || d.Profile.Dialect != tt.dialect {
				t.Errorf("profile %+v", d.Profile)
			}
			if diff := cmp.Diff(tt.want, d.Profile.Settings, secrets); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestParseDSN_SchemasAndKeys(t *testing.T) {
	d, err := profile.ParseDSN("main", "postgres://u:secret@h/d?schema=marts,raw,marts&sslmode=disable")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"marts", "raw"}, d.Schemas); diff != "" {
		t.Error(diff)
	}
	if s := d.Profile.Settings.(*profile.Postgres); s.Schema != "marts" {
		t.Errorf("the default schema is %q", s.Schema)
	}
	want := []profile.KeyValue{
		{"type", "postgres"}, {"host", "h"}, {"username", "u"}, {"database", "d"}, {"sslmode", "disable"}, {"schema", "marts"},
	}
	if diff := cmp.Diff(want, d.Keys); diff != "" || !d.HasPassword {
		t.Error(diff, d.HasPassword)
	}
}

func TestParseDSN_RefusesWithoutRepeatingTheText(t *testing.T) {
	tests := []struct{ name, dsn, message string }{
		{"a scheme that is not known", "c4n4ry://h/d", "its scheme is not known"},
		{"no scheme", "h/d", "it has no scheme"},
		{"a key of another type", "postgres://u:c4n4ry@h/d?memory_limit=1GB", "memory_limit is not a key of this type"},
		{"a key twice", "postgres://u:c4n4ry@h/d?host=c4n4ry", "host is given twice"},
		{"a key twice behind the question mark", "postgres://h/d?sslmode=c4n4ry&sslmode=allow", "sslmode is given twice"},
		{"a port that is not one", "postgres://u:p@h:c4n4ry/d", "it is not a URI"},
		{"a port that is too large", "postgres://u:c4n4ry@h:70000/d", "port must be an integer"},
		{"no host", "mysql://u:c4n4ry@/d", "host is missing"},
		{"a slash in a password", "postgres://u:c4/n4ry@h/d", "it is not a URI"},
		{"a number sign in a password", "postgres://u:c4n4ry#@h/d", "it is not a URI"},
		{"a percent sign in a password", "postgres://u:c4n4ry%@h/d", "it is not a URI"},
		{"a value that is wrong", "mysql://h/d?tls=c4n4ry", "tls must be one of"},
		{"a line break", "postgres://u:c4n4ry@h/d\n", "control character"},
		{"a URI inside", "mysql://h/d?uri=mysql://u:c4n4ry@h", "uri is not a key"},
		{"a file without a path", "duckdb:", "uri is missing"},
		{"a path with another scheme", "sqlite:c4n4ry://x", "must be a path"},
		{"a long text", "postgres://" + strings.Repeat("c4n4ry", 4000), "longer than 8 KiB"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := profile.ParseDSN("main", tt.dsn)
			e := wantConfig(t, err)
			if !strings.Contains(e.Message, tt.message) {
				t.Errorf("message %q", e.Message)
			}
			if s := spelled(err); strings.Contains(s, canary) {
				t.Errorf("the error repeats the text: %s", s)
			}
		})
	}
}

func FuzzParseDSN(f *testing.F) {
	for _, seed := range []string{
		"postgres://u:c4n4ry@h:5432/d?sslmode=require&schema=a,b", "mysql://u:c4n4ry@h/d?tls=true", "clickhouses://u:c4n4ry@[::1]/d",
		"sqlite:x", "duckdb:///x?y", "x://", "://", "postgres://%zz", "postgres://u:c4n4ry@h/d?=&;",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		d, err := profile.ParseDSN("main", text)
		if err != nil {
			wantConfig(t, err)
			return
		}
		if d.Profile.Settings == nil || d.Profile.Err != nil || !profile.IsDSN(text) {
			t.Fatalf("%+v", d)
		}
		for _, k := range d.Keys {
			if k.Name == "password" {
				t.Fatal("the password is among the keys")
			}
		}
	})
}
