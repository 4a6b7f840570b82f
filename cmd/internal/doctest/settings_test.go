package doctest

import (
	"encoding/json"
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

// The lines around the settings in the schema of the chart's values.
const (
	chartSchema        = "../../../deploy/helm/semlayer/values.schema.json"
	chartSettingsBegin = "    \"settings\": {\"type\": \"object\", \"additionalProperties\": false, \"properties\": {\n"
	chartSettingsEnd   = "    }},\n"
)

// The value settings of the chart takes each setting of the file that no other value has.
func TestSettings_ChartTakesThoseWithoutAValue(t *testing.T) {
	schema, err := os.ReadFile(chartSchema)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(schema), chartSettingsBegin)
	got, after, closed := strings.Cut(rest, chartSettingsEnd)
	if !ok || !closed {
		t.Fatal("the schema has no settings")
	}
	want := chartSettings(t)
	if *update {
		if err := os.WriteFile(chartSchema, []byte(before+chartSettingsBegin+want+chartSettingsEnd+after), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("update it with: go test ./cmd/internal/doctest -update\n%s", d)
	}
}

// chartSettings returns the properties, one a line.
func chartSettings(t *testing.T) string {
	t.Helper()
	var lines []string
	for _, s := range settings.Table() {
		if s.MCPOnly || !s.HasKey() || s.Chart != "" {
			continue
		}
		schema, err := json.Marshal(settingSchema(s))
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, fmt.Sprintf("      %q: %s", s.Flag, schema))
	}
	return strings.Join(lines, ",\n") + "\n"
}

func settingSchema(s settings.Setting) map[string]any {
	switch s.Kind {
	case settings.Integer:
		least, most := s.Bounds()
		return map[string]any{"type": "integer", "minimum": least, "maximum": most}
	case settings.Boolean:
		return map[string]any{"type": "boolean"}
	case settings.Choice:
		return map[string]any{"enum": s.Choices}
	case settings.List, settings.Words:
		return map[string]any{"type": "array", "items": map[string]any{"type": "string"}}
	case settings.Text, settings.File, settings.Folder, settings.Address:
	}
	return map[string]any{"type": "string", "minLength": 1}
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
		chart := s.Chart
		if chart == "" && s.HasKey() {
			chart = "settings"
		}
		variable := code(s.Variable)
		if s.Kind == settings.List {
			variable += ", one per line"
		}
		fmt.Fprintf(&b, "| `--%s` | %s | %s | %s | %s | %s | %s |\n", s.Flag, variable, s.ValueText(), fallback, s.Since, code(chart), effect)
	}
	return b.String()
}
