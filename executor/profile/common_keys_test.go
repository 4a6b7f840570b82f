package profile_test

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/semlayer/semlayer/executor/credential"
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
	for _, kind := range []string{"postgres\nhost: h", "redshift\nhost: h", "mysql\nhost: h", "mariadb\nhost: h", "starrocks\nhost: h", "clickhouse\nhost: h", "trino\nhost: h\nusername: u\nhttp_scheme: https", "snowflake\naccount: a\nusername: u"} {
		p, warnings := entry(t, "type: "+kind+"\npassword_file: ~/secret", noVariables)
		file, _ := p.SecretSource().(credential.File)
		path := string(file)
		if p.Err != nil || len(warnings) > 0 || !strings.HasSuffix(path, "/secret") || strings.HasPrefix(path, "~") {
			t.Errorf("%s: %q %v %v", kind, path, p.Err, warnings)
		}
		p, _ = entry(t, "type: "+kind+"\npassword: hunter2\npassword_file: /secret", noVariables)
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

func TestRetries_HaveBounds(t *testing.T) {
	for text, want := range map[string]int{"0": 0, "3": 3} {
		if p, _ := entry(t, "type: duckdb\nuri: x\nretries: "+text, noVariables); p.Err != nil || p.Retries != want {
			t.Errorf("%s: %+v", text, p)
		}
	}
	for _, wrong := range []string{"-1", "4", "many"} {
		p, _ := entry(t, "type: duckdb\nuri: x\nretries: "+wrong, noVariables)
		if e := wantConfig(t, p.Err); !strings.Contains(e.Message, "retries must be an integer from 0 to 3") {
			t.Error(e)
		}
	}
}

func TestResultCache_OfAConnection(t *testing.T) {
	for text, want := range map[string]profile.ResultCache{
		"retries: 0":                           {},
		"cache: {ttl_secs: 5}":                 {TTL: 5 * time.Second},
		"cache: {ttl_secs: '${N:-7}'}":         {TTL: 7 * time.Second},
		"cache: {enabled: false}":              {Disabled: true},
		"cache: {check_secs: 0}":               {Check: new(time.Duration(0))},
		"cache: {check_secs: 3}":               {Check: new(3 * time.Second)},
		"cache: {enabled: true, ttl_secs: 60}": {TTL: time.Minute},
	} {
		if p, warnings := entry(t, "type: duckdb\nuri: x\n"+text, noVariables); p.Err != nil || len(warnings) > 0 || !reflect.DeepEqual(p.Cache, want) {
			t.Errorf("%s: %+v %v %v", text, p.Cache, p.Err, warnings)
		}
	}
	for text, want := range map[string]string{
		"cache: true":               "cache must be a mapping",
		"cache: {ttl_secs: 0}":      "cache has a ttl_secs that is not an integer from 1 to 86400",
		"cache: {ttl_secs: 86401}":  "cache has a ttl_secs that is not an integer from 1 to 86400",
		"cache: {enabled: maybe}":   "cache has an enabled that is neither true nor false",
		"cache: {check_secs: -1}":   "cache has a check_secs that is not an integer from 0 to 86400",
		"cache: {ttl: 5}":           "cache has ttl, which is not one of its keys",
		"cache: {enabled: [false]}": "cache must be a single value",
	} {
		p, _ := entry(t, "type: duckdb\nuri: x\n"+text, noVariables)
		if e := wantConfig(t, p.Err); !strings.Contains(e.Message, want) {
			t.Errorf("%s: %v", text, e)
		}
	}
}

func TestExec_IsAProgramForEachSecret(t *testing.T) {
	for _, text := range []string{"postgres\nhost: h", "mysql\nhost: h", "clickhouse\nhost: h", "trino\nhost: h\nusername: u\nhttp_scheme: https", "snowflake\naccount: a\nusername: u", "databricks\nhost: h\nhttp_path: p"} {
		p, warnings := entry(t, "type: "+text+"\nexec: {command: [/bin/token, --for, '${NAME}', 7], timeout_seconds: 3}", func(string) (string, bool) { return "a b", true })
		if _, ok := p.SecretSource().(*credential.Command); !ok || p.Err != nil || len(warnings) > 0 {
			t.Errorf("%s: %v %v", text, p.Err, warnings)
		}
	}
	for text, want := range map[string]string{
		"exec: token":                                           "exec must be a mapping",
		"exec: {}":                                              "exec has no command",
		"exec: {command: /bin/token}":                           "exec has a command that is not a list",
		"exec: {command: []}":                                   "exec has a command that is not a list",
		"exec: {command: ['', a]}":                              "without the path of a program",
		"exec: {command: [[a]]}":                                "exec must be a single value",
		"exec: {command: [a], timeout_seconds: 0}":              "timeout_seconds that is not an integer from 1 to 600",
		"exec: {comand: [a]}":                                   "exec has comand, which is not one of its keys",
		"exec: {command: [a]}\npassword: hunter2":               "exec and password are both given",
		"exec: {command: [a]}\npassword_file: f":                "exec and password_file are both given",
		"exec: {command: [a]}\npassword: b\npassword_file: f":   "exec and password, password_file are both given",
		"exec: {command: [" + strings.Repeat("a, ", 101) + "]}": "a list of 1 to 100 texts",
		"exec: {command: [a]}\nuri: postgresql://u@h/d\nx: {}":  "uri is set together with host, exec",
		"exec: {command: [a], timeout_seconds: [1]}":            "exec must be a single value",
	} {
		p, _ := entry(t, "type: postgres\nhost: h\n"+text, noVariables)
		if e := wantConfig(t, p.Err); !strings.Contains(e.Message, want) || strings.Contains(e.Error(), "hunter2") {
			t.Errorf("%s: %v", text, e)
		}
	}
	for _, text := range []string{"databricks\nhost: h\nhttp_path: p\ntoken: x\ntoken_file: /t", "databricks\nhost: h\nhttp_path: p", "snowflake\naccount: a\nusername: u\npassword_file: f\nprivate_key_file: k", "trino\nhost: h\nusername: u\npassword_file: f"} {
		if p, _ := entry(t, "type: "+text, noVariables); p.Err == nil {
			t.Error(text)
		}
	}
}

func TestTLSFiles_NeedEncryption(t *testing.T) {
	for _, text := range []string{
		"mysql\nhost: h\ntls: 'true'\ntls_ca: a\ntls_cert: b\ntls_key: c", "mysql\nhost: h\ntls: preferred\ntls_cert: b\ntls_key: c",
		"clickhouse\nhost: h\nsecure: true\ntls_ca: a", "trino\nhost: h\nusername: u\nhttp_scheme: https\ntls_ca: a", "postgres\nhost: h\nsslcert: b\nsslkey: c",
	} {
		if p, warnings := entry(t, "type: "+text, noVariables); p.Err != nil || len(warnings) > 0 {
			t.Errorf("%s: %v %v", text, p.Err, warnings)
		}
	}
	for text, want := range map[string]string{
		"mysql\nhost: h\ntls_ca: a":                                                 "tls_ca is for encrypted connections",
		"mysql\nhost: h\ntls: skip-verify\ntls_ca: a":                               "tls_ca has no effect",
		"clickhouse\nhost: h\ntls_cert: a\ntls_key: b":                              "tls_cert is for encrypted connections",
		"trino\nhost: h\nusername: u\nhttp_scheme: https\nverify: false\ntls_ca: a": "tls_ca has no effect",
		"mysql\nhost: h\ntls: 'true'\ntls_cert: a":                                  "tls_cert is given without tls_key",
		"postgres\nhost: h\nsslkey: a":                                              "sslkey is given without sslcert",
		"postgres\nuri: postgresql://u@h/d\nsslkey: a\nsslcert: b":                  "uri is set together with sslcert, sslkey",
	} {
		p, _ := entry(t, "type: "+text, noVariables)
		if e := wantConfig(t, p.Err); !strings.Contains(e.Message, want) {
			t.Errorf("%s: %v", text, e)
		}
	}
}

func TestSessionProperties_AreSorted(t *testing.T) {
	p, warnings := entry(t, "type: trino\nhost: h\nusername: u\nsession_properties: {query_max_run_time: 5m, hive.batch: 3, join_distribution_type: '${KIND}'}", func(string) (string, bool) { return "AUTOMATIC", true })
	s, ok := p.Settings.(*profile.Trino)
	if !ok || len(warnings) > 0 {
		t.Fatal(p.Err, warnings)
	}
	var got []string
	for _, one := range s.SessionProperties {
		got = append(got, one.Name+"="+one.Value.Constant)
	}
	if text := strings.Join(got, " "); text != "hive.batch=3 join_distribution_type=AUTOMATIC query_max_run_time=5m" {
		t.Error(text)
	}
	for _, wrong := range []string{"[a]", "{a b: c}", "{a: [b]}", `{"a\n": b}`} {
		if p, _ := entry(t, "type: trino\nhost: h\nusername: u\nsession_properties: "+wrong, noVariables); p.Err == nil {
			t.Error(wrong)
		}
	}
}
