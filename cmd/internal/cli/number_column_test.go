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
		if got := newNumberColumn(engine.ColumnFormat{Format: c.format, Unit: c.unit}, c.text).text(c.text); got != c.want {
			t.Errorf("%s as %q in %q is %q, want %q", c.text, c.format, c.unit, got, c.want)
		}
	}
}

// The numbers of a column have the same number of decimals, with or without a format.
func TestTable_NumbersOfAColumnHaveEqualDigits(t *testing.T) {
	for _, c := range []struct {
		name          string
		format        engine.ColumnFormat
		numbers, want []string
	}{
		{"rates", engine.ColumnFormat{}, []string{"0.030927835051546393", "0.10416666666666667", "0.06"}, []string{"0.0309", "0.1042", "0.0600"}},
		{"rates below a tenth", engine.ColumnFormat{}, []string{"0.08378870673952642", "0.07"}, []string{"0.08379", "0.07000"}},
		{"means", engine.ColumnFormat{}, []string{"231.67358417", "10", "-0.5"}, []string{"231.6736", "10.0000", "-0.5000"}},
		{"prices", engine.ColumnFormat{}, []string{"12.5", "3.25", "7"}, []string{"12.50", "3.25", "7.00"}},
		{"zeros at the end of all", engine.ColumnFormat{}, []string{"0.30000000000000004", "2.5"}, []string{"0.3", "2.5"}},
		{"integers", engine.ColumnFormat{}, []string{"1", "20"}, []string{"1", "20"}},
		{"a number that would be zero", engine.ColumnFormat{}, []string{"250.123456789", "0.0000012"}, []string{"250.1235", "0.0000012"}},
		{"a number with an exponent", engine.ColumnFormat{}, []string{"1e21", "2.5"}, []string{"1e+21", "2.5"}},
		{"percent", engine.ColumnFormat{Format: "percent"}, []string{"0.030927835051546393", "0.104", "0.06"}, []string{"3.09 %", "10.40 %", "6.00 %"}},
		{"whole percents", engine.ColumnFormat{Format: "percent"}, []string{"0.25", "0.5"}, []string{"25 %", "50 %"}},
		{"a unit", engine.ColumnFormat{Unit: "kg"}, []string{"1.5", "2"}, []string{"1.5 kg", "2.0 kg"}},
		{"changes of percents", engine.ColumnFormat{Format: "percent:1", Difference: true}, []string{"0.25", "-0.031"}, []string{"25.0 pp", "-3.1 pp"}},
		{"changes of a unit of percents", engine.ColumnFormat{Unit: "%", Difference: true}, []string{"2.5"}, []string{"2.5 pp"}},
		{"changes of money", engine.ColumnFormat{Format: "currency:EUR", Difference: true}, []string{"-2.5"}, []string{"-2.50 EUR"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			column := newNumberColumn(c.format, c.numbers...)
			var got []string
			for _, n := range c.numbers {
				got = append(got, column.text(n))
			}
			if d := cmp.Diff(c.want, got); d != "" {
				t.Error(d)
			}
		})
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
