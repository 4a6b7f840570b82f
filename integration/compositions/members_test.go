package compositions

import (
	"strings"
	"testing"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/integration/internal/servers"
	"github.com/semlayer/semlayer/integration/internal/table"
	"github.com/semlayer/semlayer/planner"
	"github.com/semlayer/semlayer/planner/compose"
	"github.com/semlayer/semlayer/planner/plan"
	"github.com/semlayer/semlayer/planner/query"
)

// memberCase is a semantic select with a condition on the rows of a subquery, and the SELECT by hand over the
// tables of the model and of the parts.
type memberCase struct {
	name, sql string
	build     func(s *shop, from func(string) relation) (*planner.Planned, error)
}

func memberCases() []memberCase {
	metrics := func(s *shop, q *query.MetricQuery, field string, not bool, rows relation) (*planner.Planned, error) {
		return s.planner.PlanMetricSelect(rows.tb.Context(), &planner.MetricSelect{Query: q, Members: []planner.InSubqueryCondition{{Field: field, Not: not, Rows: rows.rows}}}, s.target)
	}
	byCategory := func(measures ...string) *query.MetricQuery {
		return &query.MetricQuery{Metrics: measures, GroupBy: []query.GroupBy{{Field: "sales.category"}}}
	}
	return []memberCase{
		{"a metric over the rows of a top region", `SELECT category, SUM(amount) AS revenue FROM sales WHERE region IN (SELECT region FROM by_region ORDER BY sales_count DESC NULLS LAST, region LIMIT 1) GROUP BY category`,
			func(s *shop, from func(string) relation) (*planner.Planned, error) {
				top := from("by_region").items("region").order("(sales_count) DESC", "region").limit(1, 0).done()
				return metrics(s, byCategory("revenue"), "sales.region", false, top)
			}},
		{"a field of another dataset that is not grouped", `SELECT category, SUM(amount) AS revenue FROM sales LEFT JOIN regions USING (region) WHERE manager IN (SELECT manager FROM managers WHERE manager <> 'ann') GROUP BY category`,
			func(s *shop, from func(string) relation) (*planner.Planned, error) {
				return metrics(s, byCategory("revenue"), "regions.manager", false, from("managers").items("manager").where("manager <> 'ann'").done())
			}},
		{"two branches", `SELECT (SELECT SUM(amount) FROM sales WHERE region IN (SELECT region FROM managers)) AS revenue, (SELECT COUNT(manager) FROM regions WHERE region IN (SELECT region FROM managers)) AS managed`,
			func(s *shop, from func(string) relation) (*planner.Planned, error) {
				return metrics(s, &query.MetricQuery{Metrics: []string{"revenue", "managed"}}, "regions.region", false, from("managers").items("region").done())
			}},
		{"not in rows with a null is nothing", `SELECT SUM(amount) AS revenue, COUNT(id) AS sales_count FROM sales WHERE region NOT IN (SELECT region FROM by_region WHERE region IS NULL)`,
			func(s *shop, from func(string) relation) (*planner.Planned, error) {
				return metrics(s, &query.MetricQuery{Metrics: []string{"revenue", "sales_count"}}, "sales.region", true, from("by_region").items("region").where("region IS NULL").done())
			}},
		{"not in no rows is all rows", `SELECT COUNT(id) AS sales_count FROM sales WHERE region NOT IN (SELECT region FROM nothing)`,
			func(s *shop, from func(string) relation) (*planner.Planned, error) {
				return metrics(s, &query.MetricQuery{Metrics: []string{"sales_count"}}, "sales.region", true, from("nothing").items("region").done())
			}},
		{"days among days, with a condition", `SELECT SUM(amount) AS revenue FROM sales WHERE amount > 40 AND sold IN (SELECT sold FROM sold WHERE category = 'toys')`,
			func(s *shop, from func(string) relation) (*planner.Planned, error) {
				return metrics(s, &query.MetricQuery{Metrics: []string{"revenue"}, WhereSQL: "sales.amount > 40"}, "sales.sold", false, from("sold").items("sold").where("category = 'toys'").done())
			}},
		{"snapshots are chosen before the condition", `SELECT category, SUM(CASE WHEN sold = DATE '2024-04-30' THEN amount END) AS last_amount FROM sales WHERE region IN (SELECT region FROM managers UNION ALL SELECT region FROM by_region WHERE revenue < 100) GROUP BY category`,
			func(s *shop, from func(string) relation) (*planner.Planned, error) {
				low := from("by_region").items("region").where("revenue < 100").done()
				return metrics(s, byCategory("last_amount"), "sales.region", false, from("managers").items("region").done().combine(compose.UnionAll, low))
			}},
		{"distinct groups", `SELECT DISTINCT category FROM sales WHERE region IN (SELECT region FROM managers)`,
			func(s *shop, from func(string) relation) (*planner.Planned, error) {
				return metrics(s, &query.MetricQuery{Distinct: true, GroupBy: []query.GroupBy{{Field: "sales.category"}}}, "sales.region", false, from("managers").items("region").done())
			}},
		{"rows without a limit", `SELECT id, category FROM sales WHERE region NOT IN (SELECT region FROM managers)`,
			func(s *shop, from func(string) relation) (*planner.Planned, error) {
				rows := from("managers").items("region").done()
				return s.planner.PlanDetailSelect(rows.tb.Context(), &planner.DetailSelect{
					Query:   &query.DetailQuery{From: "sales", Fields: []string{"id", "category"}},
					Members: []planner.InSubqueryCondition{{Field: "region", Not: true, Rows: rows.rows}}, Unlimited: true,
				}, s.target)
			}},
		{"rows by a field of another dataset", `SELECT id, category FROM sales LEFT JOIN regions USING (region) WHERE category = 'books' AND manager IN (SELECT manager FROM managers)`,
			func(s *shop, from func(string) relation) (*planner.Planned, error) {
				rows := from("managers").items("manager").done()
				return s.planner.PlanDetailSelect(rows.tb.Context(), &planner.DetailSelect{
					Query:   &query.DetailQuery{From: "sales", Fields: []string{"id", "category"}, WhereSQL: "category = 'books'"},
					Members: []planner.InSubqueryCondition{{Field: "regions.manager", Rows: rows.rows}}, Unlimited: true,
				}, s.target)
			}},
	}
}

func TestMembers_FilterTheInputRowsOfEveryBranch(t *testing.T) {
	p := newPlanner(t)
	host := openHost(t, p)
	for dialect, open := range engines() {
		t.Run(dialect, func(t *testing.T) {
			db := open(t)
			for _, c := range memberCases() {
				t.Run(c.name, func(t *testing.T) { compareMembers(t, c, host, db, newShop(t, p, dialect)) })
			}
		})
	}
}

func compareMembers(t *testing.T, c memberCase, host, db executor.Executor, s *shop) {
	t.Helper()
	want, err := servers.QueryTable(t.Context(), host, c.sql, nil)
	if err != nil {
		t.Fatal(err)
	}
	planned, err := c.build(s, func(name string) relation { return s.from(t, name) })
	if err != nil {
		t.Fatal(err)
	}
	if err := plan.CheckTree(planned.Root); err != nil {
		t.Fatalf("%v\n%s", err, plan.Explain(planned.Root))
	}
	if text := plan.Explain(planned.Root); !strings.Contains(text, "SemiJoin [where_sql]") {
		t.Errorf("the plan shows no semi-join:\n%s", text)
	}
	sql := s.emit(t, planned)
	got, err := servers.QueryTable(t.Context(), db, sql, planned.Columns)
	if err != nil {
		t.Fatal(err)
	}
	if diff := table.Diff(want, got, false); diff != "" {
		t.Fatalf("- is the answer, + is what came\n%s\n%s\n%s", diff, c.sql, sql)
	}
}
