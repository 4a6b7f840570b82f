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
