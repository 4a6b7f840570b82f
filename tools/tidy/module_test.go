package main

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// untidyTree returns two unpublished modules. top imports base and go-cmp and requires
// neither; other has the pin for go-cmp; base requires a module it never imports.
func untidyTree(t *testing.T) string {
	t.Helper()
	root := t.TempDir()
	for name, text := range map[string]string{
		"go.work":         "go 1.26.0\n\nuse (\n\t./base\n\t./other\n\t./top\n)\n",
		"versions.yaml":   "modules:\n  base: v0.1.0\n  other: v0.1.0\n  top: v0.1.0\n",
		"base/go.mod":     "module example.com/r/base\n\ngo 1.26.0\n\nrequire github.com/google/go-cmp v0.7.0\n",
		"base/base.go":    "package base\n",
		"other/go.mod":    "module example.com/r/other\n\ngo 1.26.0\n\nrequire github.com/google/go-cmp v0.7.0\n",
		"other/o_test.go": "package other\n\nimport _ \"github.com/google/go-cmp/cmp\"\n",
		"top/go.mod":      "module example.com/r/top\n\ngo 1.26.0\n",
		"top/top.go":      "package top\n\nimport (\n\t_ \"example.com/r/base\"\n\t_ \"github.com/google/go-cmp/cmp\"\n)\n",
	} {
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

func read(t *testing.T, root, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestTidy_RequiresImportsAtVersionsInUse(t *testing.T) {
	root := untidyTree(t)
	if err := tidyOrCheckModules(t.Context(), io.Discard, root, nil, false); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"base/go.mod":  "module example.com/r/base\n\ngo 1.26.0\n",
		"other/go.mod": "module example.com/r/other\n\ngo 1.26.0\n\nrequire github.com/google/go-cmp v0.7.0\n",
		"top/go.mod":   "module example.com/r/top\n\ngo 1.26.0\n\nrequire (\n\texample.com/r/base v0.1.0\n\tgithub.com/google/go-cmp v0.7.0\n)\n",
	} {
		if diff := cmp.Diff(want, read(t, root, name)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	if sum := read(t, root, "top/go.sum"); !strings.Contains(sum, "go-cmp v0.7.0 h1:") || strings.Contains(sum, "example.com") {
		t.Errorf("top/go.sum must hold go-cmp and no sibling:\n%s", sum)
	}
	if err := tidyOrCheckModules(t.Context(), io.Discard, root, nil, true); err != nil {
		t.Errorf("check after tidy: %v", err)
	}
}

func TestCheck_ReportsWithoutWriting(t *testing.T) {
	root := untidyTree(t)
	before := read(t, root, "top/go.mod")
	var report bytes.Buffer
	if err := tidyOrCheckModules(t.Context(), &report, root, nil, true); !errors.Is(err, errNotTidy) {
		t.Errorf("error = %v; want %v", err, errNotTidy)
	}
	if after := read(t, root, "top/go.mod"); after != before {
		t.Errorf("check wrote go.mod:\n%s", after)
	}
	for _, want := range []string{"base/go.mod:\n  - require github.com/google/go-cmp v0.7.0", "+ example.com/r/base v0.1.0", "top/go.sum: -0 +2 lines"} {
		if !strings.Contains(report.String(), want) {
			t.Errorf("report lacks %q:\n%s", want, report.String())
		}
	}
}

func TestArguments_SelectModules(t *testing.T) {
	root := untidyTree(t)
	before := read(t, root, "top/go.mod")
	if err := tidyOrCheckModules(t.Context(), io.Discard, root, []string{"base"}, false); err != nil {
		t.Fatal(err)
	}
	if after := read(t, root, "top/go.mod"); after != before {
		t.Errorf("top/go.mod changed:\n%s", after)
	}
	if got := read(t, root, "base/go.mod"); strings.Contains(got, "require") {
		t.Errorf("base/go.mod is not tidy:\n%s", got)
	}
}
