package profile_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/profile"
)

// secrets may be compared by tests only.
var secrets = cmp.Comparer(func(a, b executor.Secret) bool { return a.Reveal() == b.Reveal() })

func variables(set map[string]string) profile.EnvLookup {
	return func(name string) (string, bool) {
		value, ok := set[name]
		return value, ok
	}
}

var noVariables = variables(nil)

func parse(t *testing.T, text string, env profile.EnvLookup) *profile.ProfilesFile {
	t.Helper()
	f, err := profile.Parse([]byte(text), env)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// entry reads the only profile of a file, given as the keys of one entry.
func entry(t *testing.T, keys string, env profile.EnvLookup) (profile.Profile, []string) {
	t.Helper()
	f := parse(t, "datasources:\n  w:\n    "+strings.ReplaceAll(strings.TrimSpace(keys), "\n", "\n    ")+"\n", env)
	if len(f.Profiles) != 1 {
		t.Fatalf("%d profiles", len(f.Profiles))
	}
	var warnings []string
	for _, w := range f.Warnings {
		warnings = append(warnings, w.String())
	}
	return f.Profiles[0], warnings
}

func wantConfig(t *testing.T, err error) *executor.Error {
	t.Helper()
	var e *executor.Error
	if !errors.As(err, &e) || e.Code != executor.CodeConfig {
		t.Fatalf("got %v, want an *executor.Error of code config", err)
	}
	return e
}

func TestParse_FindsProfilesAtEachLevel(t *testing.T) {
	const one = "{a: {type: duckdb, uri: a.duckdb}}"
	tests := []struct {
		name, text string
		want       []string
		warns      string
	}{
		{"at the root", "datasources: " + one, []string{"a"}, ""},
		{"under agent.services", "agent: {services: {datasources: " + one + "}}", []string{"a"}, ""},
		{"under agent", "agent: {datasources: " + one + "}", []string{"a"}, ""},
		{"beside what belongs to others", "agent: {models: {x: {api_key: '${NOPE}'}}, services: {bi: {}, datasources: " + one + "}}", []string{"a"}, ""},
		{"at the root before agent", "agent: {datasources: {b: {}}}\ndatasources: " + one, []string{"a"}, "agent.datasources is not read: datasources is there as well"},
		{"in services before agent", "agent: {datasources: {b: {}}, services: {datasources: " + one + "}}", []string{"a"}, "agent.datasources is not read: agent.services.datasources"},
		{"as JSON", `{"datasources": {"a": {"type": "duckdb", "uri": "a.duckdb"}}}`, []string{"a"}, ""},
		{"nowhere", "agent: {services: {databases: " + one + "}}", nil, "there is no datasources"},
		{"with nothing in it", "datasources:\n", nil, "there is no datasources"},
		{"in an empty file", "# nothing\n", nil, ""},
		{"in their order", "datasources: {z: {}, a: {}, m: {}}", []string{"z", "a", "m"}, ""},
		{"with merged keys", "base: &b {type: duckdb, read_only: false}\ndatasources: {a: {<<: *b, uri: a}}", []string{"a"}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := parse(t, tt.text, noVariables)
			var names []string
			for _, p := range f.Profiles {
				names = append(names, p.Name)
			}
			if d := cmp.Diff(tt.want, names); d != "" {
				t.Error(d)
			}
			var warned []string
			for _, w := range f.Warnings {
				warned = append(warned, w.String())
			}
			if all := strings.Join(warned, "\n"); (tt.warns == "") != (all == "") || !strings.Contains(all, tt.warns) {
				t.Errorf("warnings %q, want %q", all, tt.warns)
			}
		})
	}
}

func TestParse_RejectsInvalidFile(t *testing.T) {
	var bomb strings.Builder
	bomb.WriteString("a: &a {x: 1}\n")
	for c := 'b'; c < 'p'; c++ { // fourteen times ten of the one before
		last := "*" + string(c-1)
		bomb.WriteString(string(c) + ": &" + string(c) + " {<<: [" + strings.Repeat(last+", ", 9) + last + "]}\n")
	}
	bomb.WriteString("datasources: *o\n")
	tests := []struct{ name, text, says string }{
		{"a list", "- a\n", "must be a mapping"},
		{"a text", "hello", "must be a mapping"},
		{"profiles as a list", "datasources: [{name: a}]", "datasources must be a mapping"},
		{"not YAML", "datasources:\n  a: {type: duckdb\n  b: x: y\n", "not YAML (near line 3)"},
		{"a value with a colon", "# a comment\ndatasources:\n  a:\n    type: duckdb\n    uri: x: y\n", "not YAML (near line 5)"},
		{"a password that begins with @", "# a comment\n\ndatasources:\n  a:\n    password: @hunter2\n", "not YAML (near line 5)"},
		{"a line that is indented too little", "datasources:\n  a:\n    type: duckdb\n   uri: x\n", "not YAML (near line 4)"},
		{"an alias of nothing", "datasources: {a: {password: *hunter2}}", "not YAML"},
		{"two documents", "datasources: {}\n---\ndatasources: {}\n", "more than one"},
		{"a key on the way twice", "agent: {}\nagent: {datasources: {}}\n", "agent twice"},
		{"a bomb of merges", bomb.String(), "too large"},
		{"a merge of itself", "datasources: &d {<<: *d}", "too large"},
		{"a file of more than 1 MiB", "#" + strings.Repeat("x", 1<<20), "longer than 1 MiB"},
		{"bytes that are no text", "datasources: {a: \"\xff\xfe\"}", "not YAML"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := profile.Parse([]byte(tt.text), noVariables)
			e := wantConfig(t, err)
			if !strings.Contains(e.Message, tt.says) || strings.Contains(e.Message+e.Hint, "hunter2") {
				t.Errorf("%v", e)
			}
		})
	}
}

func TestParse_BrokenProfileKeepsOthers(t *testing.T) {
	f := parse(t, `
datasources:
  good: {type: duckdb, uri: a.duckdb}
  unset: {type: postgres, host: h, password: "${PG_PASSWORD}"}
  strange: {type: oracle, host: h}
  typeless: {host: h}
  text: type=duckdb
  twins: {type: duckdb, uri: a}
  listed: {type: [duckdb], uri: a}
  doubled: {type: duckdb, uri: a, uri: b}
  twins: {type: duckdb, uri: b}
  endless: &e {<<: *e}
  huge: {<<: [{`+strings.Repeat("k: v, ", 1000)+`}]}
  also_good: {type: mysql, host: h}
`, noVariables)
	type row struct {
		Name, Dialect, Says string
		Usable              bool
	}
	var got []row
	for _, p := range f.Profiles {
		r := row{Name: p.Name, Dialect: p.Dialect, Usable: p.Settings != nil && p.Err == nil}
		if p.Err != nil {
			r.Says = strings.TrimPrefix(wantConfig(t, p.Err).Message, `the connection `+p.Name+` cannot be used: `)
		}
		got = append(got, r)
	}
	want := []row{
		{"good", "duckdb", "", true},
		{"unset", "postgres", "password needs the variable PG_PASSWORD, which is not set", false},
		{"strange", "", "type is not a known type of warehouse", false},
		{"typeless", "", "type is missing", false},
		{"text", "", "the profile must be a mapping of keys to values", false},
		{"twins", "duckdb", "the file holds two profiles of this name", false},
		{"listed", "", "type must be a single value", false},
		{"doubled", "duckdb", "uri is given twice", false},
		{"endless", "", "it has too many keys with its merges expanded", false},
		{"huge", "", "it has too many keys with its merges expanded", false},
		{"also_good", "mysql", "", true},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestParse_ReportsAllErrorsAtOnce(t *testing.T) {
	p, _ := entry(t, "type: postgres\nport: many\nsslmode: requird\nhostname: h\npassword: ${A}\nusername: ${B}", noVariables)
	want := [2]string{
		`the connection w cannot be used: host is missing; port must be an integer from 1 to 65535; username needs the variable B, which is not set; ` +
			`password needs the variable A, which is not set; sslmode must be one of disable, allow, prefer, require, verify-ca, verify-full`,
		"set B in the environment of the service, or write a default: ${B:-value}; set A in the environment of the service, or write a default: ${A:-value}; " +
			"did you mean require?; the key hostname is not known; did you mean host?",
	}
	e := wantConfig(t, p.Err)
	if d := cmp.Diff(want, [2]string{e.Message, e.Hint}); d != "" {
		t.Error(d)
	}
}

func TestDefault_FirstMarkedWins(t *testing.T) {
	f := parse(t, "datasources: {a: {type: duckdb, uri: a}, b: {type: duckdb, uri: b, default: 'yes'}, c: {type: duckdb, uri: c, default: true}}", noVariables)
	if f.DefaultProfileName() != "b" {
		t.Errorf("default %q", f.DefaultProfileName())
	}
	if len(f.Warnings) != 1 || !strings.Contains(f.Warnings[0].String(), `connection c: default is marked twice`) {
		t.Errorf("%v", f.Warnings)
	}
	if f = parse(t, "datasources: {a: {type: duckdb, uri: a}}", noVariables); f.DefaultProfileName() != "" {
		t.Errorf("default %q where none is marked", f.DefaultProfileName())
	}
	if _, ok := f.Lookup("A"); ok {
		t.Error("names are exact")
	}
	if p, ok := f.Lookup("a"); !ok || p.Type != "duckdb" {
		t.Errorf("%+v", p)
	}
}

func TestParse_UnknownKeySuggestsNearest(t *testing.T) {
	tests := []struct{ keys, key, want string }{
		{"type: postgres\nhost: h", "user", "username"},
		{"type: postgres\nhost: h", "Password", "password"},
		{"type: postgres\nhost: h", "pwd", "password"},
		{"type: postgres\nhost: h", "ssl_mode", "sslmode"},
		{"type: postgres\nhost: h", "timeout", "timeout_seconds"},
		{"type: mysql\nhost: h", "databse", "database"},
		{"type: trino\nhost: h\nusername: u", "schema", "schema_name"},
		{"type: duckdb\nuri: a", "readonly", "read_only"},
		{"type: duckdb\nuri: a", "colour", ""},
	}
	for _, tt := range tests {
		p, warnings := entry(t, tt.keys+"\n"+tt.key+": x", noVariables)
		want := `line ` + string(rune('3'+strings.Count(tt.keys, "\n")+1)) + `: connection w: the key ` + tt.key + " is not known"
		if tt.want != "" {
			want += "; did you mean " + tt.want + "?"
		}
		if d := cmp.Diff([]string{want}, warnings); d != "" || p.Err != nil {
			t.Errorf("%v %s", p.Err, d)
		}
	}
}

func TestParse_QuotesUnusualNames(t *testing.T) {
	long := strings.Repeat("n", 61)
	f := parse(t, "datasources: {pg-1.main: {}, 'two words': {}, \"a\\nb\": {}, "+long+": {}, 7: {}}", noVariables)
	var got []string
	for _, p := range f.Profiles {
		shown, _, _ := strings.Cut(wantConfig(t, p.Err).Message, " cannot be used")
		got = append(got, strings.TrimPrefix(shown, "the connection "))
	}
	want := []string{"pg-1.main", `"two words"`, `"a\nb"`, `"` + long[:60] + `…"`, "7"}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}
