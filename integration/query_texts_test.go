package integration_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/integration/internal/corpus"
	"github.com/semlayer/semlayer/planner"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/planner/query"
	"github.com/semlayer/semlayer/sqlemit"
)

// attackTexts are the contents of string literals.
var attackTexts = []string{
	`x'; DROP TABLE orders; --`, `\`, `\'; DROP TABLE orders; --`, `\\'`, `"`, "`", `/* */`, `*/ 1 /*`, `-- `, `$$`, `$1`, `%s`, "a\nb", `' OR '1'='1`, `{{x}}`, `:p`, "\u2028", "😀", `#`,
}

// sqlOf compiles a query for a dialect.
func sqlOf(t *testing.T, p *planner.Planner, d *sqlemit.Dialect, q *query.MetricQuery) string {
	t.Helper()
	planned, err := p.PlanMetrics(context.Background(), q, planner.Target{Dialect: d.Name(), Caps: d.Capabilities()})
	if err != nil {
		t.Fatal(err)
	}
	sql, err := sqlemit.Emit(t.Context(), planned.Root, d, sqlemit.FormatOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return sql
}

// A literal is printed in every text of a query as it is in a condition, and nothing else of the text is
// in the SQL.
func TestQueryTexts_LiteralsArePrintedInEveryDialect(t *testing.T) {
	s := subjectOf(t, &corpus.Case{Fixture: "retail"})
	literal := func(content string) string { return "'" + strings.ReplaceAll(content, "'", "''") + "'" }
	const plain = "benign"
	texts := map[string]func(content string) *query.MetricQuery{
		"inline metric": func(content string) *query.MetricQuery {
			return &query.MetricQuery{Metrics: []string{"asked"}, InlineMetrics: []query.InlineMetric{{Name: "asked", Expression: "COUNT(CASE WHEN customers.region = " + literal(content) + " THEN 1 END)"}}}
		},
		"group": func(content string) *query.MetricQuery {
			return &query.MetricQuery{Metrics: []string{"revenue"}, GroupBy: []query.GroupBy{{Name: "asked", Expression: "COALESCE(customers.region, " + literal(content) + ")"}}}
		},
		"field": func(content string) *query.MetricQuery {
			return &query.MetricQuery{
				Metrics: []string{"revenue"}, GroupBy: []query.GroupBy{{Field: "customers.asked"}},
				With: []query.LocalField{{Dataset: "customers", Name: "asked", Expression: "region || " + literal(content)}},
			}
		},
		"level of detail": func(content string) *query.MetricQuery {
			return &query.MetricQuery{
				Metrics: []string{"revenue"}, WhereSQL: "customers.asked > 1",
				With: []query.LocalField{{Dataset: "customers", Name: "asked", Expression: "COUNT(order.order_id)", LOD: &query.LocalLOD{Grain: []string{"customer_id"}, Where: "order.group = " + literal(content)}}},
			}
		},
	}
	condition := func(content string) *query.MetricQuery {
		return &query.MetricQuery{Metrics: []string{"revenue"}, WhereSQL: "customers.region = " + literal(content)}
	}
	for _, name := range sqlemit.DialectNames() {
		d, _ := sqlemit.LookupDialect(name)
		base := sqlOf(t, s.planner, d, condition(plain))
		before, after, found := strings.Cut(base, "'"+plain+"'")
		if !found {
			t.Fatalf("%s: %s", name, base)
		}
		for _, content := range attackTexts {
			sql := sqlOf(t, s.planner, d, condition(content))
			printed := strings.TrimSuffix(strings.TrimPrefix(sql, before), after)
			for where, text := range texts {
				want := strings.ReplaceAll(sqlOf(t, s.planner, d, text(plain)), "'"+plain+"'", printed)
				if got := sqlOf(t, s.planner, d, text(content)); got != want {
					t.Errorf("%s, %s, %q:\n%s\nand not\n%s", name, where, content, got, want)
				}
			}
		}
	}
}

// The names that a query gives are words.
func TestQueryTexts_NamesAreWords(t *testing.T) {
	for _, name := range []string{`a"`, "a b", "", "1a", "a-b", "ä", "a.b", "a;b", strings.Repeat("a", 129), "`a`", "a\u0000"} {
		for _, body := range []string{
			`{"metrics":[{"name":NAME,"expression":"SUM(order.amount)"}]}`,
			`{"metrics":["revenue"],"group_by":[{"name":NAME,"expression":"customers.region"}]}`,
			`{"metrics":["revenue"],"with":[{"dataset":"customers","name":NAME,"expression":"region"}]}`,
		} {
			text, err := engine.MarshalWireJSON(name)
			if err != nil {
				t.Fatal(err)
			}
			_, err = query.DecodeMetric([]byte(strings.ReplaceAll(body, "NAME", string(text))))
			var refused *planerr.Error
			if !errors.As(err, &refused) || refused.Code != planerr.CodeBadRequest {
				t.Errorf("%s with %q: %v", body, name, err)
			}
		}
	}
}
