package cli

import (
	"strings"
	"testing"

	"github.com/clipperhouse/displaywidth"
	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/engine"
)

func TestTable_FitsTheTerminal(t *testing.T) {
	g := textTable{
		columns: []string{"customer", "city", "revenue"},
		rows: [][]tableCell{
			{newTextCell("Anna Lindqvist"), newTextCell("Ludwigshafen am Rhein"), {text: "123456789.25", number: true}},
			{newTextCell("東京都交通局"), newTextCell("東京"), {text: "-5", number: true}},
		},
	}
	for _, c := range []struct {
		name  string
		width int
		want  string
	}{
		{"all of it", 51, "" +
			"customer        city                        revenue\n" +
			"--------------  ---------------------  ------------\n" +
			"Anna Lindqvist  Ludwigshafen am Rhein  123456789.25\n" +
			"東京都交通局    東京                          -5.00\n"},
		{"texts are cut, the name of the row last", 43, "" +
			"customer        city                revenue\n" +
			"--------------  -------------  ------------\n" +
			"Anna Lindqvist  Ludwigshafen…  123456789.25\n" +
			"東京都交通局    東京                  -5.00\n"},
		{"a number is left out, not cut", 31, "" +
			"customer        city          …\n" +
			"--------------  ------------  …\n" +
			"Anna Lindqvist  Ludwigshafe…  …\n" +
			"東京都交通局    東京          …\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := rendered(g, c.width)
			if d := cmp.Diff(c.want, got); d != "" {
				t.Error(d)
			}
			for line := range strings.Lines(got) {
				if w := displaywidth.String(strings.TrimSuffix(line, "\n")); w > c.width {
					t.Errorf("%d columns in a terminal of %d: %s", w, c.width, line)
				}
			}
		})
	}
}

func TestTable_RoundsDoubles(t *testing.T) {
	for _, c := range []struct{ exact, shown string }{
		{"33.333333333333336", "33.3333"},
		{"0.30000000000000004", "0.3"},
		{"-2.6666666666666665", "-2.6667"},
		{"0.000012345678", "0.00001235"},
		{"-1.23456e-30", "-1.2346e-30"},
		{"1234567.8912345678", "1234567.8912"},
		{"99999.99999999999", "100000"},
		{"1e21", "1e+21"},
		{"1.5e300", "1.5e+300"},
		{"0.0000000", "0"},
		// What has as many digits as prices and rates is shown as it is.
		{"12.50", "12.50"},
		{"0.123456", "0.123456"},
		{"12345678901234567890", "12345678901234567890"},
		{"-7", "-7"},
	} {
		if got := cellDisplayText(tableCell{text: c.exact, number: true}, newNumberColumn(engine.ColumnFormat{}, c.exact), maxCellWidth); got != c.shown {
			t.Errorf("%s is shown as %s, want %s", c.exact, got, c.shown)
		}
	}
	if got := cellDisplayText(newTextCell("33.333333333333336"), numberColumn{}, maxCellWidth); got != "33.333333333333336" {
		t.Errorf("a text is shown as %s", got)
	}
}
