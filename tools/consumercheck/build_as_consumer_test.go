package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/tools/workspace"
)

const (
	goCmpMod = "\nrequire github.com/google/go-cmp v0.7.0\n"
	goCmpSum = "github.com/google/go-cmp v0.7.0 h1:wk8382ETsv4JYUZwIsn6YpYiWiBsYLSJiTsyBybVuN8=\n" +
		"github.com/google/go-cmp v0.7.0/go.mod h1:pXiqmnSA92OHEEa9HXL2W4E7lf9JzCmGVUdgjX3N/iU=\n"
)

// tree returns two unpublished modules: tool, a program, imports lib; lib imports go-cmp.
func tree() map[string]string {
	return map[string]string{
		"go.work":       "go 1.26.0\n\nuse (\n\t./lib\n\t./tool\n)\n",
		"versions.yaml": "modules:\n  lib: v0.4.0\n  tool: v0.4.0\n",
		"lib/go.mod":    "module example.com/r/lib\n\ngo 1.26.0\n" + goCmpMod,
		"lib/go.sum":    goCmpSum,
		"lib/lib.go":    "package lib\n\nimport _ \"github.com/google/go-cmp/cmp\"\n",
		"tool/go.mod":   "module example.com/r/tool\n\ngo 1.26.0\n\nrequire (\n\texample.com/r/lib v0.4.0\n\tgithub.com/google/go-cmp v0.7.0 // indirect\n)\n",
		"tool/go.sum":   goCmpSum,
		"tool/main.go": `package main

import (
	"fmt"
	"runtime/debug"

	_ "example.com/r/lib"
)

func main() {
	info, _ := debug.ReadBuildInfo()
	fmt.Println(info.Main.Version)
}
`,
	}
}

// published writes the files, loads them as a workspace and publishes every module.
func published(t *testing.T, files map[string]string) (*consumerGoEnvironment, *workspace.Workspace) {
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
	w, err := workspace.Load(root)
	if err != nil {
		t.Fatal(err)
	}
	c, err := newConsumer(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range w.Modules {
		if err := c.publishModule(w.AbsModuleDir(m), m.Path, w.Versions.Modules[m.Dir]); err != nil {
			t.Fatal(err)
		}
	}
	return c, w
}

func build(t *testing.T, files map[string]string, modulePath string) error {
	t.Helper()
	c, w := published(t, files)
	m, ok := w.ModuleByPath(modulePath)
	if !ok {
		t.Fatalf("no module %s", modulePath)
	}
	return c.buildModuleOutsideWorkspace(t.Context(), w, m, w.Versions.Modules[m.Dir])
}

func TestConsumer_CompleteModuleBuilds(t *testing.T) {
	for _, modulePath := range []string{"example.com/r/lib", "example.com/r/tool"} {
		if err := build(t, tree(), modulePath); err != nil {
			t.Errorf("%s: %v", modulePath, err)
		}
	}
}

func TestConsumer_IncompleteModuleRejected(t *testing.T) {
	for _, tc := range []struct{ name, file, old, new, module, want string }{
		{"requirement missing in go.mod", "tool/go.mod", "\tgithub.com/google/go-cmp v0.7.0 // indirect\n", "", "example.com/r/tool", "go.mod is not complete"},
		{"sum missing in go.sum", "lib/go.sum", goCmpSum, "", "example.com/r/lib", "go.sum is not complete"},
		{"sibling at another version", "tool/go.mod", "lib v0.4.0", "lib v0.5.0", "example.com/r/tool", "v0.5.0"},
		{"no packages", "lib/lib.go", "package lib\n", "//go:build never\n\npackage lib\n", "example.com/r/lib", "no packages"},
		{"does not compile", "lib/lib.go", "package lib\n", "package lib\n\nfunc {\n", "example.com/r/lib", "lib.go"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			files := tree()
			if !strings.Contains(files[tc.file], tc.old) {
				t.Fatalf("%s does not contain %q", tc.file, tc.old)
			}
			files[tc.file] = strings.Replace(files[tc.file], tc.old, tc.new, 1)
			if err := build(t, files, tc.module); err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("error = %v; want one that says %q", err, tc.want)
			}
		})
	}
}

func TestConsumer_InstalledBinaryKnowsVersion(t *testing.T) {
	c, _ := published(t, tree())
	if err := c.installAndCheckBinary(t.Context(), "example.com/r/tool", "v0.4.0"); err != nil {
		t.Error(err)
	}

	files := tree()
	files["tool/main.go"] = "package main\n\nimport _ \"example.com/r/lib\"\n\nfunc main() { println(\"unknown\") }\n"
	c, _ = published(t, files)
	if err := c.installAndCheckBinary(t.Context(), "example.com/r/tool", "v0.4.0"); err == nil || !strings.Contains(err.Error(), "after an install of v0.4.0") {
		t.Errorf("error = %v; want one about the version", err)
	}
}
