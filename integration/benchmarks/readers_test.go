package benchmarks

import (
	"runtime"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/executor/duckdb"
	"github.com/semlayer/semlayer/executor/warehouse"
	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/access"
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/compile"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner"
	"github.com/semlayer/semlayer/planner/plan"
	"github.com/semlayer/semlayer/planner/query"
	"github.com/semlayer/semlayer/sqlemit"
)

// readerPolicies has a role for each kind of rule.
const readerPolicies = `
version: 1
attributes: {regions: {type: string, list: true}}
roles:
  own: {datasets: {orders: {rows: "amount > 250", fields: all}, "*": {rows: all, fields: all}}, metrics: all}
  joined: {datasets: {orders: {rows: "customers.segment = 'segment 1'", fields: all}, "*": {rows: all, fields: all}}, metrics: all}
  both: {datasets: {orders: {rows: "customers.region IN (:user.regions)", fields: all}, customers: {rows: "region IN (:user.regions)", fields: all}, "*": {rows: all, fields: all}}, metrics: all}
`

// applied judges the policies against a model.
func applied(tb testing.TB, model string) *access.Applied {
	tb.Helper()
	file, issues := access.Parse("policies.yaml", []byte(readerPolicies))
	if len(issues) > 0 {
		tb.Fatal(issues)
	}
	doc, err := modelspec.Parse([]byte(model))
	if err != nil {
		tb.Fatal(err)
	}
	cat, err := compile.Compile(tb.Context(), doc, compile.Options{})
	if err != nil {
		tb.Fatal(err)
	}
	out, issues, err := file.Apply(tb.Context(), &file.Policies, doc, cat, false)
	if err != nil || len(issues) > 0 {
		tb.Fatal(issues, err)
	}
	return out
}

func viewOf(tb testing.TB, a *access.Applied, role string) *catalog.Catalog {
	tb.Helper()
	view, err := a.View(tb.Context(), []string{role}, func(*catalog.Catalog, *catalog.SavedQuery) error { return nil })
	if err != nil {
		tb.Fatal(err)
	}
	return view.Catalog
}

// compileForReader is compileSQL as a reader's queries are compiled.
func compileForReader(tb testing.TB, p *planner.Planner, d *sqlemit.Dialect, body []byte) string {
	return compileForTarget(tb, p, d, body, p.GuardConditions)
}

// compileForTarget compiles a query for all that a dialect can do.
func compileForTarget(tb testing.TB, p *planner.Planner, d *sqlemit.Dialect, body []byte, guard func(plan.Node, planner.Target) plan.Node) string {
	q, err := query.DecodeMetric(body)
	if err != nil {
		tb.Fatal(err)
	}
	target := planner.Target{Dialect: d.Name(), Caps: d.Capabilities()}
	planned, err := p.PlanMetrics(tb.Context(), q, target)
	if err != nil {
		tb.Fatal(err)
	}
	root := planned.Root
	if guard != nil {
		root = guard(root, target)
	}
	sql, err := sqlemit.Emit(tb.Context(), root, d, sqlemit.FormatOptions{})
	if err != nil {
		tb.Fatal(err)
	}
	return sql
}

// BenchmarkReaders_Compile compiles a query with the policy of each role and without in turn, for one target; ratio is the quotient of the
// medians, and allocations that of the numbers of objects.
func BenchmarkReaders_Compile(b *testing.B) {
	const batch = 50
	d := dialect(b)
	regions := sqlexpr.AttributeValues{"regions": {List: true, Values: []sqlexpr.Expr{&sqlexpr.String{Value: "region 1"}, &sqlexpr.String{Value: "region 2"}}}}
	whole, policies := planner.New(load(b, bigTablesModelText())), applied(b, bigTablesModelText())
	body := []byte(costedMonths + "}")
	for _, role := range []string{"own", "joined", "both"} {
		b.Run(role, func(b *testing.B) {
			view := planner.New(viewOf(b, policies, role))
			compileWith := func() { compileForReader(b, view.ForReader(regions), d, body) } // each request has another reader
			compileWithout := func() { compileForTarget(b, whole, d, body, nil) }
			var with, without []time.Duration
			for b.Loop() {
				with = append(with, measureDuration(func() {
					for range batch {
						compileWith()
					}
				}))
				without = append(without, measureDuration(func() {
					for range batch {
						compileWithout()
					}
				}))
			}
			b.ReportMetric(float64(median(with))/float64(median(without)), "ratio")
			b.ReportMetric(testing.AllocsPerRun(batch, compileWith)/testing.AllocsPerRun(batch, compileWithout), "allocations")
			b.ReportMetric(float64(median(with))/batch/1e3, "with-µs")
			b.ReportMetric(float64(median(without))/batch/1e3, "without-µs")
		})
	}
}

var ruledQuestions = []struct{ role, query, hand string }{
	{"own", `{"metrics":["revenue"],"group_by":[{"field":"customers.region"}]}`, `SELECT c.region, SUM(o.amount) AS revenue FROM orders o LEFT JOIN customers c ON o.customer_id = c.customer_id WHERE o.amount > 250 GROUP BY 1`},
	{
		"joined", `{"metrics":["revenue"],"group_by":[{"field":"products.category"}]}`,
		`SELECT p.category, SUM(o.amount) AS revenue FROM orders o LEFT JOIN customers c ON o.customer_id = c.customer_id LEFT JOIN products p ON o.product_id = p.product_id WHERE c.segment = 'segment 1' GROUP BY 1`,
	},
}

// BenchmarkReaders_Rules runs a query under a rule and the SQL that an analyst writes for it in turn; ratio is the quotient of the medians.
func BenchmarkReaders_Rules(b *testing.B) {
	db, err := duckdb.Open(b.Context(), duckdb.Options{Setup: createBigTablesSQL(factRows(b))})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = db.Close() })
	d, a := dialect(b), applied(b, bigTablesModelText())
	for _, q := range ruledQuestions {
		b.Run(q.role, func(b *testing.B) {
			sql := compileForReader(b, planner.New(viewOf(b, a, q.role)), d, []byte(q.query))
			var ours, hand []time.Duration
			measure := func() {
				ours, hand = append(ours, queryDuration(b, db, sql)), append(hand, queryDuration(b, db, q.hand))
			}
			for b.Loop() {
				measure()
			}
			for len(ours) < 5 {
				measure()
			}
			b.ReportMetric(float64(median(ours))/float64(median(hand)), "ratio")
			b.ReportMetric(float64(median(ours))/1e6, "ours-ms")
			b.ReportMetric(float64(median(hand))/1e6, "hand-ms")
		})
	}
}

// A rule gives the rows of the hand-written SQL.
func TestReaders_RuledQuestionsHaveTheRowsOfTheHandWrittenSQL(t *testing.T) {
	db, err := duckdb.Open(t.Context(), duckdb.Options{Setup: createBigTablesSQL(20_000)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	d, a := dialect(t), applied(t, bigTablesModelText())
	for _, q := range ruledQuestions {
		ours, hand := cells(t, db, compileForReader(t, planner.New(viewOf(t, a, q.role)), d, []byte(q.query))+" ORDER BY 1"), cells(t, db, q.hand+" ORDER BY 1")
		if len(ours) == 0 || !slices.Equal(ours, hand) {
			t.Errorf("%s: %v\n%v", q.role, ours, hand)
		}
	}
}

// BenchmarkReaders_View makes the view of a set of roles of a model of 1000 datasets.
func BenchmarkReaders_View(b *testing.B) {
	a := applied(b, LargeModelText(1000))
	for b.Loop() {
		viewOf(b, a, "own")
	}
}

// BenchmarkReaders_Memory compares the heap of a service that 10,000 identities of one role have asked with that of one identity.
func BenchmarkReaders_Memory(b *testing.B) {
	e, err := engine.Open(b.Context(), engine.Config{
		Drivers: []warehouse.Driver{duckdb.Driver()}, ModelText: []byte(LargeModelText(300)), PoliciesPath: "policies.yaml", PoliciesText: []byte(readerPolicies),
	})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = e.Close() })
	file, _ := access.Parse("policies.yaml", []byte(readerPolicies))
	ask := func(tenant string) {
		reader, err := e.As(b.Context(), file.NewIdentity(access.Claims{Name: tenant, Roles: []string{"both"}, Attributes: map[string]any{"regions": []any{tenant}}}))
		if err != nil {
			b.Fatal(err)
		}
		if len(reader.Datasets()) == 0 {
			b.Fatal("nothing is visible")
		}
	}
	heap := func() float64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.GC()
		runtime.ReadMemStats(&m)
		return float64(m.HeapAlloc)
	}
	ratio := 0.0
	for b.Loop() {
		ask("one")
		before := heap()
		for i := range 10_000 {
			ask("tenant " + strconv.Itoa(i))
		}
		ratio = heap() / before
	}
	b.ReportMetric(ratio, "ratio")
}
