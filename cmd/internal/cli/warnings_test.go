package cli_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestServe_LogsEqualWarningsOnce(t *testing.T) {
	var model strings.Builder
	model.WriteString("version: 0.2.0.dev0\nname: m\ndatasets:\n")
	for i := range 350 {
		fmt.Fprintf(&model, "  - {name: d%d, source: d, custom_extensions: [{vendor_name: SEMLAYER, data: '{\"v\": \"1.9\"}'}]}\n", i)
	}
	path := filepath.Join(t.TempDir(), "model.yaml")
	if err := os.WriteFile(path, []byte(model.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	s := start(t, "serve", "--model", path, "--bind", "127.0.0.1:0", "--sem-basic")
	var warned []string
	for line := range strings.Lines(s.err()) {
		if strings.Contains(line, "ignored_vendor_extension") {
			warned = append(warned, line)
		}
	}
	if len(warned) != 1 || !strings.Contains(warned[0], " equal=349\n") {
		t.Errorf("%d lines of 350 equal warnings: %v", len(warned), warned[:min(len(warned), 3)])
	}
}

func TestServe_NamesTheVendorsThatAreIgnored(t *testing.T) {
	model := "version: 0.2.0.dev0\nname: m\ndatasets:\n" +
		"  - {name: a, source: a, custom_extensions: [{vendor_name: ACME, data: x}, {vendor_name: DBT, data: x}]}\n" +
		"  - {name: b, source: b, custom_extensions: [{vendor_name: acme, data: x}]}\n"
	path := filepath.Join(t.TempDir(), "model.yaml")
	if err := os.WriteFile(path, []byte(model), 0o600); err != nil {
		t.Fatal(err)
	}
	s := start(t, "serve", "--model", path, "--bind", "127.0.0.1:0")
	if n := strings.Count(s.err(), "ACME"); n != 1 {
		t.Errorf("%d lines name ACME:\n%s", n, s.err())
	}
	if !strings.Contains(s.err(), `vendors="ACME (2), DBT (1)"`) {
		t.Error(s.err())
	}
}

func TestServe_NamesAtMostTenIgnoredVendors(t *testing.T) {
	model := "version: 0.2.0.dev0\nname: m\ndatasets:\n"
	for i := range 12 {
		model += fmt.Sprintf("  - {name: d%d, source: d, custom_extensions: [{vendor_name: V%d, data: x}]}\n", i, i)
	}
	path := filepath.Join(t.TempDir(), "model.yaml")
	if err := os.WriteFile(path, []byte(model), 0o600); err != nil {
		t.Fatal(err)
	}
	s := start(t, "serve", "--model", path, "--bind", "127.0.0.1:0")
	if !strings.Contains(s.err(), `V8 (1), V9 (1), 2 more"`) {
		t.Error(s.err())
	}
}
