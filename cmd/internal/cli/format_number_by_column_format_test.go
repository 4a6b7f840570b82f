package cli

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/engine"
)

func TestTable_NumberFormats(t *testing.T) {
	for _, c := range []struct{ text, format, unit, want string }{
		{"12.345", "", "", "12.345"},
		{"12.345", "", "kg", "12.345 kg"},
		{"12.345", "number:2", "kg", "12.35 kg"},
		{"-12.345", "number:0", "", "-12"},
		{"0.000001", "number:2", "", "0.00"},
		{"1e21", "number:0", "", "1000000000000000000000"},
		{"7", "number:2", "", "7.00"},
		{"0.25", "percent", "", "25 %"},
		{"0.25", "percent", "%", "25 %"},
		{"0.25", "percent:1", "", "25.0 %"},
		{"0.123456", "percent", "", "12.35 %"},
		{"-0.5", "percent:0", "", "-50 %"},
		{"25", "", "%", "25 %"},
		{"25", "number:1", "%", "25.0 %"},
		{"12.5", "currency:EUR", "", "12.50 EUR"},
		{"12.5", "currency:EUR", "EUR", "12.50 EUR"},
		{"12.5", "currency:JPY", "", "13 JPY"},
		{"12.5", "currency:KWD", "", "12.500 KWD"},
		{"12.5", "currency:EUR", "per head", "12.50 EUR per head"},
		{"999", "compact", "", "999"},
		{"1234", "compact", "", "1.2K"},
		{"-1234567", "compact", "EUR", "-1.2M EUR"},
		{"999999", "compact", "", "1M"},
		{"999949", "compact", "", "999.9K"},
		{"2500000000000", "compact", "", "2.5T"},
		// formats that are not known are passed on to others, and change nothing here
		{"12.5", "number:x", "", "12.5"},
		{"12.5", "number", "", "12.5"},
		{"12.5", "number:21", "", "12.5"},
		{"12.5", "number:-1", "", "12.5"},
		{"12.5", "percent:", "", "12.5"},
		{"12.5", "currency:euro", "", "12.5"},
		{"12.5", "0.00", "", "12.5"},
		{"1e999999999", "number:2", "", roundNumberForDisplay("1e999999999")},
		{"1", "", strings.Repeat("x", 50), "1 " + strings.Repeat("x", 15) + "…"},
		{"1", "", "\x1b[2J", "1  [2J"},
	} {
		if got := formatNumber(c.text, engine.ColumnFormat{Format: c.format, Unit: c.unit}); got != c.want {
			t.Errorf("%s as %q in %q is %q, want %q", c.text, c.format, c.unit, got, c.want)
		}
	}
}

func TestTable_FormatsNumbersAndNothingElse(t *testing.T) {
	g := textTable{
		columns: []string{"town", "fees", "share"},
		formats: []engine.ColumnFormat{{}, {Format: "number:2", Unit: "EUR"}, {Format: "percent"}},
		rows: [][]tableCell{
			{newTextCell("oslo"), {text: "7", number: true}, {text: "0.5", number: true}},
			{newTextCell("1"), {null: true}, {null: true}},
		},
	}
	want := "" +
		"town      fees  share\n" +
		"----  --------  -----\n" +
		"oslo  7.00 EUR   50 %\n" +
		"1         NULL   NULL\n"
	if d := cmp.Diff(want, rendered(g, 0)); d != "" {
		t.Error(d)
	}
	var csv strings.Builder
	if err := writeCSV(&csv, g); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff("town,fees,share\noslo,7,0.5\n1,,\n", csv.String()); d != "" {
		t.Error(d)
	}
}
