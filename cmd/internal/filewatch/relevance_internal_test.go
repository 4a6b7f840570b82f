package filewatch

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestWatcher_NamesThatMatter(t *testing.T) {
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"data/2024", "models", "real"} {
		if err := os.MkdirAll(filepath.Join(root, name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"data/bowls.csv", "models/m.yaml", "server.log"} {
		if err := os.WriteFile(filepath.Join(root, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("data", filepath.Join(root, "link")); err != nil {
		t.Fatal(err)
	}
	w := New(nil, func(name string) bool { return strings.HasSuffix(name, ".csv") }, nil)
	w.names = FoldersToWatch([]string{filepath.Join(root, "link"), filepath.Join(root, "models", "m.yaml")})
	for name, want := range map[string]bool{
		"data/bowls.csv": true, "data/new.csv": true, "data/2024": true, "data": true, "link": true, "models/m.yaml": true,
		"server.log": false, "real": false, "data/server.log": false, "models/m.yaml.swp": false, "models/other.csv": false, "real/bowls.csv": false,
	} {
		if got := w.isRelevant(filepath.Join(root, name)); got != want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
