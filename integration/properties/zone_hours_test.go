package properties_test

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"
	_ "time/tzdata" // the data of machines that have none

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/duckdb"
	"github.com/semlayer/semlayer/integration/internal/floor"
	"github.com/semlayer/semlayer/integration/internal/servers"
	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/compile"
	"github.com/semlayer/semlayer/planner"
	"github.com/semlayer/semlayer/planner/query"
	"github.com/semlayer/semlayer/sqlemit"
)

const hoursModel = `version: 0.2.0.dev0
semantic_model:
  - name: hours
    datasets:
      - name: hours
        source: hours
        primary_key: [id]
        fields:
          - {name: id, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: id}]}}
          - {name: at, datatype: DateTimeTz, expression: {dialects: [{dialect: ANSI_SQL, expression: at_time}]}}
    metrics:
      - {name: n, expression: {dialects: [{dialect: ANSI_SQL, expression: COUNT(hours.id)}]}}
`

// Zones that change by an hour and by half an hour, in either half of the world, at and around
// midnight, and zones that do not change.
var hourZones = []string{
	"Europe/Berlin", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe",
	"Africa/Cairo", "America/St_Johns", "Pacific/Chatham", "America/Santiago",
}

const hourYear = 2024

// hourInstants returns the beginning and the last quarter of hours of the year: of all, or, in the short form, of those
// of the days around a change of a zone and around the year's end.
func hourInstants(t *testing.T) []time.Time {
	long := os.Getenv("SEMLAYER_TEST_LONG") != ""
	var out []time.Time
	for at := time.Date(hourYear, 1, 1, 0, 0, 0, 0, time.UTC); at.Year() == hourYear; at = at.Add(time.Hour) {
		if long || nearChange(t, at) {
			out = append(out, at, at.Add(45*time.Minute))
		}
	}
	return out
}

func nearChange(t *testing.T, at time.Time) bool {
	const around = 30 * time.Hour
	if at.Add(-around).Year() != at.Add(around).Year() {
		return true
	}
	for _, name := range hourZones {
		zone := location(t, name)
		_, before := at.Add(-around).In(zone).Zone()
		if _, after := at.Add(around).In(zone).Zone(); before != after {
			return true
		}
	}
	return false
}

func location(t *testing.T, name string) *time.Location {
	t.Helper()
	zone, err := time.LoadLocation(name)
	if err != nil {
		t.Fatal(err)
	}
	return zone
}

func hoursScript(dialect string, instants []time.Time) string {
	column, offset := "DATETIME(6)", ""
	if dialect == "postgres" || dialect == "duckdb" {
		column, offset = "TIMESTAMP WITH TIME ZONE", "+00"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "CREATE TABLE hours (id INTEGER, at_time %s);\n", column)
	for i, at := range instants {
		switch {
		case i%500 == 0 && i > 0:
			b.WriteString(";\nINSERT INTO hours VALUES\n")
		case i == 0:
			b.WriteString("INSERT INTO hours VALUES\n")
		default:
			b.WriteString(",\n")
		}
		fmt.Fprintf(&b, "(%d, '%s%s')", i, at.Format(time.DateTime), offset)
	}
	b.WriteString(";\n")
	return b.String()
}

// bucketsOf returns the hour, the day, the week and the month of an instant on the clock of a zone.
func bucketsOf(at time.Time, zone *time.Location) string {
	local := at.In(zone)
	past := time.Duration(local.Minute())*time.Minute + time.Duration(local.Second())*time.Second
	week := local.AddDate(0, 0, -(int(local.Weekday())+6)%7)
	return strings.Join([]string{
		at.Add(-past).UTC().Format("2006-01-02T15:04:05Z"), local.Format(time.DateOnly), week.Format(time.DateOnly), local.Format("2006-01") + "-01",
	}, " ")
}

// hoursEngine is the database of one engine with the instants.
type hoursEngine struct {
	dialect string
	db      executor.Executor
}

func hoursEngines(t *testing.T, instants []time.Time) []hoursEngine {
	db, err := duckdb.Open(t.Context(), duckdb.Options{Setup: []string{hoursScript("duckdb", instants)}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	out := []hoursEngine{{"duckdb", db}}
	for _, s := range availableServers(t) {
		key := fmt.Sprintf("zone hours/%d", os.Getpid())
		db, err := s.Load(t.Context(), key, hoursScript(s.Dialect, instants))
		if err != nil {
			t.Fatalf("%s: %v", s.Dialect, err)
		}
		t.Cleanup(func() {
			_ = db.Close()
			_ = s.Drop(context.WithoutCancel(t.Context()), key)
		})
		out = append(out, hoursEngine{s.Dialect, db})
	}
	return out
}

// buckets asks an engine for the buckets of each instant in a zone.
func (e hoursEngine) buckets(ctx context.Context, p *planner.Planner, zone string) ([][]string, error) {
	const at = `{"field":"hours.at","grain":"`
	body := `{"metrics":["n"],"group_by":[{"field":"hours.id"},` + at + `hour"},` + at + `day"},` + at + `week"},` + at + `month"}],` +
		`"order_by":[{"key":"id"}],"time_zone":"` + zone + `"}`
	q, err := query.DecodeMetric([]byte(body))
	if err != nil {
		return nil, err
	}
	planned, err := p.PlanMetrics(ctx, q, planner.Target{Dialect: e.dialect})
	if err != nil {
		return nil, err
	}
	d, _ := sqlemit.LookupDialect(e.dialect)
	sql, err := sqlemit.Emit(ctx, planned.Root, d, sqlemit.FormatOptions{})
	if err != nil {
		return nil, err
	}
	got, err := servers.QueryTable(ctx, e.db, sql, planned.Columns)
	if err != nil {
		return nil, err
	}
	out := make([][]string, len(got.Rows))
	for i, row := range got.Rows {
		for _, c := range row {
			out[i] = append(out[i], c.Text)
		}
	}
	return out, nil
}

// Each engine puts each hour of the year into the buckets that Go finds for it in each zone.
func TestZones_HoursAreInTheBucketsOfGo(t *testing.T) {
	t.Parallel()
	doc, err := modelspec.Parse([]byte(hoursModel))
	if err != nil {
		t.Fatal(err)
	}
	cat, err := compile.Compile(t.Context(), doc, compile.Options{})
	if err != nil || len(cat.Errors) > 0 {
		t.Fatal(err, cat.Errors)
	}
	instants, p := hourInstants(t), planner.New(cat)
	var engines []string
	compared, different := 0, 0
	for _, e := range hoursEngines(t, instants) {
		engines = append(engines, e.dialect)
		for _, name := range hourZones {
			zone := location(t, name)
			rows, err := e.buckets(t.Context(), p, name)
			if err != nil || len(rows) != len(instants) {
				t.Fatalf("%s, %s: %d rows of %d instants: %v", e.dialect, name, len(rows), len(instants), err)
			}
			for i, row := range rows {
				compared++
				want := fmt.Sprintf("%d %s 1", i, bucketsOf(instants[i], zone))
				if got := strings.Join(row, " "); got != want {
					if different++; different <= 10 {
						t.Errorf("%s, %s, %s: %s, want %s", e.dialect, name, instants[i].Format(time.RFC3339), got, want)
					}
				}
			}
		}
	}
	t.Attr("different", strconv.Itoa(different))
	t.Attr("engines", strings.Join(engines, ", "))
	floor.CheckCount(t, "zones", len(hourZones), 8)
	floor.CheckCount(t, "compared", compared, len(instants)*8)
}
