package diff_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/modelspec/diff"
)

// dated returns the shop with a dataset of days, whose calendar has a date and periods; without a date it has none.
func dated(t *testing.T, date, periods string) string {
	calendar := ""
	if date != "" {
		calendar = `custom_extensions: [{vendor_name: SEMLAYER, data: '{"v": "1.10", "calendar": {"date": "` + date + `", "periods": {` + periods + "}}}'}]\n    "
	}
	field := func(name, datatype string) string {
		return fmt.Sprintf("      - {name: %s, datatype: %s, expression: {dialects: [{dialect: ANSI_SQL, expression: %s}]}}\n", name, datatype, name)
	}
	return edited(t, "relationships:\n", "  - name: days\n    source: days\n    primary_key: [d]\n    unique_keys: [[e]]\n    "+calendar+"fields:\n"+
		field("d", "Date")+field("e", "Date")+field("m", "String")+field("n", "String")+field("y", "Integer")+"relationships:\n")
}

func TestCompare_PeriodsOfCalendars(t *testing.T) {
	months, both := `"fiscal_month": "m"`, `"fiscal_month": "m", "fiscal_year": "y"`
	for _, c := range []struct {
		what, before, after string
		want                []diff.ChangeClass // forth and back
	}{
		{"a first calendar", dated(t, "", ""), dated(t, "d", months), []diff.ChangeClass{diff.ClassCompatible, diff.ClassBreaking}},
		{"one more period", dated(t, "d", months), dated(t, "d", both), []diff.ChangeClass{diff.ClassCompatible, diff.ClassBreaking}},
		{"periods of another field", dated(t, "d", months), dated(t, "d", `"fiscal_month": "n"`), []diff.ChangeClass{diff.ClassChanged, diff.ClassChanged}},
		{"days of another field", dated(t, "d", months), dated(t, "e", months), []diff.ChangeClass{diff.ClassChanged, diff.ClassChanged}},
		{"another name", dated(t, "d", months), dated(t, "d", `"retail_month": "m"`), []diff.ChangeClass{diff.ClassBreaking, diff.ClassBreaking}},
		{"a whole number of months", dated(t, "d", months), dated(t, "d", `"fiscal_month": {"field": "m", "whole": "month"}`), []diff.ChangeClass{diff.ClassChanged, diff.ClassBreaking}},
		{"the long form", dated(t, "d", months), dated(t, "d", `"fiscal_month": {"field": "m"}`), nil},
		{"another order", dated(t, "d", both), dated(t, "d", `"fiscal_year": "y", "fiscal_month": "m"`), nil},
	} {
		var got []diff.ChangeClass
		for _, pair := range [][2]string{{c.before, c.after}, {c.after, c.before}} {
			for _, e := range entries(t, pair[0], pair[1]) {
				if e.Object != diff.ObjectDataset || e.Name != "days" || e.Property != diff.PropertyCalendar {
					t.Errorf("%s: %+v", c.what, e)
				}
				got = append(got, e.Class)
			}
		}
		if d := cmp.Diff(c.want, got); d != "" {
			t.Errorf("%s: -want +got\n%s", c.what, d)
		}
	}
}
