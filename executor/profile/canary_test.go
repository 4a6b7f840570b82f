package profile_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/profile"
)

const canary = "c4n4ry"

// shown returns everything that a program could print about a file by accident.
func shown(f *profile.ProfilesFile, err error) string {
	var b bytes.Buffer
	text, json := slog.New(slog.NewTextHandler(&b, nil)), slog.New(slog.NewJSONHandler(&b, nil))
	text.Info("", "file", f, "error", err)
	json.Info("", "file", f, "error", err)
	b.WriteString(spelled(err))
	if f == nil {
		return b.String()
	}
	for _, p := range f.Profiles {
		fmt.Fprintf(&b, "%v %+v %#v\n", p, p, p)
		fmt.Fprintf(&b, "%v %+v %#v\n", p.Settings, p.Settings, p.Settings)
		text.Info("", "profile", p, "settings", p.Settings)
		json.Info("", "profile", p, "settings", p.Settings)
		b.WriteString(spelled(p.Err))
	}
	for _, w := range f.Warnings {
		b.WriteString(w.String())
	}
	return b.String()
}

func spelled(err error) string {
	if err == nil {
		return ""
	}
	s := fmt.Sprintf("%v %+v %#v", err, err, err)
	var e *executor.Error
	if errors.As(err, &e) {
		wire, _ := json.Marshal(e)
		s += string(wire) + fmt.Sprintf("%v %+v %#v", *e, *e, *e)
	}
	return s
}

func TestSecret_NeverShown(t *testing.T) {
	env := func(string) (string, bool) { return canary, true }
	tests := []struct{ name, text string }{
		{"where secrets belong", `datasources:
  a: {type: postgres, host: h, password: c4n4ry}
  b: {type: postgres, uri: "postgres://u:c4n4ry@h/d"}
  c: {type: mysql, host: h, password: "${V}"}
  d: {type: mysql, uri: "mysql://u:c4n4ry@h/d"}
  e: {type: databricks, host: h, http_path: p, token: c4n4ry}
  f: {type: snowflake, account: a, username: u, password: c4n4ry}
  g: {type: trino, host: h, username: u, password: c4n4ry, http_scheme: https}
  h: {type: clickhouse, host: h, password: c4n4ry}`},
		{"where they do not belong", `datasources:
  a: {type: c4n4ry}
  b: {type: postgres, host: h, port: c4n4ry, sslmode: c4n4ry, timeout_seconds: "${V}", default: c4n4ry}
  c: {type: duckdb, uri: "duckdb://c4n4ry", read_only: c4n4ry, threads: c4n4ry, memory_limit: c4n4ry}
  d: {type: mysql, uri: "mysql://u:c4n4ry@h/d?c4n4ry=c4n4ry", tls: c4n4ry}
  e: {type: mysql, uri: "u:c4n4ry@tcp(h)/d"}
  f: {type: postgres, uri: "postgres://u:c4n4ry@h:port/d"}
  g: {type: postgres, uri: "c4n4ry"}
  h: {type: trino, host: h, username: u, password: c4n4ry}
  i: {type: "postgres://u:c4n4ry@h/d"}
  j: {type: "${V}"}
  k: {type: postgres, host: h, "password:c4n4ry": }
  l: "type: postgres password: c4n4ry"
  m: {type: postgres, host: h, password: !c4n4ry x}
  n: {type: postgres, host: h, password: [c4n4ry]}
  o: {type: postgres, host: h, password: "c4n4ry${"}
  p: {type: postgres, host: h, password: "${X-c4n4ry}"}
  q: {type: mysql, host: h, tls: "${V}", charset: c4n4ry, catalog: c4n4ry}
  r: {type: postgres, host: h, comment: c4n4ry}
  s: {type: postgres, host: h, password: c4n4ry, password: c4n4ry}`},
		{"in a file that does not parse", "datasources: {a: {password: *c4n4ry}}"},
		{"in a mapping that is none", "datasources:\n  a:\n    password: 'c4n4ry\n"},
		{"in a value that looks like a tag", "datasources:\n  a:\n    password: !c4n4ry!x y\n"},
		{"in a value that looks like a directive", "%c4n4ry\n---\ndatasources: {}\n"},
		{"as the file", "c4n4ry"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f, err := profile.Parse([]byte(tt.text), env)
			if s := shown(f, err); strings.Contains(s, canary) {
				for _, line := range strings.Split(s, "\n") {
					if strings.Contains(line, canary) {
						t.Error(line)
					}
				}
			}
			if f != nil && tt.name == "where secrets belong" {
				for _, p := range f.Profiles {
					if p.Err != nil {
						t.Errorf("%s is not usable: the test shows nothing", p.Name)
					}
				}
			}
		})
	}
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		"datasources: {a: {type: duckdb, uri: 'duckdb:///a'}}",
		"agent: {services: {datasources: {a: {type: postgres, host: '${H:-x}', port: '5432', password: '${P}'}}}}",
		"datasources:\n  b: &b {type: mysql, uri: 'mysql://u:${P}@h:3306/d?tls=true'}\n  c: {<<: [*b, *b], type: tidb}\n",
		"datasources: {a: {type: snowflake, account: a, username: u, password: ${P}, private_key_file: ~/k}}",
		"datasources: {a: {<<: {<<: {}}}, b: [], c: null, 1: {type: trino}}",
		"{\"datasources\": {\"a\": {\"type\": \"bigquery\", \"catalog\": 1}}}",
		"datasources:\n 00: &b {<<: [*b]}", "a: &a [*a]\n---\n", "%YAML 1.1\n", "\xef\xbb\xbfdatasources:",
	} {
		f.Add([]byte(seed))
	}
	env := func(name string) (string, bool) { return canary, name != "UNSET" }
	f.Fuzz(func(t *testing.T, text []byte) {
		if bytes.Contains(text, []byte(canary)) {
			t.Skip()
		}
		file, err := profile.Parse(text, env)
		if (file == nil) == (err == nil) {
			t.Fatalf("file %v, error %v", file, err)
		}
		if err != nil {
			wantConfig(t, err)
		}
		// Values that are not secret may be printed with the settings; errors and warnings
		// repeat no value at all.
		said := spelled(err)
		if file != nil {
			names := map[string]bool{}
			for _, p := range file.Profiles {
				if (p.Settings == nil) == (p.Err == nil) {
					t.Fatalf("settings %v, error %v", p.Settings, p.Err)
				}
				if names[p.Name] {
					t.Fatalf("two profiles are named %q", p.Name)
				}
				names[p.Name] = true
				said += spelled(p.Err)
			}
			for _, w := range file.Warnings {
				said += w.String()
			}
		}
		if strings.Contains(said, canary) {
			t.Fatalf("a value is repeated: %s", said)
		}
	})
}
