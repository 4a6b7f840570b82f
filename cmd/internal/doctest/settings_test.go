package doctest

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/cmd/internal/settings"
)

// The lines around the table of settings in docs/operations.md.
const (
	settingsBegin = "<!-- The table is made from the settings: go test ./cmd/internal/doctest -update -->\n"
	settingsEnd   = "<!-- end of the settings -->\n"
)

func TestSettings_TableIsThatOfTheProgram(t *testing.T) {
	page, err := os.ReadFile(operationsPage)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(page), settingsBegin)
	got, after, closed := strings.Cut(rest, settingsEnd)
	if !ok || !closed {
		t.Fatal("docs/operations.md has no table of settings")
	}
	want := settingsTable()
	if *update {
		if err := os.WriteFile(operationsPage, []byte(before+settingsBegin+want+settingsEnd+after), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("update it with: go test ./cmd/internal/doctest -update\n%s", d)
	}
}

func settingsTable() string {
	var b strings.Builder
	b.WriteString("| flag | variable | value | default | since | value of the chart | effect |\n|---|---|---|---|---|---|---|\n")
	for _, s := range settings.Table() {
		if s.MCPOnly {
			continue
		}
		fallback := s.DefaultText
		switch {
		case fallback != "":
		case s.Kind == settings.Boolean:
			fallback = map[string]string{"true": "on", "": "off"}[s.Default]
		case s.Default == "":
			fallback = "none"
		default:
			fallback = code(s.Default)
		}
		effect := s.Effect
		if effect == "" {
			effect = s.Help
		}
		variable := code(s.Variable)
		if s.Kind == settings.List {
			variable += ", one per line"
		}
		fmt.Fprintf(&b, "| `--%s` | %s | %s | %s | %s | %s | %s |\n", s.Flag, variable, s.ValueText(), fallback, s.Since, code(s.Chart), effect)
	}
	return b.String()
}
