package engine_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/modelspec/access"
	"github.com/semlayer/semlayer/planner/query"
)

// Columns of rollups, as a declaration has them.
const (
	byMonth   = `{"field":"orders.day","grain":"month","column":"month"}`
	byWeek    = `{"field":"orders.day","grain":"week","column":"week"}`
	byDay     = `{"field":"orders.day","grain":"day","column":"day"}`
	atDay     = `{"field":"orders.made","grain":"day","column":"at_day"}`
	status    = `{"field":"orders.status","column":"status"}`
	buyerID   = `{"field":"orders.buyer_id","column":"buyer_id"}`
	region    = `{"field":"buyer.region","column":"region"}`
	category  = `{"field":"products.category","column":"category"}`
	sums      = `{"expression":"SUM(orders.amount)","column":"a"},{"expression":"COUNT(*)","column":"n"}`
	openOnly  = `,"where":"orders.status = 'open'"`
	since2024 = `,"where":"orders.day >= DATE '2024-02-01'"`
)

// Each case has a rollup, a query, and the rule by which the rollup does not serve it; "" where it does. The rows are those without rollups in any
// case.
func TestRollupRules_EachIsTheFirstThatFails(t *testing.T) {
	for _, c := range []struct{ groups, measures, more, query, rule string }{
		{byMonth, sums, `,"connections":["dw"]`, `{"metrics":["total"]}`, "connection"},
		{status, sums, ``, `{"metrics":["total"],"group_by":[{"field":"buyer.spent"}]}`, "lod_field"},
		{status, sums, ``, `{"metrics":["total"],"where_sql":"buyer.spent > 100"}`, "lod_field"},
		{status, sums, ``, `{"metrics":[{"name":"x","expression":"SUM(orders.amount * buyer.spent)"}]}`, "lod_field"},
		{status, sums, ``, `{"metrics":["ids"]}`, "measure"}, // COUNT(*) is not COUNT(x)
		{status, sums + `,{"expression":"COUNT(orders.buyer_id)","column":"i"}`, ``, `{"metrics":["ids"]}`, ""},
		{status, sums, ``, `{"metrics":["mean"]}`, "measure"},
		{status, sums + `,{"expression":"AVG(orders.amount)","column":"m"}`, ``, `{"metrics":["mean"]}`, "same_groups"},
		{status, sums + `,{"expression":"COUNT(orders.amount)","column":"c"}`, ``, `{"metrics":["mean"]}`, ""},
		{status, sums + `,{"expression":"MIN(orders.amount)","column":"l"}`, ``, `{"metrics":["least"]}`, ""},
		{status, sums + `,{"expression":"COUNT(DISTINCT orders.buyer_id)","column":"d"}`, ``, `{"metrics":["buyers"]}`, "same_groups"},
		{status, sums + `,{"expression":"COUNT(DISTINCT orders.buyer_id)","column":"d"}`, ``, `{"metrics":["buyers"],"group_by":[{"field":"orders.status"}]}`, ""},
		{status, sums + `,{"expression":"COUNT(DISTINCT orders.buyer_id)","column":"d"}`, ``, `{"metrics":["buyers"],"where_sql":"orders.status = 'open'"}`, "same_groups"},
		{status, sums + `,{"expression":"COUNT(DISTINCT orders.buyer_id)","column":"d"}`, ``, `{"metrics":["buyers"],"group_by":[{"field":"orders.status"}],"totals":[[]]}`, "same_groups"},
		{byWeek, sums + `,{"expression":"MEDIAN(orders.amount)","column":"d"}`, ``, `{"metrics":["middle"],"group_by":[{"field":"orders.day","grain":"week"}]}`, ""},
		{byMonth, sums + `,{"expression":"MEDIAN(orders.amount)","column":"d"}`, ``, `{"metrics":["middle"],"group_by":[{"field":"orders.day","grain":"quarter"}]}`, "same_groups"},
		{buyerID, sums, ``, `{"metrics":["buyers"]}`, ""},
		{status, sums, ``, `{"metrics":["open_total"]}`, ""},
		{byMonth, sums, ``, `{"metrics":["open_total"]}`, "measure"},
		{status, sums, ``, `{"metrics":["open_or_zero"]}`, "measure"},
		{status, sums, ``, `{"metrics":["doubled"]}`, "measure"},
		{status, sums, ``, `{"metrics":["total"],"group_by":[{"field":"buyer.region"}]}`, "group_by"},
		{region, sums, ``, `{"metrics":["total"],"group_by":[{"field":"receiver.region"}]}`, "group_by"}, // another path
		{region, sums, ``, `{"metrics":["total"],"group_by":[{"field":"buyer.region"}]}`, ""},
		{buyerID, sums, ``, `{"metrics":["total"],"group_by":[{"field":"buyer.region"}]}`, ""},
		{buyerID, sums, ``, `{"metrics":["total"],"group_by":[{"field":"receiver.region"}]}`, "group_by"},
		{buyerID, sums, ``, `{"metrics":["total"],"group_by":[{"field":"buyer.place.manager"}]}`, ""},
		{region, sums, ``, `{"metrics":["total"],"group_by":[{"field":"buyer.place.manager"}]}`, ""}, // joined by the key of the second edge
		{region, sums, ``, `{"metrics":["total"],"where_sql":"buyer.place.manager = 'Ada'"}`, ""},
		{region, sums, ``, `{"metrics":["total"],"group_by":[{"field":"receiver.place.manager"}]}`, "group_by"},
		{byMonth, sums, ``, `{"metrics":["total"],"group_by":[{"field":"orders.day","grain":"quarter"}]}`, ""},
		{byMonth, sums, ``, `{"metrics":["total"],"group_by":[{"field":"orders.day","grain":"week"}]}`, "grain"},
		{byMonth, sums, ``, `{"metrics":["total"],"group_by":[{"field":"orders.day"}]}`, "grain"},
		{byMonth, sums, ``, `{"metrics":["total"],"group_by":[{"field":"orders.day","part":"month_of_year"}]}`, ""},
		{byMonth, sums, ``, `{"metrics":["total"],"group_by":[{"field":"orders.day","part":"day_of_week"}]}`, "grain"},
		{byWeek, sums, ``, `{"metrics":["total"],"group_by":[{"field":"orders.day","grain":"month"}]}`, "grain"},
		{byWeek, sums, ``, `{"metrics":["total"],"group_by":[{"field":"orders.day","grain":"week"}],"week_start":"sunday"}`, "grain"},
		{byDay, sums, ``, `{"metrics":["total"],"group_by":[{"field":"orders.day","grain":"week"}],"week_start":"sunday"}`, ""},
		{byDay, sums, ``, `{"metrics":["total"],"group_by":[{"field":"orders.day"}]}`, ""},       // the values of a Date
		{atDay, sums, ``, `{"metrics":["total"],"group_by":[{"field":"orders.made"}]}`, "grain"}, // but not of a DateTime
		{atDay, sums, ``, `{"metrics":["total"],"where_sql":"EXTRACT(HOUR FROM orders.made) > 9"}`, "filter"},
		{byMonth, sums, ``, `{"metrics":["total"],"where_sql":"orders.status = 'open'"}`, "filter"},
		{byMonth, sums, ``, `{"metrics":["total"],"context_filter":"orders.status = 'open'"}`, "filter"},
		{status, sums, ``, `{"metrics":["total"],"where_sql":"orders.status IS NULL OR orders.status <> 'open'"}`, ""},
		{status, sums, ``, `{"metrics":["total"],"time_range":{"start":"2024-02-01"}}`, "range_field"},
		{byMonth, sums, ``, `{"metrics":["total"],"time_range":{"start":"2024-02-01","end":"2024-03-01"}}`, ""},
		{byMonth, sums, ``, `{"metrics":["total"],"time_range":{"start":"2024-02-02","end":"2024-03-01"}}`, "range_edge"},
		{byMonth, sums, ``, `{"metrics":["total"],"time_range":{"start":"2024-02-01","end":"2024-02-29"}}`, "range_edge"},
		{byMonth, sums, ``, `{"metrics":["total"],"time_ranges":{"a":{"start":"2024-01-01","end":"2024-02-01"},"b":{"start":"2024-02-01","end":"2024-02-20"}}}`, "range_edge"},
		{byMonth, sums, ``, `{"metrics":["total"],"where_sql":"orders.day >= DATE '2024-02-10'"}`, "range_edge"},
		{byMonth, sums, ``, `{"metrics":["total"],"where_sql":"orders.day < DATE '2024-02-01'"}`, ""},
		{byMonth, sums, ``, `{"metrics":["running"],"group_by":[{"field":"metric_time","grain":"quarter"}],"time_range":{"start":"2024-01-01","end":"2025-01-01"}}`, ""},
		{byMonth, sums, ``, `{"metrics":["rolling"],"group_by":[{"field":"metric_time","grain":"month"}],"time_range":{"start":"2024-02-01","end":"2024-02-10"}}`, "range_edge"},
		{byMonth, sums, ``, `{"metrics":["rolling"],"group_by":[{"field":"metric_time","grain":"month"}],"where_sql":"orders.day >= DATE '2024-02-10'"}`, "range_edge"},
		{byMonth, sums, ``, `{"metrics":["rolling"],"group_by":[{"field":"metric_time","grain":"month"}],"where_sql":"orders.day >= DATE '2024-02-01'"}`, ""},
		{byDay, sums, openOnly, `{"metrics":["total"]}`, "where"},
		{byDay, sums, openOnly, `{"metrics":["total"],"where_sql":"orders.status = 'open'"}`, ""}, // whose field is not stored
		{byDay, sums, openOnly, `{"metrics":["total"],"where_sql":"'open' = orders.status AND orders.day > DATE '2024-01-10'"}`, ""},
		{status, sums, openOnly, `{"metrics":["total"],"where_sql":"orders.status = 'open' OR orders.status = 'closed'"}`, "where"},
		{status, sums, openOnly, `{"metrics":["open_total"]}`, "where"},
		{byDay, sums, since2024, `{"metrics":["total"],"time_range":{"start":"2024-02-01"}}`, ""},
		{byDay, sums, since2024, `{"metrics":["total"],"time_range":{"start":"2024-01-31"}}`, "where"},
		{byDay, sums, since2024, `{"metrics":["total"],"time_ranges":{"a":{"start":"2024-02-01"},"b":{"start":"2024-01-01"}}}`, "where"},
		{byDay, sums, since2024, `{"metrics":["running"],"group_by":[{"field":"metric_time","grain":"month"}],"time_range":{"start":"2024-02-01"}}`, "where"},
		{status + "," + category, sums, ``, `{"metrics":["total"],"group_by":[{"field":"orders.status"}]}`, "inner_join"},
		{status + "," + category, sums, ``, `{"metrics":["total"],"group_by":[{"field":"orders.status"},{"field":"products.category"}]}`, ""},
		{`{"field":"orders.product_id","column":"p"}`, sums, ``, `{"metrics":["total"],"group_by":[{"field":"products.category"}]}`, ""}, // joined back, INNER
		{status, sums, `,"store":"local"`, `{"metrics":["total"]}`, "local"},
		{status, sums, ``, `{"metrics":["total"],"max_age":9}`, "max_age"},
		{`{"field":"products.category","column":"c"}`, `{"expression":"MIN(products.product_id)","column":"m"}`, ``, `{"metrics":["first_product"],"group_by":[{"field":"orders.status"}]}`, "fanned"},
		{status, sums + `,{"expression":"COUNT(orders.buyer_id)","column":"i"}`, ``, `{"metrics":["ids"],"where_sql":"orders.status = 'lost'"}`, ""},
		{status, ``, ``, `{"distinct":true,"from":"orders","group_by":[{"field":"orders.status"}]}`, ""},
	} {
		if problem := checkRule(t, c.groups, c.measures, c.more, c.query, c.rule); problem != "" {
			t.Errorf("[%s] [%s] %s\n%s\n%s", c.groups, c.measures, c.more, c.query, problem)
		}
	}
}

// EXPLAIN has one line for each candidate that failed, under a branch that another one serves, too.
func TestRollupRules_ExplainNamesThoseThatFail(t *testing.T) {
	e := rolledShop(t, engine.Config{}, byStatus+`},{"name":"by_month","of":"orders","group_by":[{"field":"orders.order_date","grain":"month"}],"measures":[{"expression":"SUM(orders.amount)"}]}`, poisoned)
	for _, body := range []string{`{"metrics":["revenue"],"group_by":[{"field":"orders.status"}]}`, `{"metrics":["revenue"],"group_by":[{"field":"orders.status"}],"where_sql":"orders.customer_id = 1"}`} {
		s, err := e.Prepare(t.Context(), metricQuery(t, body))
		if err != nil {
			t.Fatal(err)
		}
		x, err := s.Explain(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		served := !strings.Contains(body, "where_sql")
		if strings.Contains(x.Plan, "Scan rollup by_status") != served || strings.Contains(x.Plan, "not by_status: filter (") == served || !strings.Contains(x.Plan, "not by_month: group_by (") {
			t.Errorf("%s\n%s", body, x.Plan)
		}
	}
}

// checkRule returns how the rows of a query with a rollup, or the rule by which that does not serve it, are not the expected ones.
func checkRule(t *testing.T, groups, measures, more, body, rule string) string {
	t.Helper()
	_, problem := checkRuleForReader(t, groups, measures, more, "", body, rule)
	return problem
}

// checkRuleForReader does for a reader with grants of datasets, or without policies for "", what checkRule does. It returns the rows, sorted, too.
func checkRuleForReader(t *testing.T, groups, measures, more, grants, body, rule string) (rows []string, problem string) {
	t.Helper()
	model := read(t, "testdata/rolled.yaml")
	at := strings.Index(model, "    datasets:")
	of := "orders"
	if strings.Contains(measures, "products.") {
		of = "products"
	}
	text := `{"v": "1.10", "rollups": [{"name": "r", "of": "` + of + `", "group_by": [` + groups + `], "measures": [` + measures + `]` + more + `}]}`
	c := engine.Config{
		ModelText: []byte(model[:at] + "    custom_extensions: [{vendor_name: SEMLAYER, data: '" + strings.ReplaceAll(text, "'", "''") + "'}]\n" + model[at:]),
		Setup:     []string{read(t, "testdata/rolled.sql")},
	}
	sql, err := open(t, c).RollupSQL(t.Context(), engine.RollupDefinition{Name: "r"})
	if err != nil {
		return nil, err.Error()
	}
	c.Setup = append(c.Setup, sql)
	if grants != "" {
		c.PoliciesPath, c.PoliciesText = "policies.yaml", []byte("version: 1\nroles: {r: {datasets: {"+grants+"}, metrics: all, sql: true}}")
		c.As = &access.Claims{Name: "reader", Roles: []string{"r"}}
	}
	e := open(t, c)
	rowsOf := func(choice query.Rollups) (*engine.Result, []string, error) {
		q := metricQuery(t, body)
		q.Rollups = &choice
		result, err := askRows(t.Context(), e, q)
		if err != nil {
			return nil, nil, err
		}
		var rows []json.RawMessage
		if err := json.Unmarshal(result.Rows, &rows); err != nil {
			return nil, nil, err
		}
		var out []string
		for _, r := range rows {
			out = append(out, string(r))
		}
		slices.Sort(out)
		return result, out, nil
	}
	_, want, err := rowsOf(query.RollupsOff)
	if err != nil {
		return nil, err.Error()
	}
	got, rows, err := rowsOf(query.RollupsAllowed)
	if err != nil {
		return nil, err.Error()
	}
	found := ""
	for _, use := range got.Rollups {
		switch {
		case use.Rollup != nil:
		case len(use.WhyNot) > 0:
			found = use.WhyNot[0].Rule
		case use.Home == of:
			found = "no rule"
		}
	}
	if len(got.Rollups) == 0 || found != rule || !slices.Equal(rows, want) {
		return rows, fmt.Sprintf("rule %q, want %q\n%v\nwant\n%v\n%s", found, rule, rows, want, got.SQL)
	}
	return rows, ""
}
