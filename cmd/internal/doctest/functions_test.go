package doctest

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/engine"
)

const functionsPage = root + "/docs/functions.md"

// The lines around the tables of functions in docs/functions.md.
const (
	functionsBegin = "<!-- The tables are made from the table of the parser: go test ./cmd/internal/doctest -update -->\n"
	functionsEnd   = "<!-- end of the functions -->\n"
)

// The tables of functions have every function of the parser. integration/expressions runs their examples.
func TestFunctions_TablesAreThoseOfTheParser(t *testing.T) {
	page, err := os.ReadFile(functionsPage)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(page), functionsBegin)
	got, after, closed := strings.Cut(rest, functionsEnd)
	if !ok || !closed {
		t.Fatal("docs/functions.md has no tables of functions")
	}
	want := functionTables()
	if *update {
		if err := os.WriteFile(functionsPage, []byte(before+functionsBegin+want+functionsEnd+after), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("update it with: go test ./cmd/internal/doctest -update\n%s", d)
	}
}

// headingsOfGroups introduce the tables of the groups.
var headingsOfGroups = map[string]string{
	"times":      "## Times\n\n`x` is a Date, DateTime or DateTimeTz, of which the clock is UTC.\n",
	"strings":    "## Strings\n",
	"numbers":    "## Numbers\n",
	"conditions": "## Nulls, conditions and casts\n",
	"aggregates": "## Aggregates\n\nThey stand in metrics, and [Aggregates](model.md#aggregates) has their rules. The examples read five rows: `x` is 2, 4, 4, 10 and null, " +
		"`c` is true, false, true, null and true, and\n`town` is `'oslo'`, `'oslo'`, `'bergen'`, `'bergen'` and null.\n",
}

func functionTables() string {
	var b strings.Builder
	group := ""
	for _, f := range engine.Functions() {
		if string(f.Group) != group {
			group = string(f.Group)
			b.WriteString("\n" + headingsOfGroups[group] + "\n| function | result | null | meaning | example | value | Ossie |\n|---|---|---|---|---|---|---|\n")
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %s | %s |\n",
			code(f.Name+f.Arguments)+otherNames(f.OtherNames), f.Result, f.Nulls, cell(f.Meaning)+enginesWithout(f.EnginesWithout), code(f.Example), code(f.Value), ossieLevel(f.Ossie))
	}
	b.WriteString("\n")
	return b.String()
}

func ossieLevel(level string) string {
	if level == "" {
		return "–"
	}
	return level
}

func otherNames(names []string) string {
	if len(names) == 0 {
		return ""
	}
	return ", also `" + strings.Join(names, "`, `") + "`"
}

// enginesWithout is a sentence about the dialects that lack a function.
func enginesWithout(dialects []string) string {
	if len(dialects) == 0 {
		return ""
	}
	return " Not on `" + strings.Join(dialects, "`, `") + "`."
}
