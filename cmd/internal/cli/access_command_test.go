package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// SQLite has no SPLIT_PART.
func TestAccessCheck_Connection(t *testing.T) {
	dir := t.TempDir()
	policies, connections := filepath.Join(dir, "policies.yaml"), filepath.Join(dir, "connections.yaml")
	for path, text := range map[string]string{
		policies:    "version: 1\nroles:\n  part:\n    datasets:\n      customers:\n        rows: \"SPLIT_PART(region, '-', 1) = :user.name\"\n        fields: all\n",
		connections: "datasources: {lite: {type: sqlite, uri: ':memory:'}, pg: {type: postgres, host: pg.invalid}}\n",
	} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		connection string
		code       int
		words      string
	}{
		{"pg", 0, `"valid":true`},
		{"lite", 1, `"line":6,`},
		{"none", 1, "unknown connection none"},
	} {
		got := runLine(t, "access", "check", "--model", "testdata/shop.yaml", "--policies", policies, "--connections", connections, "--connection", c.connection, "--format", "json")
		if got.Code != c.code || !strings.Contains(strings.ReplaceAll(got.Out+got.Err, ": ", ":"), c.words) {
			t.Errorf("%s: %+v", c.connection, got)
		}
	}
}
