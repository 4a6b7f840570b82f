package profile_test

import (
	"strings"
	"testing"
	"time"

	"github.com/semlayer/semlayer/executor/profile"
)

func TestCommonKeys_AreKeysOfEveryType(t *testing.T) {
	for _, text := range []string{"type: duckdb\nuri: x", "type: postgres\nhost: h", "type: trino\nhost: h\nusername: u", "type: databricks\nhost: h\nhttp_path: p\ntoken: t"} {
		p, warnings := entry(t, text+"\npool_size: 3\nexecute_timeout_secs: ${N:-20}", noVariables)
		if p.Err != nil || len(warnings) > 0 || p.PoolSize != 3 || p.ExecuteTimeout != 20*time.Second {
			t.Errorf("%s: %+v %v", text, p, warnings)
		}
		if p, _ := entry(t, text, noVariables); p.PoolSize != 0 || p.ExecuteTimeout != 0 {
			t.Errorf("%s: %+v", text, p)
		}
	}
	for _, wrong := range []string{"pool_size: 0", "pool_size: many", "execute_timeout_secs: -1", "execute_timeout_secs: 86401"} {
		key, _, _ := strings.Cut(wrong, ":")
		p, _ := entry(t, "type: duckdb\nuri: x\n"+wrong, noVariables)
		if e := wantConfig(t, p.Err); !strings.Contains(e.Message, key+" must be an integer from 1") {
			t.Errorf("%s: %v", wrong, e)
		}
	}
}

func TestPasswordFile_TakesThePlaceOfThePassword(t *testing.T) {
	for _, kind := range []string{"postgres", "redshift", "mysql", "mariadb", "starrocks", "clickhouse"} {
		p, warnings := entry(t, "type: "+kind+"\nhost: h\npassword_file: ~/secret", noVariables)
		var path string
		switch s := p.Settings.(type) {
		case *profile.Postgres:
			path = s.PasswordFile
		case *profile.MySQL:
			path = s.PasswordFile
		case *profile.ClickHouse:
			path = s.PasswordFile
		}
		if p.Err != nil || len(warnings) > 0 || !strings.HasSuffix(path, "/secret") || strings.HasPrefix(path, "~") {
			t.Errorf("%s: %q %v %v", kind, path, p.Err, warnings)
		}
		p, _ = entry(t, "type: "+kind+"\nhost: h\npassword: hunter2\npassword_file: /secret", noVariables)
		if e := wantConfig(t, p.Err); !strings.Contains(e.Message, "password_file and password are both given") || strings.Contains(e.Error(), "hunter2") {
			t.Errorf("%s: %v", kind, e)
		}
	}
	for _, uri := range []string{"postgres\nuri: postgresql://u@h/d", "mysql\nuri: mysql://u@h/d"} {
		p, _ := entry(t, "type: "+uri+"\npassword_file: /secret", noVariables)
		if e := wantConfig(t, p.Err); !strings.Contains(e.Message, "uri is set together with password_file") {
			t.Error(e)
		}
	}
}

func TestApplicationName(t *testing.T) {
	for _, text := range []string{"host: h", "uri: postgresql://u@h/d"} {
		p, _ := entry(t, "type: postgres\n"+text+"\napplication_name: sales", noVariables)
		if s, ok := p.Settings.(*profile.Postgres); !ok || s.ApplicationName != "sales" {
			t.Errorf("%s: %+v", text, p)
		}
	}
}
