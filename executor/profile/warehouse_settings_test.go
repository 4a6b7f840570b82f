package profile_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/profile"
)

func TestTypes_DialectDefaultsAndKeys(t *testing.T) {
	secret := executor.NewSecret
	tests := []struct {
		keys    string
		dialect string
		want    profile.WarehouseSettings
	}{
		{"type: duckdb\nuri: data/a.duckdb", "duckdb", &profile.DuckDB{Path: "data/a.duckdb", ReadOnly: true}},
		{"type: DuckDB\nuri: ':memory:'\nread_only: false\nmemory_limit: 2GB\nthreads: '4'\nenable_external_access: 'yes'", "duckdb",
			&profile.DuckDB{Path: ":memory:", MemoryLimit: "2GB", Threads: 4, ExternalAccess: true}},
		{"type: duckdb\ndata: trips", "duckdb", &profile.DuckDB{Path: ":memory:", ReadOnly: true, Data: []string{"trips"}}},
		{"type: duckdb\ndata: [trips, 'a b/*.csv']\nthreads: 2", "duckdb", &profile.DuckDB{Path: ":memory:", ReadOnly: true, Threads: 2, Data: []string{"trips", "a b/*.csv"}}},
		{"type: sqlite\nuri: a.db", "sqlite", &profile.SQLite{Path: "a.db"}},
		{"type: sqlite\npath: sqlite:////var/a.db", "sqlite", &profile.SQLite{Path: "/var/a.db"}},

		{"type: postgres\nhost: h", "postgres", &profile.Postgres{Host: "h", Port: 5432, SSLMode: "prefer"}},
		{"type: postgresql\nhost: h\nport: '6543'\nusername: u\npassword: 0123\ndatabase: d\nschema: s\nsslmode: verify-full\nsslrootcert: /ca.pem\ntimeout_seconds: '30'", "postgres",
			&profile.Postgres{Host: "h", Port: 6543, Username: "u", Password: secret("0123"), Database: "d", Schema: "s", SSLMode: "verify-full", SSLRootCert: "/ca.pem", Timeout: 30 * time.Second}},
		{"type: postgres\nuri: postgres://u:p@h:1/d?sslmode=require\nschema: s\ntimeout_seconds: 5", "postgres",
			&profile.Postgres{URI: secret("postgresql://u:p@h:1/d?sslmode=require"), Schema: "s", Timeout: 5 * time.Second}},
		{"type: postgres\nuri: postgresql+psycopg2://u:p@h/d", "postgres", &profile.Postgres{URI: secret("postgresql://u:p@h/d")}},
		{"type: postgres\nuri: host=h user=u", "postgres", &profile.Postgres{URI: secret("host=h user=u")}},
		{"type: greenplum\nhost: h", "postgres", &profile.Postgres{Host: "h", Port: 5432, SSLMode: "prefer"}},
		{"type: hologres\nhost: h\nport: 80", "postgres", &profile.Postgres{Host: "h", Port: 80, SSLMode: "prefer"}},
		{"type: gaussdb\nhost: h", "postgres", &profile.Postgres{Host: "h", Port: 5432, SSLMode: "prefer"}},
		{"type: dws\nhost: h", "postgres", &profile.Postgres{Host: "h", Port: 5432, SSLMode: "prefer"}},
		{"type: cockroachdb\nuri: cockroachdb://u@h/d", "postgres", &profile.Postgres{URI: secret("postgresql://u@h/d")}},
		{"type: redshift\nhost: h", "redshift", &profile.Postgres{Host: "h", Port: 5432, SSLMode: "prefer"}},

		{"type: mysql\nhost: h", "mysql", &profile.MySQL{Host: "h", Port: 3306, TLS: "false"}},
		{"type: mariadb\nhost: h\nport: 3307\nusername: u\npassword: p\ndatabase: d\ncharset: utf8mb4\ntls: skip-verify\ntimeout_seconds: 7", "mariadb",
			&profile.MySQL{Host: "h", Port: 3307, Username: "u", Password: secret("p"), Database: "d", TLS: "skip-verify", Timeout: 7 * time.Second}},
		{"type: mysql\nuri: mysql+pymysql://u:p%40%2F@h:3307/d?charset=utf8mb4&tls=true", "mysql",
			&profile.MySQL{Host: "h", Port: 3307, Username: "u", Password: secret("p@/"), Database: "d", TLS: "true"}},
		{"type: mysql\nhost: h\ntls: true", "mysql", &profile.MySQL{Host: "h", Port: 3306, TLS: "true"}},
		{"type: mariadb\nhost: h\ncollation: Binary", "mariadb", &profile.MySQL{Host: "h", Port: 3306, TLS: "false", ByCodePoint: true}},
		{"type: mysql\nuri: mysql://u@h/d\ncollation: binary", "mysql", &profile.MySQL{Host: "h", Port: 3306, Username: "u", Database: "d", TLS: "false", ByCodePoint: true}},
		{"type: tidb\nhost: h", "tidb", &profile.MySQL{Host: "h", Port: 4000, TLS: "false"}},
		{"type: tidb\nuri: mysql://u@h/d", "tidb", &profile.MySQL{Host: "h", Port: 4000, Username: "u", Database: "d", TLS: "false"}},
		{"type: starrocks\nhost: h\ncatalog: c\ndatabase: d", "starrocks", &profile.MySQL{Host: "h", Port: 9030, Catalog: "c", Database: "d", TLS: "false"}},
		{"type: doris\nhost: h", "doris", &profile.MySQL{Host: "h", Port: 9030, TLS: "false"}},

		{"type: clickhouse\nhost: h", "clickhouse", &profile.ClickHouse{Host: "h", Port: 8123}},
		{"type: clickhouse\nhost: h\nsecure: true\nusername: u\npassword: p\ndatabase: d", "clickhouse",
			&profile.ClickHouse{Host: "h", Port: 8443, Username: "u", Password: secret("p"), Database: "d", Secure: true}},
		{"type: trino\nhost: h\nusername: u", "trino", &profile.Trino{Host: "h", Port: 8080, Username: "u", Scheme: "http", Verify: true}},
		{"type: trino\nhost: h\nport: 443\nusername: u\npassword: p\ncatalog: c\nschema_name: s\nhttp_scheme: https\nverify: false", "trino",
			&profile.Trino{Host: "h", Port: 443, Username: "u", Password: secret("p"), Catalog: "c", Schema: "s", Scheme: "https"}},
		{"type: snowflake\naccount: a\nusername: u\npassword: p\nwarehouse: w\ndatabase: d\nschema: s\nrole: r", "snowflake",
			&profile.Snowflake{Account: "a", Username: "u", Password: secret("p"), Warehouse: "w", Database: "d", Schema: "s", Role: "r"}},
		{"type: snowflake\naccount: a\nusername: u\nprivate_key_file: /k.p8", "snowflake", &profile.Snowflake{Account: "a", Username: "u", PrivateKeyFile: "/k.p8"}},
		{"type: bigquery\ncatalog: p\ndatabase: d\ncredentials_path: /c.json\nlocation: EU\nmax_bytes_billed: 1000000000", "bigquery",
			&profile.BigQuery{Project: "p", Dataset: "d", CredentialsFile: "/c.json", Location: "EU", MaxBytesBilled: 1000000000}},
		{"type: databricks\nhost: https://h/\nhttp_path: /sql/1\ntoken: t\ncatalog: c\nschema: s", "databricks",
			&profile.Databricks{Host: "h", HTTPPath: "/sql/1", Token: secret("t"), Catalog: "c", Schema: "s"}},
	}
	seen := map[string]bool{}
	for _, tt := range tests {
		t.Run(strings.ReplaceAll(tt.keys, "\n", ", "), func(t *testing.T) {
			p, warnings := entry(t, tt.keys, noVariables)
			if p.Err != nil || len(warnings) > 0 {
				t.Fatalf("%v %v", p.Err, warnings)
			}
			if d := cmp.Diff(tt.want, p.Settings, secrets); d != "" {
				t.Error(d)
			}
			if p.Dialect != tt.dialect {
				t.Errorf("dialect %s, want %s", p.Dialect, tt.dialect)
			}
			seen[p.Type] = true
		})
	}
	for _, k := range profile.DescribeWarehouseTypes() {
		if !seen[k.Name] {
			t.Errorf("the type %s is not tested", k.Name)
		}
	}
}

func TestSettings_InvalidMakeProfileUnusable(t *testing.T) {
	tests := []struct{ keys, says string }{
		{"type: duckdb", "uri is missing"},
		{"type: duckdb\nuri: duckdb://host/a.db", "uri is not of the form duckdb:///"},
		{"type: duckdb\nuri: duckdb:///", "uri is not of the form duckdb:///"},
		{"type: duckdb\nuri: duckdb:///a.db?access_mode=read_only", "uri is not of the form"},
		{"type: duckdb\nuri: s3://bucket/a.db", "uri must be a path or begin with duckdb://"},
		{"type: duckdb\nuri: a\nmemory_limit: lots", "memory_limit must be an amount of memory"},
		{"type: duckdb\nuri: a\nthreads: 0", "threads must be an integer"},
		{"type: duckdb\nuri: a\nread_only: maybe", "read_only must be true or false"},
		{"type: duckdb\nuri: [a, b]", "uri must be a single value"},
		{"type: duckdb\nuri: \"a\\0b\"", "uri holds a NUL byte"},
		{"type: duckdb\nuri: \"a\\nb\"", "uri holds a control character"},
		{"type: duckdb\nuri: !vault a", "uri has a YAML tag"},
		{"type: duckdb\nuri: a\ndata: b", "data and uri are both given"},
		{"type: duckdb\ndata: b\nenable_external_access: true", "data and enable_external_access are both given"},
		{"type: duckdb\ndata: []", "data is empty"},
		{"type: duckdb\ndata: ''", "data is empty"},
		{"type: duckdb\ndata: [a, '']", "data holds an empty path"},
		{"type: duckdb\ndata: [[a]]", "data must be a single value"},
		{"type: duckdb\ndata: {a: b}", "data must be a single value"},
		{"type: duckdb\ndata: [\"a\\nb\"]", "data holds a control character"},
		{"type: sqlite\nuri: a\npath: b", "path and uri are both given"},
		{"type: sqlite", "uri is missing"},
		{"type: postgres", "host is missing"},
		{"type: postgres\nhost: ''", "host is missing"},
		{"type: postgres\nhost:", "host is missing"},
		{"type: postgres\nhost: h\nport: 0", "port must be an integer from 1 to 65535"},
		{"type: postgres\nhost: h\nport: 65536", "port must be an integer from 1 to 65535"},
		{"type: postgres\nhost: h\nport: 54.5", "port must be an integer"},
		{"type: postgres\nhost: h\nport: -1", "port must be an integer"},
		{"type: postgres\nhost: h\nport: 99999999999999999999", "port must be an integer"},
		{"type: postgres\nhost: h\nsslmode: on", "sslmode must be one of disable"},
		{"type: postgres\nhost: h\ntimeout_seconds: 0", "timeout_seconds must be an integer"},
		{"type: postgres\nuri: postgres://u@h/d\nhost: h\npassword: p", "uri is set together with host, password"},
		{"type: postgres\nuri: mysql://u@h/d", "uri is not a URI of PostgreSQL"},
		{"type: postgres\nuri: postgres://u:p@ss%zz@h/d", "uri is not a URI of PostgreSQL"},
		{"type: postgres\nuri: somewhere", "uri is not a connection string"},
		{"type: mysql\nhost: h\ntls: maybe", "tls must be one of false, preferred, true, skip-verify"},
		{"type: mysql\nhost: h\ncollation: utf8mb4_bin", "collation must be one of binary"},
		{"type: mysql\nuri: u:p@tcp(h:3306)/d", "uri is not a URI of MySQL"},
		{"type: mysql\nuri: postgres://u:p@h/d", "uri is not a URI of MySQL"},
		{"type: mysql\nuri: mysql:///d", "uri is not a URI of MySQL"},
		{"type: mysql\nuri: mysql://h:0/d", "uri has an invalid port"},
		{"type: mysql\nuri: mysql://h/d?allowAllFiles=true", "uri has a parameter that is not known here"},
		{"type: mysql\nuri: mysql://h/d?tls=maybe", "uri has a parameter tls, which must be one of"},
		{"type: clickhouse", "host is missing"},
		{"type: trino\nhost: h", "username is missing"},
		{"type: trino\nhost: h\nusername: u\npassword: p", "password is never sent over plain HTTP"},
		{"type: trino\nhost: h\nusername: u\nhttp_scheme: ftp", "http_scheme must be one of http, https"},
		{"type: snowflake\nusername: u\npassword: p", "account is missing"},
		{"type: snowflake\naccount: a\nusername: u", "password or private_key_file is missing"},
		{"type: snowflake\naccount: a\nusername: u\npassword: p\nprivate_key_file: f", "password and private_key_file are both given"},
		{"type: bigquery", "catalog is missing"},
		{"type: databricks\nhost: h\nhttp_path: p", "token is missing"},
	}
	for _, tt := range tests {
		t.Run(strings.ReplaceAll(tt.keys, "\n", ", "), func(t *testing.T) {
			p, _ := entry(t, tt.keys, noVariables)
			e := wantConfig(t, p.Err)
			if got := strings.TrimPrefix(e.Message, `the connection w cannot be used: `); !strings.HasPrefix(got, tt.says) || strings.Contains(got, "; ") {
				t.Errorf("got %q, want %q alone", got, tt.says)
			}
			if p.Settings != nil || p.Dialect == "" {
				t.Errorf("settings %v, dialect %q", p.Settings, p.Dialect)
			}
		})
	}
}

func TestTypes_WrongOneSuggestsNearest(t *testing.T) {
	tests := []struct{ written, hint string }{
		{"postgre", "did you mean postgres?"},
		{"mysq", "did you mean mysql?"},
		{"star_rocks", "did you mean starrocks?"},
		{"oracle", "the types are duckdb, sqlite, postgres, postgresql, "},
	}
	for _, tt := range tests {
		p, _ := entry(t, "type: "+tt.written, noVariables)
		if e := wantConfig(t, p.Err); !strings.HasPrefix(e.Hint, tt.hint) {
			t.Errorf("%s: %s", tt.written, e.Hint)
		}
	}
}

func TestSettings_DatabaseFileURIs(t *testing.T) {
	t.Setenv("HOME", "/home/someone")
	tests := []struct{ uri, want string }{
		{"a.duckdb", "a.duckdb"},
		{"./data/a b?.duckdb", "./data/a b?.duckdb"},
		{"/var/a.duckdb", "/var/a.duckdb"},
		{"duckdb:///data/a.duckdb", "data/a.duckdb"},
		{"duckdb:////var/a.duckdb", "/var/a.duckdb"},
		{"DUCKDB:///a.duckdb", "a.duckdb"},
		{":memory:", ":memory:"},
		{"duckdb:///:memory:", ":memory:"},
		{"duckdb://:memory:", ":memory:"},
		{"~/a.duckdb", "/home/someone/a.duckdb"},
		{"duckdb:///~/a.duckdb", "/home/someone/a.duckdb"},
	}
	for _, tt := range tests {
		p, _ := entry(t, "type: duckdb\nuri: '"+tt.uri+"'", noVariables)
		if d := cmp.Diff(&profile.DuckDB{Path: tt.want, ReadOnly: true}, p.Settings); d != "" {
			t.Errorf("%s: %v %s", tt.uri, p.Err, d)
		}
	}
}

func TestSettings_WarnOfUnusedKeys(t *testing.T) {
	for keys, want := range map[string]string{
		"type: mysql\nhost: h\ncatalog: c":      "catalog has no effect",
		"type: mysql\nhost: h\ncharset: latin1": "charset has no effect",
	} {
		p, warnings := entry(t, keys, noVariables)
		if p.Err != nil || len(warnings) != 1 || !strings.Contains(warnings[0], want) {
			t.Errorf("%s: %v %v", keys, p.Err, warnings)
		}
	}
}

func TestDuckDB_MemoryLimitBytes(t *testing.T) {
	for text, want := range map[string]int64{"2GB": 2e9, "1.5 GiB": 3 << 29, "512mb": 512e6, "4KiB": 4096, "": 0} {
		if got := (&profile.DuckDB{MemoryLimit: text}).MemoryLimitBytes(); got != want {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
	}
}
