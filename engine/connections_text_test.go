package engine_test

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/executor/profile"
)

const textProfiles = `datasources:
  memory: {type: duckdb, uri: "${TEST_DUCKDB_URI}", default: true}
  shared: {type: postgres, host: "${TEST_PG_HOST:-127.0.0.1}", port: 1, password: "${TEST_PG_PASSWORD}", colour: red}
  broken: {type: postgres, host: h, port: c4n4ry}
`

// What a file of profiles gives, its text gives too.
func TestConnectionsText_IsReadAsAFileIs(t *testing.T) {
	t.Setenv("TEST_DUCKDB_URI", ":memory:")
	t.Setenv("TEST_PG_PASSWORD", "c4n4ry")
	path := file(t, textProfiles)
	fromFile := open(t, engine.Config{ModelText: []byte(numbers), ConnectionsPath: path})
	fromText := open(t, engine.Config{ModelText: []byte(numbers), ConnectionsPath: path, ConnectionsText: []byte(textProfiles)})
	if d := cmp.Diff(wire(t, fromFile.Connections()), wire(t, fromText.Connections())); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff(fromFile.ConnectionsFileReport(), fromText.ConnectionsFileReport()); d != "" {
		t.Error(d)
	}
	if r := fromText.ConnectionsFileReport(); len(r.Warnings) != 2 || r.Default != "memory" || strings.Contains(fmt.Sprint(r), "c4n4ry") {
		t.Errorf("%+v", r)
	}
	got, err := askRows(context.Background(), fromText, metricQuery(t, `{`+totals+`,"connection":"memory"}`))
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(`[{"region":"east","total":12},{"region":"west","total":30}]`, string(got.Rows)); d != "" {
		t.Error(d)
	}
}

// The text takes the place of the file, which need not exist, and of one that would be found.
func TestConnectionsText_TakesThePlaceOfFiles(t *testing.T) {
	t.Setenv("HOME", t.TempDir())
	t.Chdir(t.TempDir())
	if err := os.WriteFile("service-connections.yaml", []byte("datasources: {found: {type: sqlite, uri: x}}"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]engine.Config{
		"a missing file": {ConnectionsPath: "missing.yaml"},
		"a found file":   {DiscoverConnections: true},
	} {
		t.Run(name, func(t *testing.T) {
			c.ModelText, c.ConnectionsText = []byte(numbers), []byte("datasources: {given: {type: sqlite, uri: x}}")
			e := open(t, c)
			if list := e.Connections(); len(list) != 1 || list[0].Name != "given" || e.ConnectionsFileReport().Path != c.ConnectionsPath {
				t.Errorf("%+v, %+v", list, e.ConnectionsFileReport())
			}
		})
	}
}

func TestConnectionsText_ErrorsNameNoValue(t *testing.T) {
	for _, tt := range []struct{ name, path, text, want string }{
		{"not a mapping", "", "- c4n4ry", "config: the connection profiles: the file must be a mapping with the key datasources"},
		{"a name", "dir/prod.yaml", "- c4n4ry", "config: the profiles file prod.yaml: the file must be a mapping with the key datasources"},
		{"not YAML", "", "a: c4n4ry\n b: [c4n4ry", "config: the connection profiles: "},
		{"too long", "", strings.Repeat("# c4n4ry\n", profile.MaxProfilesFileBytes/9+1), "config: the connection profiles: it is longer than 1 MiB"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := engine.Open(t.Context(), engine.Config{
				ModelText: []byte(numbers), ConnectionsPath: tt.path, ConnectionsText: []byte(tt.text), Logger: slog.New(slog.DiscardHandler),
			})
			if err == nil || !strings.HasPrefix(err.Error(), tt.want) || strings.Contains(fmt.Sprintf("%v %+v", err, err), "c4n4ry") {
				t.Errorf("got %v, want %s", err, tt.want)
			}
		})
	}
}
