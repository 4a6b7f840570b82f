package engine_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/modelspec/access"
)

// The rules of a reader are conditions on the rows of a rollup where its columns hold what they read. Each case has a rollup, the grants of a reader, a
// query, the rule by which the rollup does not serve it, "" where it does, and the rows that a copy without the forbidden rows gives.
func TestRollupRules_ReadersHaveTheirRowsOfTheTable(t *testing.T) {
	const (
		all       = "orders: {rows: all, fields: all}, people: {rows: all, fields: all}, products: {rows: all, fields: all}, offers: {rows: all, fields: all}"
		total     = `{"metrics":["total"]}`
		byRegion  = `{"metrics":["total"],"group_by":[{"field":"buyer.region"}]}`
		byStatus  = `{"metrics":["total"],"group_by":[{"field":"orders.status"}]}`
		ofProduct = `{"metrics":["total"],"group_by":[{"field":"products.category"}]}`
		category  = `{"field":"products.category","column":"k"}`
		label     = `{"field":"offers.label","column":"l"}`
		both      = status + "," + region
		eastern   = `{"buyer__region":"east","total":220}` + "\n" + `{"buyer__region":null,"total":230}`
	)
	rule := func(dataset, rule string) string {
		return strings.Replace(all, dataset+": {rows: all", dataset+`: {rows: "`+rule+`"`, 1)
	}
	for _, c := range []struct{ groups, measures, more, grants, query, rule, rows string }{
		{status, sums, ``, rule("orders", "status = 'open'"), total, "", `{"total":220}`},
		{status, sums, ``, rule("orders", "status <> 'open' OR status IS NULL"), byStatus, "", `{"status":"Open","total":null}` + "\n" + `{"status":"closed","total":110}` + "\n" + `{"status":null,"total":120}`},
		{status, sums, ``, rule("orders", "amount > 60"), total, "policy", `{"total":370}`},
		{region, sums, ``, rule("orders", "status = 'open'"), byRegion, "policy", `{"buyer__region":"east","total":220}`},
		{region, sums, ``, rule("orders", "buyer.region = 'east'"), total, "", `{"total":220}`},
		{region, sums, ``, rule("orders", "buyer.region IS NULL"), total, "", `{"total":150}`},
		{region, sums, ``, rule("orders", "receiver.region = 'east'"), total, "policy", `{"total":130}`},
		{both, sums, ``, rule("orders", "buyer.region = 'east' AND status = 'open'"), byRegion, "", `{"buyer__region":"east","total":220}`},
		{byMonth, sums, ``, rule("orders", "day >= DATE '2024-02-01'"), total, "policy", `{"total":230}`},
		// A row of people that the rule forbids is a missing one, and its orders stay.
		{region, sums, ``, rule("people", "region = 'east'"), byRegion, "", eastern},
		{region, sums, ``, rule("people", "region = 'east'"), total, "", `{"total":450}`},
		{region, sums, ``, rule("people", "region = 'east'"), `{"metrics":["total"],"where_sql":"buyer.region IS NULL"}`, "", `{"total":230}`},
		{region, sums, ``, rule("people", "region IS NULL"), byRegion, "", `{"buyer__region":null,"total":450}`},
		{region, sums, ``, rule("people", "person_id = 1"), byRegion, "policy", eastern},
		{region, sums, ``, rule("people", "person_id = 1"), total, "", `{"total":450}`},
		{region + `,{"field":"buyer.person_id","column":"p"}`, sums, ``, rule("people", "person_id = 1"), byRegion, "", eastern},
		{buyerID, sums, ``, rule("people", "person_id = 1"), byRegion, "", eastern}, // joined, under its rule
		{region + "," + buyerID, sums, ``, rule("people", "person_id = 1"), byRegion, "policy", eastern},
		{region + `,{"field":"receiver.person_id","column":"p"}`, sums, ``, rule("people", "region = 'east'"), `{"metrics":["total"],"group_by":[{"field":"receiver.person_id"}]}`, "policy", `{"receiver__person_id":1,"total":130}` + "\n" + `{"receiver__person_id":null,"total":320}`},
		{label, sums, ``, rule("offers", "label = 'low'"), `{"metrics":["total"],"group_by":[{"field":"offers.label"}]}`, "policy", `{"label":"low","total":230}` + "\n" + `{"label":null,"total":220}`},
		{`{"field":"orders.buyer_region","column":"b"}`, sums, ``, rule("people", "region = 'east'"), `{"metrics":["total"],"group_by":[{"field":"orders.buyer_region"}]}`, "policy", `{"buyer_region":"east","total":220}` + "\n" + `{"buyer_region":null,"total":230}`},
		{`{"field":"orders.buyer_region","column":"b"}`, sums, ``, rule("people", "region = 'east'"), total, "", `{"total":450}`},
		// Two groups of the table are one for the reader.
		{region, sums + `,{"expression":"COUNT(DISTINCT orders.buyer_id)","column":"d"}`, ``, rule("people", "region = 'east'"), `{"metrics":["buyers"],"group_by":[{"field":"buyer.region"}]}`, "policy", `{"buyer__region":"east","buyers":1}` + "\n" + `{"buyer__region":null,"buyers":2}`},
		{status, sums + `,{"expression":"COUNT(DISTINCT orders.buyer_id)","column":"d"}`, ``, rule("orders", "status = 'open'"), `{"metrics":["buyers"],"group_by":[{"field":"orders.status"}]}`, "", `{"status":"open","buyers":1}`},
		// An INNER relationship drops the orders of a forbidden product.
		{category, sums, ``, rule("products", "category = 'books'"), ofProduct, "", `{"category":"books","total":180}`},
		{category, sums, ``, rule("products", "product_id = 10"), ofProduct, "policy", `{"category":"books","total":180}`},
		{category + "," + status, sums, ``, rule("products", "category = 'toys'"), `{"metrics":["total"],"group_by":[{"field":"products.category"},{"field":"orders.status"}]}`, "", `{"category":"toys","status":"open","total":120}`},
		{region, sums, `,"where":"buyer.region = 'east'"`, rule("people", "region IS NULL"), `{"metrics":["total"],"where_sql":"buyer.region = 'east'"}`, "policy", `{"total":null}`},
		// No condition is computed on a value that the reader does not see.
		{status, sums, ``, rule("orders", "status = '7'"), `{"metrics":["total"],"where_sql":"CAST(orders.status AS INTEGER) > 5"}`, "", `{"total":null}`},
		{region, sums, ``, rule("people", "region IS NULL"), `{"metrics":["total"],"where_sql":"CAST(buyer.region AS INTEGER) > 5"}`, "", `{"total":null}`},
		{status, sums, ``, strings.Replace(all, "fields: all", `fields: all, mask: {status: "'x'"}`, 1), byStatus, "policy", `{"status":"x","total":450}`},
		{status, sums, ``, strings.Replace(all, "fields: all", `fields: all, mask: {status: "'x'"}`, 1), total, "", `{"total":450}`},
		{status, sums, ``, strings.Replace(all, "rows: all, fields: all", `rows: "status = 'open'", fields: all, mask: {status: "'x'"}`, 1), total, "", `{"total":220}`},
	} {
		rows, problem := checkRuleForReader(t, c.groups, c.measures, c.more, c.grants, c.query, c.rule)
		want := strings.Split(c.rows, "\n")
		slices.Sort(want)
		if problem != "" || !slices.Equal(rows, want) {
			t.Errorf("[%s] %s\n%s\n%s\n%v\nwant\n%v\n%s", c.groups, c.more, c.grants, c.query, rows, want, problem)
		}
	}
}

// A report names the dataset whose rule a rollup cannot have, and nothing of the rule. A plan shows the rule.
func TestRollups_ReportsForReadersRepeatNoRule(t *testing.T) {
	const policies = `version: 1
roles:
  other: {datasets: {orders: {rows: "amount > 61", fields: all}}, metrics: all}
  shown: {datasets: {orders: {rows: "status = 'cancelled'", fields: all}}, metrics: all, sql: true}
`
	e := rolledShop(t, engine.Config{PoliciesPath: "policies.yaml", PoliciesText: []byte(policies)}, byStatus+"}", poisoned)
	reader := func(role string) *engine.Reader {
		r, err := e.AsClaims(t.Context(), access.Claims{Name: role, Roles: []string{role}})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	got, err := askRows(t.Context(), reader("other"), metricQuery(t, revenueBody))
	if err != nil || string(got.Rows) != `[{"revenue":370}]` {
		t.Fatalf("%+v, %v", got, err)
	}
	if why := got.Rollups[0].WhyNot[0]; why.Rule != "policy" || why.Subject != "orders" || strings.Contains(why.Message, "61") || strings.Contains(why.Message, "amount") {
		t.Errorf("%+v", why)
	}
	s, err := reader("shown").Prepare(t.Context(), metricQuery(t, revenueBody))
	if err != nil {
		t.Fatal(err)
	}
	x, err := s.Explain(t.Context())
	if err != nil || !strings.Contains(x.Plan, "policy orders") || !strings.Contains(x.Plan, "Scan rollup by_status") {
		t.Errorf("%+v, %v", x, err)
	}
}
