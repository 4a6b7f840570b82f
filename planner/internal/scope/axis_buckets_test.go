package scope

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/compile"
	"github.com/semlayer/semlayer/planner/plan"
	"github.com/semlayer/semlayer/planner/query"
)

// studio has pots with two axes, and a date dimension that is a calendar.
const studio = `
version: 0.2.0.dev0
name: studio
datasets:
  - name: pots
    source: pots
    primary_key: [id]
    fields:
      - {name: id, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: id}]}}
      - {name: day, datatype: Date, dimension: {}, expression: {dialects: [{dialect: ANSI_SQL, expression: day}]}}
      - {name: fired, datatype: DateTimeTz, dimension: {}, expression: {dialects: [{dialect: ANSI_SQL, expression: fired}]}}
      - {name: glaze, datatype: String, dimension: {}, expression: {dialects: [{dialect: ANSI_SQL, expression: glaze}]}}
  - name: days
    source: days
    primary_key: [d]
    custom_extensions:
      - vendor_name: SEMLAYER
        data: '{"v": "1.10", "calendar": {"date": "d", "periods": {"fiscal_year": {"field": "fy", "whole": "month"}, "four_weeks": {"field": "fw", "whole": "week"}, "season": "season"}}}'
    fields:
      - {name: d, datatype: Date, dimension: {}, expression: {dialects: [{dialect: ANSI_SQL, expression: d}]}}
      - {name: yr, datatype: Integer, dimension: {}, expression: {dialects: [{dialect: ANSI_SQL, expression: yr}]}}
      - {name: fy, datatype: Integer, dimension: {}, expression: {dialects: [{dialect: ANSI_SQL, expression: fy}]}}
      - {name: fw, datatype: Integer, dimension: {}, expression: {dialects: [{dialect: ANSI_SQL, expression: fw}]}}
      - {name: season, datatype: String, dimension: {}, expression: {dialects: [{dialect: ANSI_SQL, expression: season}]}}
relationships:
  - {name: made_on, from: pots, to: days, from_columns: [day], to_columns: [d]}
metrics:
  - name: made
    expression: {dialects: [{dialect: ANSI_SQL, expression: COUNT(pots.id)}]}
    custom_extensions: [{vendor_name: SEMLAYER, data: '{"v": "1.10", "time_dimension": "day"}'}]
`

func studioCatalog(t *testing.T) *catalog.Catalog {
	t.Helper()
	doc, err := modelspec.Parse([]byte(studio))
	if err != nil {
		t.Fatal(err)
	}
	cat, err := compile.Compile(context.Background(), doc, compile.Options{})
	if err != nil || len(cat.Errors) > 0 {
		t.Fatal(err, cat.Errors)
	}
	return cat
}

func TestAxisBuckets_RelationOfEachGroup(t *testing.T) {
	cat := studioCatalog(t)
	const group, bucket, attribute, split, unproven = "group", "bucket", "attribute", "split", "unproven"
	names := map[BucketRelation]string{RelationGroup: group, RelationBucket: bucket, RelationAttribute: attribute, RelationSplit: split, RelationUnproven: unproven}
	by := func(field, unit string) query.GroupBy { return query.GroupBy{Field: field}.WithUnit(unit) }
	of := func(expression string) query.GroupBy { return query.GroupBy{Name: "x", Expression: expression} }
	for _, c := range []struct {
		axis, grain string
		other       query.GroupBy
		query       query.MetricQuery
		want        string
	}{
		{"day", "month", by(MetricTime, "year"), query.MetricQuery{}, attribute},
		{"day", "month", by("pots.day", "quarter"), query.MetricQuery{}, attribute},
		{"day", "quarter", by("pots.day", "week"), query.MetricQuery{}, bucket},
		{"day", "week", by("pots.day", "year"), query.MetricQuery{}, split},
		{"day", "day", by("pots.day", "week"), query.MetricQuery{}, attribute},
		{"day", "day", by("pots.day", ""), query.MetricQuery{}, attribute},
		{"day", "month", by("pots.day", ""), query.MetricQuery{}, split},
		{"day", "month", by("pots.fired", "year"), query.MetricQuery{}, group},
		{"day", "month", by("pots.glaze", ""), query.MetricQuery{}, group},
		{"day", "month", by("pots.day", "month_of_year"), query.MetricQuery{}, attribute},
		{"day", "month", by(MetricTime, "quarter_of_year"), query.MetricQuery{}, attribute},
		{"day", "month", by("pots.day", "day_of_week"), query.MetricQuery{}, group},
		{"day", "month", by("pots.day", "week_of_year"), query.MetricQuery{}, group},
		{"day", "week", by("pots.day", "week_of_year"), query.MetricQuery{}, attribute},
		{"day", "week", by("pots.day", "week_of_year"), query.MetricQuery{WeekStart: "sunday"}, group},
		{"day", "day", by("pots.day", "week_of_year"), query.MetricQuery{WeekStart: "sunday"}, attribute},
		{"day", "month", by("pots.fired", "month_of_year"), query.MetricQuery{}, group},
		{"fired", "hour", by("pots.fired", "hour_of_day"), query.MetricQuery{TimeZone: "Europe/Berlin"}, attribute},
		{"day", "fiscal_year", by("pots.day", "month_of_year"), query.MetricQuery{}, group},
		{"day", "month", of("EXTRACT(ISODOW FROM pots.day)"), query.MetricQuery{}, group},
		{"day", "month", of("EXTRACT(YEAR FROM pots.day)"), query.MetricQuery{}, attribute},
		{"day", "month", of("YEAR(pots.day) * 100 + MONTH(pots.day)"), query.MetricQuery{}, attribute},
		{"day", "month", of("CASE WHEN pots.glaze = 'ash' THEN EXTRACT(YEAR FROM pots.day) END"), query.MetricQuery{}, group},
		{"day", "month", of("CAST(DATE_TRUNC('quarter', pots.day) AS DATE)"), query.MetricQuery{}, attribute},
		{"day", "month", of("EXTRACT(DOW FROM pots.day)"), query.MetricQuery{}, group},
		{"day", "week", of("EXTRACT(MONTH FROM pots.day)"), query.MetricQuery{}, group},
		{"day", "week", of("EXTRACT(WEEK FROM pots.day)"), query.MetricQuery{}, attribute},
		{"day", "week", of("EXTRACT(WEEK FROM pots.day)"), query.MetricQuery{WeekStart: "sunday"}, group},
		{"day", "week", of("DATE_TRUNC('week', pots.day)"), query.MetricQuery{WeekStart: "sunday"}, unproven},
		{"day", "month", of("DATE_TRUNC('week', pots.day)"), query.MetricQuery{}, unproven},
		{"day", "day", of("pots.day - INTERVAL '1' DAY"), query.MetricQuery{}, attribute},
		{"day", "month", of("pots.day - INTERVAL '1' DAY"), query.MetricQuery{}, unproven},
		{"day", "month", of("pots.day > '2024-01-15'"), query.MetricQuery{}, unproven},
		{"day", "month", of("EXTRACT(YEAR FROM days.d)"), query.MetricQuery{}, group},
		{"fired", "month", of("EXTRACT(YEAR FROM pots.fired)"), query.MetricQuery{}, attribute},
		{"fired", "month", of("EXTRACT(YEAR FROM pots.fired)"), query.MetricQuery{TimeZone: "Europe/Berlin"}, group},
		{"fired", "day", by("pots.fired", ""), query.MetricQuery{}, split},
		{"fired", "hour", of("EXTRACT(HOUR FROM pots.fired)"), query.MetricQuery{}, attribute},
		{"day", "day", by("days.season", ""), query.MetricQuery{}, attribute},
		{"day", "day", by("made_on.season", ""), query.MetricQuery{}, attribute},
		{"day", "month", by("days.yr", ""), query.MetricQuery{}, unproven},
		{"day", "month", by("days.fy", ""), query.MetricQuery{}, attribute},
		{"day", "week", by("days.fy", ""), query.MetricQuery{}, unproven},
		{"day", "week", by("days.fw", ""), query.MetricQuery{}, attribute},
		{"day", "week", by("days.fw", ""), query.MetricQuery{WeekStart: "sunday"}, unproven},
		{"day", "month", by("days.season", ""), query.MetricQuery{}, unproven},
		{"fired", "day", by("days.season", ""), query.MetricQuery{}, group},
		{"day", "month", by("pots.day", "fiscal_year"), query.MetricQuery{}, attribute},
		{"day", "week", by("pots.day", "fiscal_year"), query.MetricQuery{}, bucket},
		{"day", "month", by("pots.day", "season"), query.MetricQuery{}, bucket},
		{"day", "day", by("pots.day", "season"), query.MetricQuery{}, attribute},
		{"day", "fiscal_year", by("days.fy", ""), query.MetricQuery{}, group},
	} {
		q := c.query
		q.Metrics = []string{"made"}
		q.GroupBy = []query.GroupBy{by("pots."+c.axis, c.grain), c.other}
		in := NewEnv(context.Background(), cat, &q, plan.Target{Dialect: "duckdb"})
		sel, err := SelectMetrics(in)
		if err != nil {
			t.Fatal(err)
		}
		groups, err := ResolveGroups(in, sel)
		if err != nil {
			t.Fatal(q.GroupBy, err)
		}
		b := in.BucketsOfAxis(groups, cat.Dataset("pots").Field(c.axis))
		want := []string{bucket, c.want}
		if c.want == bucket {
			want[0] = split // beside a finer grain that does not divide into it
		}
		if got := []string{names[b.Relation(0)], names[b.Relation(1)]}; cmp.Diff(want, got) != "" {
			t.Errorf("beside %s by %s (%s %s): %+v is %v, want %s", c.axis, c.grain, q.WeekStart, q.TimeZone, c.other, got, c.want)
		}
	}
}
