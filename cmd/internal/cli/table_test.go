package cli

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestATableStaysInLine(t *testing.T) {
	g := grid{
		columns: []string{"name", "n", "note"},
		rows: [][]cell{
			{textCell("é"), {text: "1.50", number: true}, textCell("a\nb\x1b[2J")},
			{{null: true}, {null: true}, textCell("NULL")},
			{textCell("long"), {text: "-12", number: true}, textCell(strings.Repeat("x", 100))},
		},
	}
	want := "" +
		"name     n  note\n" +
		"----  ----  " + strings.Repeat("-", 80) + "\n" +
		"é     1.50  a b [2J\n" +
		"NULL  NULL  \"NULL\"\n" +
		"long   -12  " + strings.Repeat("x", 79) + "…\n"
	if d := cmp.Diff(want, string(renderTable(g, style{}))); d != "" {
		t.Error(d)
	}
}
