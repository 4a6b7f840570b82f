package engine

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/executor/duckdb"
	"github.com/semlayer/semlayer/executor/warehouse"
	"github.com/semlayer/semlayer/planner/query"
)

const relativeModel = `{"version": "0.2.0.dev0", "semantic_model": [{"name": "m",
	"custom_extensions": [{"vendor_name": "SEMLAYER", "data": "{\"v\": \"1.10\", \"requires\": [\"time_zone\"], \"time_zone\": \"Europe/Berlin\", \"queries\": [{\"name\": \"lately\", \"query\": {\"metrics\": [\"n\"], \"time_range\": {\"last\": {\"n\": 1, \"unit\": \"day\"}}}}]}"}],
	"datasets": [{"name": "e", "source": "e", "primary_key": ["id"], "fields": [
		{"name": "id", "datatype": "Integer", "expression": {"dialects": [{"dialect": "ANSI_SQL", "expression": "id"}]}},
		{"name": "seen", "datatype": "DateTimeTz", "expression": {"dialects": [{"dialect": "ANSI_SQL", "expression": "seen"}]}}]}],
	"metrics": [{"name": "n", "expression": {"dialects": [{"dialect": "ANSI_SQL", "expression": "COUNT(e.id)"}]}}]}]}`

// clocked returns an engine whose clock a test sets.
func clocked(t *testing.T, now *time.Time) *Engine {
	t.Helper()
	e, err := Open(t.Context(), Config{
		ModelText: []byte(relativeModel), Now: func() time.Time { return *now }, Drivers: []warehouse.Driver{duckdb.Driver()},
		Setup: []string{"CREATE TABLE e AS SELECT 1 AS id, TIMESTAMPTZ '2024-05-14 22:30:00+00' AS seen"},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close() })
	return e
}

func compileText(t *testing.T, e *Engine, body string) *Compiled {
	t.Helper()
	q, err := query.DecodeMetric([]byte(body))
	if err != nil {
		t.Fatal(err)
	}
	c, err := askSQL(t.Context(), e, q)
	if err != nil {
		t.Fatalf("%s: %v", body, err)
	}
	return c
}

// A kept statement is not one of yesterday, also where a saved query holds the range.
func TestRelativeRange_StatementFollowsClock(t *testing.T) {
	for _, body := range []string{`{"metrics":["n"],"time_range":{"last":{"n":1,"unit":"day"}}}`, `{"saved":"lately"}`} {
		now := time.Date(2024, 5, 15, 21, 0, 0, 0, time.UTC)
		e := clocked(t, &now)
		first := compileText(t, e, body)
		now = now.Add(30 * time.Minute)
		later := compileText(t, e, body)
		if first.SQL != later.SQL || e.statements.cache.Len() != 1 {
			t.Errorf("%s: another statement on the same day, or %d kept:\n%s\n%s", body, e.statements.cache.Len(), first.SQL, later.SQL)
		}
		if got := later.ResolvedTimeRange.One.AsOf; got != "2024-05-15T23:30:00" {
			t.Errorf("%s: as_of is %s", body, got)
		}
		now = now.Add(30 * time.Minute) // midnight of Berlin
		tomorrow := compileText(t, e, body)
		if tomorrow.SQL == first.SQL || !strings.Contains(tomorrow.SQL, "2024-05-14 22:00:00") {
			t.Errorf("%s: the statement of the day before:\n%s", body, tomorrow.SQL)
		}
		want := ResolvedRange{Start: "2024-05-15", End: "2024-05-16", AsOf: "2024-05-16", TimeZone: "Europe/Berlin"}
		if d := cmp.Diff(want, *tomorrow.ResolvedTimeRange.One); d != "" {
			t.Error(d)
		}
	}
}

func TestRelativeRange_Bounds(t *testing.T) {
	now := time.Date(2024, 10, 27, 1, 10, 0, 0, time.UTC) // 02:10 in Berlin, the second time
	e := clocked(t, &now)
	for _, c := range []struct{ keys, want string }{
		{`"as_of":"2024-05-15","time_range":{"last":{"n":2,"unit":"month"}}`, `{"start":"2024-03-01","end":"2024-05-01","as_of":"2024-05-15","time_zone":"Europe/Berlin"}`},
		{`"as_of":"2024-05-15","time_range":{"last":{"n":2,"unit":"month","complete":false}}`, `{"start":"2024-04-01","end":"2024-05-16","as_of":"2024-05-15","time_zone":"Europe/Berlin"}`},
		{`"as_of":"2024-05-15T10:20:30","time_range":{"last":{"n":1,"unit":"day","complete":false},"dimension":"e.seen"}`,
			`{"start":"2024-05-15","end":"2024-05-16","dimension":"e.seen","as_of":"2024-05-15T10:20:30","time_zone":"Europe/Berlin"}`},
		{`"as_of":"2024-05-15T10:20:30","time_range":{"last":{"n":3,"unit":"hour","complete":false}}`, `{"start":"2024-05-15T08:00:00","end":"2024-05-15T11:00:00","as_of":"2024-05-15T10:20:30","time_zone":"Europe/Berlin"}`},
		{`"as_of":"2024-05-15","week_start":"sunday","time_range":{"last":{"n":1,"unit":"week"}}`, `{"start":"2024-05-05","end":"2024-05-12","as_of":"2024-05-15","time_zone":"Europe/Berlin"}`},
		{`"as_of":"2024-05-15","time_zone":"UTC","time_range":{"last":{"n":1,"unit":"quarter"}}`, `{"start":"2024-01-01","end":"2024-04-01","as_of":"2024-05-15","time_zone":"UTC"}`},
		{`"time_ranges":{"a":{"last":{"n":1,"unit":"year"}},"b":{"start":"2020-01-01"}}`, `{"a":{"start":"2023-01-01","end":"2024-01-01","as_of":"2024-10-27T02:10:00","time_zone":"Europe/Berlin"}}`},
	} {
		got, err := json.Marshal(compileText(t, e, `{"metrics":["n"],`+c.keys+`}`).ResolvedTimeRange)
		if err != nil || string(got) != c.want {
			t.Errorf("%s: %v\n got %s\nwant %s", c.keys, err, got, c.want)
		}
	}
	// The second 02:00 is not the first: an hour of elapsed time lies between them.
	sql := compileText(t, e, `{"metrics":["n"],"time_range":{"last":{"n":1,"unit":"hour"}}}`).SQL
	if !strings.Contains(sql, "'2024-10-27 00:00:00+00:00'") || !strings.Contains(sql, "'2024-10-27 01:00:00+00:00'") {
		t.Errorf("the last hour: %s", sql)
	}
}

func TestTimeZone_UTCIsNoZone(t *testing.T) {
	now := time.Now()
	e := clocked(t, &now)
	for _, keys := range []string{
		`"group_by":[{"field":"e.seen","grain":"day"}]`, `"group_by":[{"field":"e.seen","grain":"hour"},{"field":"e.seen","grain":"week"}]`,
		`"time_range":{"start":"2024-03-31","end":"2024-04-01T02:30:00"}`, `"week_start":"monday","group_by":[{"field":"metric_time","grain":"week"}]`,
	} {
		without, err := Open(t.Context(), Config{ModelText: []byte(strings.Replace(relativeModel, `Europe/Berlin`, "UTC", 1))})
		if err != nil {
			t.Fatal(err)
		}
		plain := compileText(t, without, `{"metrics":["n"],`+keys+`}`)
		utc := compileText(t, e, `{"metrics":["n"],"time_zone":"UTC",`+keys+`}`)
		berlin := compileText(t, e, `{"metrics":["n"],`+keys+`}`)
		if d := cmp.Diff(plain.SQL, utc.SQL); d != "" {
			t.Errorf("%s: UTC is not what no zone is:\n%s", keys, d)
		}
		if !strings.Contains(keys, "hour") && plain.SQL == berlin.SQL {
			t.Errorf("%s: the zone of the model changes nothing: %s", keys, berlin.SQL)
		}
		_ = without.Close()
	}
}
