package cli

import (
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/modelspec"
)

func TestTable_AlignsColumns(t *testing.T) {
	g := textTable{
		columns: []string{"name", "n", "note"},
		rows: [][]tableCell{
			{newTextCell("é"), {text: "1.50", number: true}, newTextCell("a\nb\x1b[2J")},
			{{null: true}, {null: true}, newTextCell("NULL")},
			{newTextCell("long"), {text: "-12", number: true}, newTextCell(strings.Repeat("x", 100))},
		},
	}
	want := "" +
		"name       n  note\n" +
		"----  ------  " + strings.Repeat("-", 80) + "\n" +
		"é       1.50  a b [2J\n" +
		"NULL    NULL  \"NULL\"\n" +
		"long  -12.00  " + strings.Repeat("x", 79) + "…\n"
	if d := cmp.Diff(want, rendered(g, 0)); d != "" {
		t.Error(d)
	}
}

// rendered returns a table without colours in so many columns.
func rendered(g textTable, width int) string {
	text, _ := renderAlignedTable(g, textStyle{}, width)
	return string(text)
}

func TestTable_CountsTerminalColumns(t *testing.T) {
	t.Run("a table counts the terminal columns of wide and combining characters", func(t *testing.T) {
		g := textTable{columns: []string{"都市", "e\u0301tat", "n"}}
		for _, text := range []string{"東京", "München", "Mu\u0308nchen", "서울", "\u200bx"} {
			g.rows = append(g.rows, []tableCell{newTextCell(text), newTextCell("🇩🇪"), {text: "1", number: true}})
		}
		g.rows = append(g.rows, []tableCell{newTextCell("👨‍👩‍👧"), newTextCell("⚠️"), {null: true}})
		want := "" +
			"都市     e\u0301tat     n\n" +
			"-------  ----  ----\n" +
			"東京     🇩🇪       1\n" +
			"München  🇩🇪       1\n" +
			"Mu\u0308nchen  🇩🇪       1\n" +
			"서울     🇩🇪       1\n" +
			"\u200bx        🇩🇪       1\n" +
			"👨‍👩‍👧       ⚠️    NULL\n"
		if d := cmp.Diff(want, rendered(g, 0)); d != "" {
			t.Error(d)
		}
	})
}

func TestTable_CutsLongText(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{strings.Repeat("東", 40), strings.Repeat("東", 40)},
		{strings.Repeat("東", 41), strings.Repeat("東", 39) + "…"}, // half of a wide character is not shown
		{strings.Repeat("e\u0301", 80), strings.Repeat("e\u0301", 80)},
		{strings.Repeat("e\u0301", 81), strings.Repeat("e\u0301", 79) + "…"},
	} {
		if d := cmp.Diff(c.want, cellDisplayText(newTextCell(c.text), numberColumn{}, maxCellWidth)); d != "" {
			t.Error(d)
		}
	}
}

func TestTable_EscapesControlCharacters(t *testing.T) {
	t.Run("no control sequence of a terminal reaches a table", func(t *testing.T) {
		var every strings.Builder
		for r := rune(0); r < 0x3000; r++ {
			every.WriteRune(r)
		}
		var texts []tableCell
		for r := range strings.SplitSeq(every.String(), "") {
			texts = append(texts, newTextCell("a"+r+"b"))
		}
		g := textTable{columns: []string{"a\x1b[2J\nb\tc\u009b"}}
		for _, c := range texts {
			g.rows = append(g.rows, []tableCell{c})
		}
		text := rendered(g, 0)
		if n := strings.Count(text, "\n"); n != len(texts)+2 {
			t.Errorf("%d lines for %d rows", n, len(texts))
		}
		var b strings.Builder
		writeAlignedRows(&b, [][]tableCell{{newTextCell("a\x1b[2Jb")}})
		for _, r := range text + b.String() {
			if r != '\n' && unicode.IsControl(r) || strings.ContainsRune("\u2028\u2029\u202e\u2066", r) {
				t.Errorf("%U is in a table", r)
			}
		}
	})
}

func TestTable_CaretBelowWideCharacters(t *testing.T) {
	t.Run("the caret of an excerpt points at the right column after wide characters", func(t *testing.T) {
		got := sourceExcerpt([]string{"名前: x"}, modelspec.Position{Line: 1, Column: 5})
		if want := "  1 | 名前: x\n    |       ^\n"; got != want {
			t.Errorf("%q, want %q", got, want)
		}
	})
}
