package compositions

import (
	"context"
	_ "embed" // for data
	"testing"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/duckdb"
	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/compile"
	"github.com/semlayer/semlayer/planner"
	"github.com/semlayer/semlayer/planner/compose"
	"github.com/semlayer/semlayer/planner/query"
	"github.com/semlayer/semlayer/sqlemit"
)

const model = `version: 0.2.0.dev0
semantic_model:
  - name: shop
    datasets:
      - name: sales
        source: sales
        primary_key: [id]
        fields:
          - {name: id, expression: {dialects: [{dialect: ANSI_SQL, expression: id}]}, datatype: Integer}
          - {name: region, expression: {dialects: [{dialect: ANSI_SQL, expression: region}]}, datatype: String}
          - {name: category, expression: {dialects: [{dialect: ANSI_SQL, expression: category}]}, datatype: String}
          - {name: amount, expression: {dialects: [{dialect: ANSI_SQL, expression: amount}]}, datatype: Integer}
          - {name: quantity, expression: {dialects: [{dialect: ANSI_SQL, expression: quantity}]}, datatype: Integer}
          - {name: sold, expression: {dialects: [{dialect: ANSI_SQL, expression: sold}]}, datatype: Date}
      - name: visits
        source: visits
        primary_key: [id]
        fields:
          - {name: id, expression: {dialects: [{dialect: ANSI_SQL, expression: id}]}, datatype: Integer}
          - {name: day, expression: {dialects: [{dialect: ANSI_SQL, expression: day}]}, datatype: Date}
      - name: regions
        source: regions
        primary_key: [region]
        fields:
          - {name: region, expression: {dialects: [{dialect: ANSI_SQL, expression: region}]}, datatype: String}
          - {name: manager, expression: {dialects: [{dialect: ANSI_SQL, expression: manager}]}, datatype: String}
    relationships:
      - {name: sale_region, from: sales, to: regions, from_columns: [region], to_columns: [region]}
    metrics:
      - {name: revenue, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(sales.amount)}]}}
      - {name: sales_count, expression: {dialects: [{dialect: ANSI_SQL, expression: COUNT(sales.id)}]}}
      - {name: average, expression: {dialects: [{dialect: ANSI_SQL, expression: AVG(sales.amount)}]}}
      - {name: visit_count, expression: {dialects: [{dialect: ANSI_SQL, expression: COUNT(visits.id)}]}}
      - {name: managed, expression: {dialects: [{dialect: ANSI_SQL, expression: COUNT(regions.manager)}]}}
      - name: last_amount
        expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(sales.amount)}]}
        custom_extensions: [{vendor_name: SEMLAYER, data: '{"v": "1.10", "requires": ["non_additive"], "non_additive": {"by": "sold", "take": "last"}}'}]
      - {name: per_piece, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(sales.amount) / SUM(sales.quantity)}]}}
`

// data has NULL regions and categories, ties of revenue, repeated rows, a zero divisor and a NULL amount.
//
//go:embed testdata/data.sql
var data string

// parts returns the finished queries that compositions read, by the names of the tables in the SELECTs by hand.
func parts() map[string]any {
	grouped := func(metrics []string, where string, groups ...string) *query.MetricQuery {
		q := &query.MetricQuery{Metrics: metrics, WhereSQL: where}
		for _, g := range groups {
			q.GroupBy = append(q.GroupBy, query.GroupBy{Field: g})
		}
		return q
	}
	all := int64(1000)
	monthly := grouped([]string{"revenue"}, "")
	monthly.GroupBy = []query.GroupBy{{Field: "sales.sold", Grain: "month", Name: "month"}}
	return map[string]any{
		"by_region":   grouped([]string{"revenue", "sales_count", "average"}, "", "sales.region"),
		"by_category": grouped([]string{"revenue", "per_piece"}, "", "sales.region", "sales.category"),
		"by_month":    monthly,
		"nothing":     grouped([]string{"revenue", "sales_count"}, "sales.region = 'nowhere'", "sales.region"),
		"total":       grouped([]string{"revenue", "sales_count"}, ""),
		"groups":      &query.MetricQuery{Distinct: true, GroupBy: []query.GroupBy{{Field: "sales.category"}}},
		"sold":        &query.DetailQuery{From: "sales", Fields: []string{"region", "category", "amount", "sold"}, Limit: &all},
		"visited":     &query.DetailQuery{From: "visits", Fields: []string{"day"}, Limit: &all},
		"by_day":      grouped([]string{"visit_count"}, "", "visits.day"),
		"managers":    &query.DetailQuery{From: "regions", Fields: []string{"region", "manager"}, Limit: &all},
	}
}

// shop plans the parts and composes over them, for one dialect.
type shop struct {
	planner  *planner.Planner
	dialect  *sqlemit.Dialect
	target   planner.Target
	composer *compose.Composer
	tables   map[string]*compose.Rows
}

func newPlanner(tb testing.TB) *planner.Planner {
	tb.Helper()
	doc, err := modelspec.Parse([]byte(model))
	if err != nil {
		tb.Fatal(err)
	}
	cat, err := compile.Compile(tb.Context(), doc, compile.Options{})
	if err != nil {
		tb.Fatal(err)
	}
	return planner.New(cat)
}

func newShop(tb testing.TB, p *planner.Planner, dialect string) *shop {
	tb.Helper()
	d, ok := sqlemit.LookupDialect(dialect)
	if !ok {
		tb.Fatalf("no dialect %s", dialect)
	}
	target := planner.Target{Dialect: dialect, Caps: d.Capabilities()}
	return &shop{planner: p, dialect: d, target: target, composer: compose.New(target), tables: map[string]*compose.Rows{}}
}

// plan plans a part.
func (s *shop) plan(tb testing.TB, part any) *planner.Planned {
	tb.Helper()
	var planned *planner.Planned
	var err error
	switch q := part.(type) {
	case *query.MetricQuery:
		planned, err = s.planner.PlanMetrics(tb.Context(), q, s.target)
	case *query.DetailQuery:
		planned, err = s.planner.PlanDetail(tb.Context(), q, s.target)
	}
	if err != nil {
		tb.Fatal(err)
	}
	return planned
}

// emit prints a plan.
func (s *shop) emit(tb testing.TB, p *planner.Planned) string {
	tb.Helper()
	sql, err := sqlemit.Emit(tb.Context(), p.Root, s.dialect, sqlemit.FormatOptions{Pretty: true})
	if err != nil {
		tb.Fatal(err)
	}
	return sql
}

// openHost opens DuckDB with the rows of the parts as tables.
func openHost(tb testing.TB, p *planner.Planner) executor.Executor {
	tb.Helper()
	s := newShop(tb, p, "duckdb")
	setup := []string{data}
	for name, part := range parts() {
		setup = append(setup, "CREATE TABLE "+name+" AS "+s.emit(tb, s.plan(tb, part)))
	}
	return openDuckDB(tb, setup)
}

func openDuckDB(tb testing.TB, setup []string) executor.Executor {
	tb.Helper()
	db, err := duckdb.Open(context.Background(), duckdb.Options{Setup: setup, Connections: 1})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = db.Close() })
	return db
}
