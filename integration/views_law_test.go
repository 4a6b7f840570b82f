package integration_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/integration/internal/corpus"
	"github.com/semlayer/semlayer/integration/internal/floor"
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/planner"
	"github.com/semlayer/semlayer/planner/query"
	"github.com/semlayer/semlayer/sqlemit"
)

// wholeViews returns a copy of a catalog with two views of everything: one that lists nothing, and one that lists all.
func wholeViews(cat *catalog.Catalog) (*catalog.Catalog, []string) {
	out := *cat
	out.Views = slices.Clone(cat.Views)
	var fields []catalog.ViewField
	for _, f := range cat.Fields {
		fields = append(fields, catalog.ViewField{Field: f})
	}
	out.AddView(&catalog.View{Name: "law_whole", Metrics: cat.Metrics, Fields: fields, AllFields: true, AllJoins: true})
	out.AddView(&catalog.View{Name: "law_listed", Metrics: cat.Metrics, Fields: fields, Joins: cat.Relationships})
	return &out, []string{"law_whole", "law_listed"}
}

// statementInView returns the SQL of a case in a view; that of the whole model for "".
func statementInView(t *testing.T, p *planner.Planner, c *corpus.Case, view string) string {
	t.Helper()
	d, _ := sqlemit.LookupDialect("duckdb")
	target := planner.Target{Dialect: d.Name(), Caps: d.Capabilities()}
	var planned *planner.Planned
	var err error
	if c.IsDetail() {
		var q *query.DetailQuery
		if q, err = query.DecodeDetail([]byte(c.QueryJSON())); err == nil {
			q.View = view
			planned, err = p.PlanDetail(t.Context(), q, target)
		}
	} else {
		var q *query.MetricQuery
		if q, err = query.DecodeMetric([]byte(c.QueryJSON())); err == nil {
			q.View = view
			planned, err = p.PlanMetrics(t.Context(), q, target)
		}
	}
	if err != nil {
		t.Fatal(c.Name, view, err)
	}
	text, err := sqlemit.Emit(t.Context(), planned.Root, d, sqlemit.FormatOptions{})
	if err != nil {
		t.Fatal(c.Name, view, err)
	}
	return text
}

// A view of everything is the model: each case has the same SQL in it, byte for byte.
func TestLaw_AViewOfEverythingIsTheModel(t *testing.T) {
	compared := 0
	for _, c := range cases(t) {
		if c.ExpectsError() || c.Fixture == "market" {
			continue
		}
		var asked struct {
			View string `json:"view"`
			AsOf string `json:"as_of"`
		}
		if err := json.Unmarshal([]byte(c.QueryJSON()), &asked); err != nil {
			t.Fatal(c.Name, err)
		}
		if asked.View != "" && asked.AsOf != "" {
			continue // as_of may be the time of the view's own range, which no other view has
		}
		c.RunSubtest(t, func(t *testing.T) {
			cat, views := wholeViews(subjectOf(t, c).catalog)
			p := planner.New(cat)
			want := statementInView(t, p, c, "")
			for _, view := range views {
				if got := statementInView(t, p, c, view); got != want {
					t.Errorf("in %s:\n%s\nwant:\n%s", view, got, want)
				}
			}
			compared++
		})
	}
	floor.CheckCount(t, "compared", compared, 1200)
}

// A query in a view is the query of the model in which the paths of names, and the conditions that act, are written out.
func TestLaw_AQueryInAViewIsItsExpansion(t *testing.T) {
	const sales, range2024 = "orders.status <> 'cancelled'", `"time_range":{"dimension":"metric_time","start":"2024-01-01","end":"2025-01-01"}`
	pairs := []struct{ inView, written, alias string }{
		{`{"view":"sales","metrics":["revenue"],"group_by":[{"field":"people.region"}]}`,
			`{"metrics":["revenue"],"group_by":[{"field":"seller.region","name":"region"}],"context_filter":"` + sales + `","where_sql":"orders.channel <> 'test' AND shops.city <> 'Nowhere'",` + range2024 + `}`, "seller"},
		{`{"view":"sales","metrics":["revenue"],"group_by":[{"field":"name"}],"where_sql":"channel <> 'web' AND region = 'south'"}`,
			`{"metrics":["revenue"],"group_by":[{"field":"buyer.name"}],"context_filter":"` + sales + `","where_sql":"orders.channel <> 'web' AND seller.region = 'south' AND shops.city <> 'Nowhere'",` + range2024 + `}`, "seller"},
		{`{"view":"sales","metrics":["revenue","order_count"],"context_filter":"city = 'Rome'","totals":[[]],"group_by":[{"field":"channel"}],"time_range":{"start":"2023-01-01","end":"2024-01-01"}}`,
			`{"metrics":["revenue","order_count"],"context_filter":"` + sales + ` AND shops.city = 'Rome'","where_sql":"orders.channel <> 'test'","totals":[[]],"group_by":[{"field":"orders.channel"}],"time_range":{"start":"2023-01-01","end":"2024-01-01"}}`, ""},
		{`{"view":"sales","defaults":false,"metrics":["revenue"],"group_by":[{"field":"day","grain":"month"}],"compare":{"offset":{"count":1,"unit":"month"}},"time_range":{"start":"2024-01-01","end":"2024-03-01"}}`,
			`{"metrics":["revenue"],"group_by":[{"field":"orders.day","grain":"month"}],"context_filter":"` + sales + `","compare":{"offset":{"count":1,"unit":"month"}},"time_range":{"start":"2024-01-01","end":"2024-03-01"}}`, ""},
		{`{"view":"clients","metrics":["revenue"],"group_by":[{"field":"name"}],"top":{"dimension":"name","n":1}}`,
			`{"metrics":["revenue"],"group_by":[{"field":"buyer.name","name":"name"}],"context_filter":"` + sales + `","top":{"dimension":"name","n":1}}`, "buyer"},
		{`{"view":"sales","metrics":["visitors"],"where_sql":"city <> 'Oslo'"}`,
			`{"metrics":["visitors"],"where_sql":"shops.city <> 'Oslo'",` + range2024 + `}`, ""},
	}
	var market *corpus.Case
	for _, c := range cases(t) {
		if c.Fixture == "market" {
			market = c
		}
	}
	p := subjectOf(t, market).planner
	d, _ := sqlemit.LookupDialect("duckdb")
	emit := func(body string) string {
		q, err := query.DecodeMetric([]byte(body))
		if err != nil {
			t.Fatal(err)
		}
		planned, err := p.PlanMetrics(t.Context(), q, planner.Target{Dialect: d.Name(), Caps: d.Capabilities()})
		if err != nil {
			t.Fatal(body, err)
		}
		text, err := sqlemit.Emit(t.Context(), planned.Root, d, sqlemit.FormatOptions{})
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	for _, pair := range pairs {
		want := emit(pair.written)
		if pair.alias != "" { // a path that a query names gives its table the name of the relationship
			want = strings.ReplaceAll(want, `"`+pair.alias+`"`, `"people"`)
		}
		if got := emit(pair.inView); got != want {
			t.Errorf("%s\n%s\nwant\n%s", pair.inView, got, want)
		}
	}
}

// What a query in a view accepts are members of the view, by names that it takes.
func TestViews_AcceptTheirMembers(t *testing.T) {
	var market *corpus.Case
	for _, c := range cases(t) {
		if c.Fixture == "market" {
			market = c
		}
	}
	d, _ := sqlemit.LookupDialect("duckdb")
	fits, err := subjectOf(t, market).planner.FindCompatibleItems(t.Context(), &query.MetricQuery{View: "sales", Metrics: []string{"revenue"}}, planner.Target{Dialect: d.Name(), Caps: d.Capabilities()})
	if err != nil {
		t.Fatal(err)
	}
	var metrics, dimensions []string
	for _, m := range fits.Metrics {
		metrics = append(metrics, m.Name)
	}
	for _, dim := range fits.Dimensions {
		dimensions = append(dimensions, dim.Name)
	}
	if want := []string{"order_count", "visitors", "shop_count", "of_all_cities", "city_mean"}; !slices.Equal(metrics, want) {
		t.Errorf("metrics %v, want %v", metrics, want)
	}
	if want := []string{"metric_time", "buyer.name", "people.region", "shops.city", "orders.day", "orders.channel"}; !slices.Equal(dimensions, want) {
		t.Errorf("dimensions %v, want %v", dimensions, want)
	}
}
