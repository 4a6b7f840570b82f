package attribution_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/attribution"
)

var category = &sqlexpr.Column{Path: []sqlexpr.Name{{Text: "ledger"}, {Text: "cat"}}}

func TestDrillDown_SelectsItsSegment(t *testing.T) {
	for _, c := range []struct {
		typ   sqlexpr.Type
		value any
		text  string
		want  string
	}{
		{sqlexpr.TypeString, nil, "(null)", "ledger.cat IS NULL"},
		{sqlexpr.TypeString, "(null)", "(null)", "ledger.cat = '(null)'"},
		{sqlexpr.TypeString, "O'Hara", "O'Hara", "ledger.cat = 'O''Hara'"},
		{sqlexpr.TypeString, "", "", "ledger.cat = ''"},
		{sqlexpr.TypeInt, json.Number("-7"), "-7", "ledger.cat = -7"},
		{sqlexpr.TypeFloat, json.Number("-0.0"), "0.0", "ledger.cat = 0.0"},
		{sqlexpr.TypeFloat, json.Number("-0.5"), "-0.5", "ledger.cat = -0.5"},
		{sqlexpr.TypeDecimal, json.Number("12345678901234567890.12"), "12345678901234567890.12", "ledger.cat = 12345678901234567890.12"},
		{sqlexpr.TypeBool, true, "true", "ledger.cat = TRUE"},
		{sqlexpr.TypeDate, "2024-01-05", "2024-01-05", "ledger.cat = DATE '2024-01-05'"},
		{sqlexpr.TypeTimestamp, "2024-01-05T10:20:30", "2024-01-05T10:20:30", "ledger.cat = TIMESTAMP '2024-01-05 10:20:30'"},
		{sqlexpr.TypeTimestamp, "2024-01-05T10:20:30.25", "2024-01-05T10:20:30.25", "ledger.cat = TIMESTAMP '2024-01-05 10:20:30.25'"},
		{sqlexpr.TypeTimestamp, "2024-01-05T10:20:30Z", "2024-01-05T10:20:30Z", "ledger.cat = TIMESTAMP '2024-01-05 10:20:30'"},
		{sqlexpr.TypeTimestampTZ, "2024-01-05T10:20:30Z", "2024-01-05T10:20:30Z", "ledger.cat = TIMESTAMPTZ '2024-01-05 10:20:30+00:00'"},
		{sqlexpr.TypeTime, "10:20:30", "10:20:30", "ledger.cat = TIME '10:20:30'"},
		{sqlexpr.TypeDate, "infinity", "infinity", "ledger.cat = 'infinity'"},
		{sqlexpr.TypeUnknown, "2024-01-05", "2024-01-05", "ledger.cat = '2024-01-05'"},
		{sqlexpr.TypeString, "a\x00b", "a\x00b", ""},
		{sqlexpr.TypeString, strings.Repeat("x", 1<<17), strings.Repeat("x", 1<<17), ""},
	} {
		if got := attribution.DimensionValueText(c.value); got != c.text {
			t.Errorf("%v prints %q", c.value, got)
		}
		got := attribution.MemberConditionText(nil, category, c.typ, c.value)
		if d := cmp.Diff(c.want, got); d != "" {
			t.Error(d)
		}
		if got == "" {
			continue
		}
		if _, err := sqlexpr.ParseLimited(got, sqlexpr.QueryLimits()); err != nil {
			t.Errorf("%s does not parse: %v", got, err)
		}
	}
}

func TestDrillDown_KeepsRequestCondition(t *testing.T) {
	where, err := sqlexpr.Parse("x > 1 OR y = 2 -- either")
	if err != nil {
		t.Fatal(err)
	}
	want := "(x > 1 OR y = 2) AND ledger.cat IS NULL"
	if d := cmp.Diff(want, attribution.MemberConditionText(where, category, sqlexpr.TypeString, nil)); d != "" {
		t.Error(d)
	}
}
