package profile_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/executor/profile"
)

func TestResolveSource_FirstRuleThatAppliesWins(t *testing.T) {
	t.Chdir(t.TempDir())
	file := parse(t, "datasources:\n  warehouse: {type: postgres, host: h}\n  trips: {type: postgres, host: h}\n  broken: {type: postgres}\n", noVariables)
	duck, lite := "\x00\x00\x00\x00\x00\x00\x00\x00DUCK\x40\x00\x00\x00", "SQLite format 3\x00"
	for name, text := range map[string]string{
		"a.duckdb": duck, "a.ddb": duck, "a.db": duck, "b.db": lite, "b.sqlite": lite, "b.sqlite3": lite,
		"c.db": "text", "d.csv": "a\n1\n", "x[1].csv": "a\n1\n",
	} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, dir := range []string{"trips", "dir.db"} {
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	tests := []struct{ text, want string }{
		{"trips", "files trips"}, // the folder wins over the profile
		{"dir.db", "files dir.db"},
		{"d.csv", "files d.csv"},
		{"x[1].csv", "files x[1].csv"}, // the file of that name
		{"*.csv", "files *.csv"},
		{"a.duckdb", "duckdb"},
		{"a.ddb", "duckdb"},
		{"a.db", "duckdb"},
		{"b.db", "sqlite"},
		{"b.sqlite", "sqlite"},
		{"b.sqlite3", "sqlite"},
		{"c.db", "files c.db"},
		{"warehouse", "profile warehouse"},
		{"postgres://h/d", "postgres"},
		{"sqlite:missing.sqlite", "sqlite"},
	}
	for _, tt := range tests {
		t.Run(tt.text, func(t *testing.T) {
			s, err := profile.ResolveSource(tt.text, file)
			if err != nil {
				t.Fatal(err)
			}
			got := ""
			switch s := s.(type) {
			case profile.DataFilesSource:
				got = "files " + s.Path
			case profile.DatabaseSource:
				got = s.DSN.Profile.Type
				if s.Path != "" && !filepath.IsAbs(s.DSN.Keys[1].Value) {
					t.Errorf("the path of the file is %q", s.DSN.Keys[1].Value)
				}
			case profile.NamedProfileSource:
				got = "profile " + s.Profile.Name
			}
			if got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

func TestResolveSource_UnknownTextListsProfiles(t *testing.T) {
	t.Chdir(t.TempDir())
	file := parse(t, "datasources:\n  warehouse: {type: postgres, host: h}\n  broken: {type: postgres}\n", noVariables)
	for _, text := range []string{"warehous", "missing/", "*.csv", "x[", ""} {
		_, err := profile.ResolveSource(text, file)
		var unknown *profile.UnknownSourceError
		if !errors.As(err, &unknown) || !strings.Contains(err.Error(), "the known profiles are warehouse, broken") {
			t.Errorf("%q: %v", text, err)
		}
	}
	if _, err := profile.ResolveSource("x", nil); err == nil || !strings.Contains(err.Error(), "no connection profiles") {
		t.Error(err)
	}
	_, err := profile.ResolveSource("broken", file)
	wantConfig(t, err)
}
