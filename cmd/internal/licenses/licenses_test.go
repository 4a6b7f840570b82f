package licenses_test

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/cmd/internal/licenses"
)

func text(t *testing.T) string {
	t.Helper()
	var b bytes.Buffer
	if err := licenses.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// A new dependency, or a new version of one, needs `make licenses`.
func TestLicenses_NameEveryLinkedModule(t *testing.T) {
	list := exec.CommandContext(t.Context(), "go", "list", "-deps", "-f", "{{with .Module}}{{.Path}} {{.Version}}{{end}}", "./semlayer")
	list.Dir = "../.."
	out, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	all, modules := text(t), map[string]bool{}
	for name := range strings.Lines(string(out)) {
		name = strings.TrimSpace(name)
		if name == "" || strings.HasPrefix(name, "github.com/semlayer/semlayer") || modules[name] {
			continue
		}
		modules[name] = true
		if !strings.Contains(all, "\n* "+name+"\n") {
			t.Errorf("%s is linked and not in THIRD_PARTY_LICENSES: run make licenses", name)
		}
	}
	if len(modules) < 50 {
		t.Errorf("only %d modules are linked", len(modules))
	}
}

// The texts themselves have to be there, not only the names.
func TestLicenses_HoldTheTextsOfEachKindOfCode(t *testing.T) {
	all := text(t)
	for component, says := range map[string]string{
		"The Go standard library":                         "Copyright 2009 The Go Authors.",
		"github.com/duckdb/duckdb-go-bindings v":          "Permission is hereby granted",
		"github.com/gofiber/fiber/v2 v":                   "Copyright (c) 2019-present Fenny",
		"swagger-ui-dist (npm), in the page at /docs":     "Apache License",
		"npm packages in the page at / (the explorer)":    "preact",
		"packages in the bundle of swagger-ui-dist (npm)": "React",
		"Libraries inside DuckDB":                         "Mbed TLS",
	} {
		_, rest, found := strings.Cut(all, "\n* "+component)
		if !found || !strings.Contains(rest, says) {
			t.Errorf("%s: found %v, %q is not in its text", component, found, says)
		}
	}
}

func TestLicenses_AreInTheImageAndTheArchives(t *testing.T) {
	if _, err := os.Stat("../../../go.work"); errors.Is(err, fs.ErrNotExist) {
		t.Skip("the module is outside of the repository, which has the files")
	}
	for path, says := range map[string]string{
		"deploy/Dockerfile":             "\nCOPY LICENSE cmd/internal/licenses/THIRD_PARTY_LICENSES.gz /usr/share/doc/semlayer/\n",
		".github/workflows/release.yml": `"dist/$NAME.tar.gz" semlayer LICENSE THIRD_PARTY_LICENSES`,
	} {
		file, err := os.ReadFile("../../../" + path)
		if err != nil || !strings.Contains(string(file), says) {
			t.Errorf("%s: %v, without %s", path, err, says)
		}
	}
}
