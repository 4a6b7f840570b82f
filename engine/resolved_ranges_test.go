package engine_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/planner/planerr"
)

func TestResult_NamesResolvedRange(t *testing.T) {
	limit := int64(2)
	march := engine.ResolvedRange{Start: "2024-03-01", End: "2024-05-01", AsOf: "2024-05-15", TimeZone: "UTC"}
	hour := engine.ResolvedRange{Start: "2024-05-15T08:00:00", End: "2024-05-15T09:00:00", Dimension: "a.at", AsOf: "2024-05-15T09:12:00", TimeZone: "Europe/Berlin"}
	for _, c := range []struct {
		name   string
		result engine.Result
		want   string
	}{
		{"a range stands between the limit and the warnings", engine.Result{RowCount: 2, Limit: &limit, ResultEnd: engine.ResultEnd{
			ResolvedTimeRange: &engine.ResolvedTimeRange{One: &march}, Warnings: []planerr.QueryWarning{{Code: "c", Message: "m"}}, Saved: "s",
		}},
			`{"dialect":"","sql":"","columns":null,"rows":[],"row_count":2,"limit":2,"limited":true,` +
				`"resolved_time_range":{"start":"2024-03-01","end":"2024-05-01","as_of":"2024-05-15","time_zone":"UTC"},"warnings":[{"code":"c","message":"m"}],"saved":"s"}`},
		{"ranges are named by their tags", engine.Result{ResultEnd: engine.ResultEnd{ResolvedTimeRange: &engine.ResolvedTimeRange{ByTag: map[string]engine.ResolvedRange{"now": hour}}}},
			`{"dialect":"","sql":"","columns":null,"rows":[],"row_count":0,` +
				`"resolved_time_range":{"now":{"start":"2024-05-15T08:00:00","end":"2024-05-15T09:00:00","dimension":"a.at","as_of":"2024-05-15T09:12:00","time_zone":"Europe/Berlin"}}}`},
		{"rows of totals do not count towards the limit", engine.Result{RowCount: 2, TotalRows: 1, Limit: &limit},
			`{"dialect":"","sql":"","columns":null,"rows":[],"row_count":2,"limit":2}`},
		{"as many rows as the limit beside those of totals are limited", engine.Result{RowCount: 3, TotalRows: 1, Limit: &limit},
			`{"dialect":"","sql":"","columns":null,"rows":[],"row_count":3,"limit":2,"limited":true}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.result.Rows = []byte("[]")
			text, err := c.result.AppendJSON(nil)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(c.want, string(text)); d != "" {
				t.Error(d)
			}
		})
	}
}
