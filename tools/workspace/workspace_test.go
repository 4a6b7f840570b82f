package workspace_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/tools/workspace"
)

// writeTree makes a small workspace: base stands alone, top requires base,
// and top/nested is a module inside another module's folder.
func writeTree(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for name, text := range files {
		full := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func smallTree() map[string]string {
	return map[string]string{
		"go.work":           "go 1.26.0\n\nuse (\n\t./top\n\t./base\n\t./top/nested\n)\n",
		"base/go.mod":       "module example.com/base\n\ngo 1.26.0\n",
		"top/go.mod":        "module example.com/top\n\ngo 1.26.0\n\nrequire example.com/base v0.1.0\n",
		"top/nested/go.mod": "module example.com/top/nested\n\ngo 1.26.0\n\nrequire example.com/top v0.1.0\n",
		"versions.yaml":     "modules:\n  base: v0.1.0\nunreleased: [top]\n",
	}
}

func TestLoad_ReadsModulesAndVersions(t *testing.T) {
	w, err := workspace.Load(writeTree(t, smallTree()))
	if err != nil {
		t.Fatal(err)
	}
	var dirs []string
	for _, m := range w.Modules {
		dirs = append(dirs, m.Dir+" "+m.Path)
	}
	want := []string{"base example.com/base", "top example.com/top", "top/nested example.com/top/nested"}
	if diff := cmp.Diff(want, dirs); diff != "" {
		t.Errorf("modules (-want +got):\n%s", diff)
	}
	wantVersions := workspace.VersionsYAML{Modules: map[string]string{"base": "v0.1.0"}, Unreleased: []string{"top"}}
	if diff := cmp.Diff(wantVersions, w.Versions); diff != "" {
		t.Errorf("versions (-want +got):\n%s", diff)
	}
}

func TestOwner_InnermostModule(t *testing.T) {
	w, err := workspace.Load(writeTree(t, smallTree()))
	if err != nil {
		t.Fatal(err)
	}
	for importPath, want := range map[string]string{
		"example.com/top":            "example.com/top",
		"example.com/top/pkg":        "example.com/top",
		"example.com/top/nested":     "example.com/top/nested",
		"example.com/top/nested/pkg": "example.com/top/nested",
		"example.com/topmost":        "",
		"fmt":                        "",
	} {
		got, ok := w.ModuleOfImport(importPath)
		if got.Path != want || ok != (want != "") {
			t.Errorf("Owner(%q) = %q, %v; want %q", importPath, got.Path, ok, want)
		}
	}
}

func TestDependencyOrder_RequirementsFirst(t *testing.T) {
	w, err := workspace.Load(writeTree(t, smallTree()))
	if err != nil {
		t.Fatal(err)
	}
	order, err := w.DependencyOrder()
	if err != nil {
		t.Fatal(err)
	}
	var dirs []string
	for _, m := range order {
		dirs = append(dirs, m.Dir)
	}
	if diff := cmp.Diff([]string{"base", "top", "top/nested"}, dirs); diff != "" {
		t.Errorf("order (-want +got):\n%s", diff)
	}
}

func TestDependencyOrder_RejectsCircle(t *testing.T) {
	files := smallTree()
	files["base/go.mod"] += "\nrequire example.com/top v0.1.0\n"
	w, err := workspace.Load(writeTree(t, files))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.DependencyOrder(); err == nil || !strings.Contains(err.Error(), "circle") {
		t.Errorf("error = %v; want one about a circle", err)
	}
}

func TestLoad_RejectsUnknownVersionKey(t *testing.T) {
	files := smallTree()
	files["versions.yaml"] = "module:\n  base: v0.1.0\n"
	if _, err := workspace.Load(writeTree(t, files)); err == nil || !strings.Contains(err.Error(), "module") {
		t.Errorf("error = %v; want one that names the key", err)
	}
}

func TestFindRoot_WalksUp(t *testing.T) {
	root := writeTree(t, smallTree())
	got, err := workspace.FindRoot(filepath.Join(root, "top", "nested"))
	if err != nil || got != root {
		t.Errorf("FindRoot = %q, %v; want %q", got, err, root)
	}
	if _, err := workspace.FindRoot(t.TempDir()); err == nil {
		t.Error("FindRoot outside a workspace: no error")
	}
}
