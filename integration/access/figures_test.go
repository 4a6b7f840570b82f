package access

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/duckdb"
	"github.com/semlayer/semlayer/integration/internal/containers"
	"github.com/semlayer/semlayer/integration/internal/prepare"
	"github.com/semlayer/semlayer/integration/internal/servers"
	"github.com/semlayer/semlayer/modelspec/access"
	"github.com/semlayer/semlayer/planner/query"
)

var shared = containers.SharedServers()

func TestMain(m *testing.M) { os.Exit(shared.RunTests(m)) }

const fixture = "../testdata/fixtures/orders/"

// engines open a database of each kind with the tables of the worked figures.
var engines = enginesWith("access", func(tb testing.TB) string { return read(tb, fixture+"data.sql") })

// enginesWith open a database of each kind with the tables of a script, which the servers keep under a key.
func enginesWith(key string, script func(testing.TB) string) map[string]func(testing.TB) executor.Executor {
	load := func(tb testing.TB, s *servers.Server) executor.Executor {
		db, err := s.Load(tb.Context(), key, script(tb))
		if err != nil {
			tb.Fatal(err)
		}
		return db
	}
	return map[string]func(testing.TB) executor.Executor{
		"duckdb": func(tb testing.TB) executor.Executor {
			db, err := duckdb.Open(tb.Context(), duckdb.Options{Setup: []string{script(tb)}})
			if err != nil {
				tb.Fatal(err)
			}
			tb.Cleanup(func() { _ = db.Close() })
			return db
		},
		"postgres": func(tb testing.TB) executor.Executor { return load(tb, servers.PostgreSQL(tb, shared)) },
		"mysql":    func(tb testing.TB) executor.Executor { return load(tb, servers.MariaDB(tb, shared)) },
		"sqlite":   func(tb testing.TB) executor.Executor { return load(tb, servers.SQLite(tb)) },
	}
}

func read(tb testing.TB, path string) string {
	tb.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		tb.Fatal(err)
	}
	return string(text)
}

// openWith opens the model of the worked figures, changed by replacements, with policies over a database.
func openWith(tb testing.TB, db executor.Executor, policies string, replacements ...string) *engine.Engine {
	tb.Helper()
	model := strings.NewReplacer(replacements...).Replace(read(tb, fixture+"model.yaml"))
	e, err := engine.Open(tb.Context(), engine.Config{
		ModelText: []byte(model), PoliciesPath: "policies.yaml", PoliciesText: []byte(policies),
		Connections: []engine.ProgramConnection{{Name: "w", Executor: db}}, DefaultConnection: "w",
	})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = e.Close() })
	return e
}

func as(tb testing.TB, e *engine.Engine, policies, identity string) (*engine.Reader, error) {
	tb.Helper()
	file, issues := access.Parse("policies.yaml", []byte(policies))
	if len(issues) > 0 {
		tb.Fatal(issues)
	}
	claims, err := access.ParseIdentity([]byte(identity))
	if err != nil {
		tb.Fatal(err)
	}
	return e.As(tb.Context(), file.NewIdentity(claims))
}

// ask returns the rows of a query as JSON, or the code of its error.
func ask(tb testing.TB, e prepare.Engine, body string) string {
	tb.Helper()
	q := decode(tb, body)
	result, err := prepare.Rows(tb.Context(), e, q)
	if err != nil {
		return codeOf(err)
	}
	return string(result.Rows)
}

// decode reads the body of a statement, of a query of records, or of metrics.
func decode(tb testing.TB, body string) query.Body {
	tb.Helper()
	var q query.Body
	var err error
	switch {
	case strings.Contains(body, `"sql"`):
		q, err = query.DecodeSQL([]byte(body))
	case strings.Contains(body, `"from"`):
		q, err = query.DecodeDetail([]byte(body))
	default:
		q, err = query.DecodeMetric([]byte(body))
	}
	if err != nil {
		tb.Fatal(err)
	}
	return q
}

type question struct{ body, want string }

var figures = []struct {
	name, policies, identity string
	replacements             []string
	questions                []question
}{
	{
		name: "rule over another dataset", identity: `{"roles": ["regional"], "attributes": {"regions": ["east"]}}`,
		policies: regionalPolicies,
		questions: []question{
			{`{"metrics":["revenue","order_count","unique_customers"]}`, `[{"revenue":340,"order_count":4,"unique_customers":2}]`},
			{`{"metrics":["revenue"],"group_by":[{"field":"metric_time","grain":"month"}],"order_by":[{"key":"metric_time__month"}]}`,
				`[{"metric_time__month":"2024-01-01","revenue":150},{"metric_time__month":"2024-02-01","revenue":120},{"metric_time__month":"2024-03-01","revenue":70}]`},
			{`{"metrics":["revenue"],"group_by":[{"field":"orders.status"}],"order_by":[{"key":"status"}]}`, `[{"status":"cancelled","revenue":70},{"status":"completed","revenue":270}]`},
			{`{"metrics":["total_margin"]}`, `[{"total_margin":250}]`},
			{`{"metrics":["revenue"],"group_by":[{"field":"customers.region"}]}`, `[{"region":"east","revenue":340}]`},
			{`{"metrics":["revenue"],"where_sql":"orders.status = 'completed' OR 1 = 1"}`, `[{"revenue":340}]`},
			{`{"from":"orders","fields":["orders.order_id"],"order_by":[{"key":"order_id"}]}`, `[{"order_id":1},{"order_id":2},{"order_id":5},{"order_id":6}]`},
			{`{"sql":"SELECT COUNT(*) AS n FROM orders"}`, `[{"n":4}]`},
		},
	},
	{
		name: "empty list", identity: `{"roles": ["regional"], "attributes": {"regions": []}}`, policies: regionalPolicies,
		questions: []question{
			{`{"metrics":["revenue","order_count"]}`, `[{"revenue":null,"order_count":0}]`},
			{`{"metrics":["revenue"],"group_by":[{"field":"orders.status"}]}`, `[]`},
		},
	},
	{
		name: "rule of a joined dataset", identity: `{"roles": ["east"]}`, policies: eastPolicies,
		questions: []question{
			{`{"metrics":["revenue"],"group_by":[{"field":"customers.region"}],"order_by":[{"key":"revenue","desc":true}]}`, `[{"region":"east","revenue":340},{"region":null,"revenue":110}]`},
			{`{"from":"orders","fields":["orders.order_id","customers.region"],"order_by":[{"key":"order_id"}]}`,
				`[{"order_id":1,"region":"east"},{"order_id":2,"region":"east"},{"order_id":3,"region":null},{"order_id":4,"region":null},{"order_id":5,"region":"east"},{"order_id":6,"region":"east"}]`},
		},
	},
	{
		name: "rule of a dataset joined inner", identity: `{"roles": ["east"]}`, policies: eastPolicies,
		replacements: []string{"to: customers, from_columns: [customer_id], to_columns: [customer_id]}",
			`to: customers, from_columns: [customer_id], to_columns: [customer_id], custom_extensions: [{vendor_name: SEMLAYER, data: '{"v": "1.9", "join_type": "inner"}'}]}`},
		questions: []question{
			{`{"metrics":["revenue"],"group_by":[{"field":"customers.region"}]}`, `[{"region":"east","revenue":340}]`},
		},
	},
	{
		name: "two roles", identity: `{"roles": ["done", "count"]}`, policies: doneAndCountPolicies,
		questions: []question{
			{`{"metrics":["order_count"]}`, `[{"order_count":6}]`},
			{`{"metrics":["revenue"],"group_by":[{"field":"orders.status"}],"order_by":[{"key":"status"}]}`, `[{"status":"cancelled","revenue":null},{"status":"completed","revenue":350}]`},
		},
	},
	{
		name: "a masked field", identity: `{"roles": ["count"]}`, policies: doneAndCountPolicies,
		questions: []question{{`{"metrics":["revenue","order_count"]}`, `[{"revenue":null,"order_count":6}]`}},
	},
	{
		name: "a mask before groups, conditions and distinct values", identity: `{"roles": ["r"]}`, policies: `
version: 1
roles: {r: {datasets: {"*": {rows: all, fields: all}, orders: {rows: all, fields: all, mask: {status: "'***'"}}}, metrics: all}}
`,
		questions: []question{
			{`{"metrics":["revenue"],"group_by":[{"field":"orders.status"}]}`, `[{"status":"***","revenue":450}]`},
			{`{"metrics":["order_count"],"group_by":[{"field":"orders.status"}],"where_sql":"orders.status <> 'cancelled'"}`, `[{"status":"***","order_count":6}]`},
			{`{"metrics":[{"name":"n","expression":"COUNT(DISTINCT orders.status)"}]}`, `[{"n":1}]`},
			{`{"sql":"SELECT DISTINCT status FROM orders"}`, `[{"status":"***"}]`},
		},
	},
	{
		name: "a hidden field", identity: `{"roles": ["r"]}`, policies: hiddenAmountPolicies,
		questions: []question{
			{`{"metrics":["revenue"]}`, `unknown_metric`},
			{`{"metrics":["order_count"],"where_sql":"orders.amount > 1"}`, `unknown_dimension`},
			{`{"metrics":["order_count","unique_customers"]}`, `[{"order_count":6,"unique_customers":3}]`},
			{`{"metrics":["order_count"],"group_by":[{"field":"products.category"}]}`, `unknown_dimension`},
			{`{"metrics":["order_count"],"with":[{"dataset":"orders","name":"x","expression":"amount + 1"}],"group_by":[{"field":"orders.x"}]}`, `unknown_column`},
			{`{"sql":"SELECT amount FROM orders"}`, `unknown_column`},
		},
	},
	{
		name: "a revealed metric", identity: `{"roles": ["r"]}`, policies: strings.Replace(hiddenAmountPolicies, "metrics: all", "metrics: all\n    reveal: [avg_order_value, revenue_mom, customers.lifetime_value]", 1),
		questions: []question{
			{`{"metrics":["avg_order_value"]}`, `[{"avg_order_value":75}]`},
			{`{"metrics":["avg_order_value","order_count"],"group_by":[{"field":"orders.status"}],"order_by":[{"key":"status"}]}`, `[{"status":"cancelled","avg_order_value":50,"order_count":2},{"status":"completed","avg_order_value":87.5,"order_count":4}]`},
			{`{"metrics":["revenue"]}`, `unknown_metric`},
			{`{"metrics":["avg_order_value","revenue_mom"],"group_by":[{"field":"metric_time","grain":"month"}],"order_by":[{"key":"metric_time__month"}]}`,
				`[{"metric_time__month":"2024-01-01","avg_order_value":75,"revenue_mom":null},{"metric_time__month":"2024-02-01","avg_order_value":76.66666666666667,"revenue_mom":0.5333333333333333},{"metric_time__month":"2024-03-01","avg_order_value":70,"revenue_mom":-0.6956521739130435}]`},
			{`{"metrics":["order_count"],"where_sql":"orders.amount > 1"}`, `unknown_dimension`},
			{`{"metrics":["order_count"],"with":[{"dataset":"orders","name":"x","expression":"amount + 1"}],"group_by":[{"field":"orders.x"}]}`, `unknown_column`},
			{`{"from":"customers","fields":["customers.customer_id","customers.lifetime_value"],"order_by":[{"key":"customer_id"}]}`,
				`[{"customer_id":1,"lifetime_value":220},{"customer_id":2,"lifetime_value":110},{"customer_id":3,"lifetime_value":120}]`},
			{`{"sql":"SELECT MEASURE(avg_order_value) AS v FROM orders"}`, `[{"v":75}]`},
		},
		replacements: lifetimeValue,
	},
	{
		name: "a metric that one of two roles reveals", identity: `{"roles": ["done", "rest"]}`, policies: `
version: 1
roles:
  done:
    datasets: {orders: {rows: "status = 'completed'", fields: [order_id, status]}}
    reveal: [revenue]
  rest:
    datasets: {orders: {rows: all, fields: all, mask: {amount: "1"}}}
    metrics: all
`,
		questions: []question{
			{`{"metrics":["revenue"],"group_by":[{"field":"orders.status"}],"order_by":[{"key":"status"}]}`, `[{"status":"cancelled","revenue":2},{"status":"completed","revenue":350}]`},
			{`{"metrics":["largest_order"]}`, `[{"largest_order":1}]`},
		},
	},
	{
		name: "a revealed metric of a field that is required to be hidden", identity: `{"roles": ["r"]}`,
		policies:  strings.Replace(hiddenAmountPolicies, "metrics: all", "metrics: all\n    reveal: [avg_order_value]", 1) + "required: {datasets: {orders: {hide: [amount]}}}\n",
		questions: []question{{`{"metrics":["avg_order_value"]}`, `unknown_metric`}},
	},
	{
		name: "two roles with rules, and a required rule", identity: `{"roles": ["done", "cheap"]}`, policies: `
version: 1
required: {datasets: {orders: {rows: "amount > 40"}}}
roles:
  done: {datasets: {orders: {rows: "status = 'completed'", fields: all}}, metrics: all}
  cheap: {datasets: {orders: {rows: "amount < 75", fields: all}}, metrics: all}
`,
		questions: []question{{`{"metrics":["revenue","order_count"]}`, `[{"revenue":420,"order_count":5}]`}}, // all but 4, of 30
	},
	{
		name: "hidden join columns", identity: `{"roles": ["r"]}`, policies: `
version: 1
roles:
  r:
    datasets:
      orders: {rows: "customer_id < 3", fields: [status]}
      customers: {rows: all, fields: [region]}
    metrics: all
`,
		questions: []question{
			{`{"from":"orders","fields":["orders.status","customers.region"],"order_by":[{"key":"status"},{"key":"region"}]}`,
				`[{"status":"cancelled","region":"east"},{"status":"cancelled","region":"west"},{"status":"completed","region":"east"},{"status":"completed","region":"east"},{"status":"completed","region":"west"}]`},
			{`{"metrics":["order_count"]}`, `unknown_metric`},
		},
	},
	{
		name: "required rows", identity: `{"roles": ["admin"]}`, policies: `
version: 1
required: {datasets: {orders: {rows: "status = 'completed' OR 'auditor' IN (:user.roles)"}}}
roles:
  admin: {all: true}
  auditor: {datasets: {}}
`,
		questions: []question{{`{"metrics":["order_count"]}`, `[{"order_count":4}]`}},
	},
}

// lifetimeValue adds a level of detail to the customers of the worked figures.
var lifetimeValue = []string{"          - {name: signup_date,", `          - {name: lifetime_value, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(orders.amount)}]}, datatype: Integer,
             custom_extensions: [{vendor_name: SEMLAYER, data: '{"v": "1.9", "lod": {"grain": ["customer_id"]}}'}]}
          - {name: signup_date,`}

const hiddenAmountPolicies = `
version: 1
roles:
  r:
    datasets:
      orders: {rows: all, fields: all, hide: [amount]}
      customers: {rows: all, fields: all}
    metrics: all
`

const regionalPolicies = `
version: 1
attributes: {regions: {type: string, list: true}}
roles:
  regional:
    datasets:
      orders: {rows: "customers.region IN (:user.regions)", fields: all}
      "*": {rows: all, fields: all}
    metrics: all
`

const eastPolicies = `
version: 1
roles:
  east:
    datasets:
      customers: {rows: "region = 'east'", fields: all}
      "*": {rows: all, fields: all}
    metrics: all
`

const doneAndCountPolicies = `
version: 1
roles:
  done: {datasets: {orders: {rows: "status = 'completed'", fields: all}}, metrics: all}
  count: {datasets: {orders: {rows: all, fields: all, mask: {amount: "NULL"}}}, metrics: all}
`

func TestFigures_OfTheContract(t *testing.T) {
	for dialect, open := range engines {
		t.Run(dialect, func(t *testing.T) {
			db := open(t)
			for _, c := range figures {
				t.Run(c.name, func(t *testing.T) {
					e := openWith(t, db, c.policies, c.replacements...)
					reader, err := as(t, e, c.policies, c.identity)
					if err != nil {
						t.Fatal(err)
					}
					for _, q := range c.questions {
						if diff := cmp.Diff(q.want, ask(t, reader, q.body)); diff != "" {
							t.Errorf("%s: %s", q.body, diff)
						}
						if got := ask(t, e, q.body); got != "forbidden" {
							t.Errorf("%s without a reader: %s", q.body, got)
						}
					}
				})
			}
		})
	}
}
