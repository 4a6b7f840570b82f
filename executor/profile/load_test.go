package profile_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/executor/profile"
)

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestPaths_MatchDocumentation(t *testing.T) {
	want := []string{
		"service-connections.yaml", "/h/.config/service/connections.yaml", "conf/agent.yml",
		"/h/.semlayer/conf/agent.yml", "/h/.datus/conf/agent.yml",
	}
	if d := cmp.Diff(want, profile.ProfileSearchPaths("/h")); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]string{"service-connections.yaml", "conf/agent.yml"}, profile.ProfileSearchPaths("")); d != "" {
		t.Error(d)
	}
}

func TestPaths_FirstExistingFileWins(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Chdir(t.TempDir())
	if path := profile.FindProfilesFile(); path != "" {
		t.Fatalf("found %s in empty directories", path)
	}
	// From the last place to the first: each one put in the way of the others.
	places := profile.ProfileSearchPaths(home)
	for i := len(places) - 1; i >= 0; i-- {
		write(t, places[i], "datasources: {a: {type: duckdb, uri: "+strings.Repeat("x", i+1)+"}}")
		found := profile.FindProfilesFile()
		if found != places[i] {
			t.Fatalf("found %s, want %s", found, places[i])
		}
		f, err := profile.LoadProfilesFile(found, noVariables)
		if err != nil {
			t.Fatal(err)
		}
		if got := f.Profiles[0].Settings.(*profile.DuckDB).Path; len(got) != i+1 || f.Path != found {
			t.Errorf("%s: path %s, read from %s", places[i], got, f.Path)
		}
	}
	if err := os.Remove(places[0]); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(places[0], 0o700); err != nil {
		t.Fatal(err)
	}
	if found := profile.FindProfilesFile(); found != places[1] {
		t.Errorf("found %s: a directory is no file", found)
	}
}

func TestLoad_ErrorNamesFileAndReason(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		write(t, filepath.Join(dir, name), text)
		return filepath.Join(dir, name)
	}
	tests := []struct{ path, says string }{
		{filepath.Join(dir, "missing.yaml"), `the profiles file missing.yaml: there is no such file`},
		{dir, "it cannot be read"},
		{file("list.yaml", "- a"), `the profiles file list.yaml: the file must be a mapping`},
		{file("long.yaml", strings.Repeat("# comment\n", 1<<17)), `the profiles file long.yaml: it is longer than 1 MiB`},
	}
	for _, tt := range tests {
		_, err := profile.LoadProfilesFile(tt.path, noVariables)
		if e := wantConfig(t, err); !strings.Contains(e.Message, tt.says) || strings.Contains(e.Message, filepath.Dir(dir)) {
			t.Errorf("%s: %v", tt.path, e)
		}
	}
}
