package lookml_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/compile"
	"github.com/semlayer/semlayer/modelspec/importer"
)

const voyages = `
view: voyages {
  set: short { fields: [voyage_id, sailed_date, cargo_total] }
  dimension: voyage_id { primary_key: yes type: number }
  dimension: ship_id { type: number hidden: yes }
  dimension: origin_id { type: number }
  dimension: target_id { type: number }
  dimension: kind {}
  dimension_group: sailed { type: time timeframes: [date, month] }
  measure: cargo_total { type: sum sql: ${TABLE}.cargo ;; }
  measure: voyage_count { type: count }
  measure: secret_count { type: count hidden: yes }
}
view: ships {
  dimension: ship_id { primary_key: yes type: number }
  dimension: flag {}
  dimension: class { sql: COALESCE(${TABLE}.class, 'none') ;; }
}
view: harbours {
  dimension: harbour_id { primary_key: yes type: number }
  dimension: country {}
  dimension: region_id { type: number }
}
view: regions {
  dimension: region_id { primary_key: yes type: number }
  dimension: name {}
}
`

// viewsOf compiles an imported model and returns its views.
func viewsOf(t *testing.T, r *importer.Result) map[string]*catalog.View {
	t.Helper()
	doc, err := modelspec.Parse(r.Model)
	if err != nil {
		t.Fatal(err)
	}
	cat, err := compile.Compile(t.Context(), doc, compile.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range cat.Errors {
		t.Errorf("%v in\n%s", e, r.Model)
	}
	out := map[string]*catalog.View{}
	for _, v := range cat.Views {
		out[v.Name] = v
	}
	return out
}

// membersOf lists the metrics, the fields and the joins of a view.
func membersOf(v *catalog.View) (metrics, fields, joins []string) {
	for _, m := range v.Metrics {
		metrics = append(metrics, m.Name)
	}
	for _, f := range v.Fields {
		fields = append(fields, f.Text())
	}
	for _, r := range v.Joins {
		joins = append(joins, r.Name)
	}
	return metrics, fields, joins
}

// An explore becomes a view with the fields that its joins lead to, a role under the name of its join.
func TestRead_ExploresAreViews(t *testing.T) {
	r, err := settle(t, voyages+`
explore: voyages {
  label: "Trade" description: "Voyages with cargo." group_label: "Sea" hidden: yes
  sql_always_where: ${kind} <> 'drill' AND (${ships.flag} = 'no' OR ${voyages.sailed_date} > DATE '2024-01-31') ;;
  always_filter: { filters: [voyages.kind: "bulk, tank", origin.country: "-NULL"] }
  join: ships { relationship: many_to_one sql_on: ${voyages.ship_id} = ${ships.ship_id} ;; fields: [ships.flag] }
  join: origin { from: harbours relationship: many_to_one sql_on: ${voyages.origin_id} = ${origin.harbour_id} ;; }
  join: target { from: harbours relationship: many_to_one sql_on: ${voyages.target_id} = ${target.harbour_id} ;; }
  join: regions { relationship: many_to_one sql_on: ${origin.region_id} = ${regions.region_id} ;; }
}
explore: cargo { view_name: voyages fields: [ALL_FIELDS*, -voyages.voyage_count, -voyages.kind] }
explore: short_list { from: voyages fields: [short*, -voyage_id] }
`)
	if err != nil {
		t.Fatal(err)
	}
	views := viewsOf(t, r)
	v := views["voyages_explore"]
	if len(views) != 3 || v == nil {
		t.Fatalf("%v in\n%s", views, r.Model)
	}
	metrics, fields, joins := membersOf(v)
	wantFields := []string{
		"voyages.voyage_id", "voyages.ship_id", "voyages.origin_id", "voyages.target_id", "voyages.kind", "voyages.sailed", "voyages.cargo", "ships.flag",
		"origin.harbour_id", "origin.country", "origin.region_id", "target.harbour_id", "target.country", "target.region_id", "regions.region_id", "regions.name",
	}
	if diff := cmp.Diff([]string{"cargo_total", "voyage_count"}, metrics) + cmp.Diff(wantFields, fields) + cmp.Diff([]string{"voyages_ships", "origin", "harbours_regions"}, joins); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	if v.Label != "Trade" || v.Description != "Voyages with cargo." || !cmp.Equal(v.AIContext, any(map[string]any{"group_label": "Sea"})) {
		t.Errorf("%+v", v)
	}
	if want := "voyages.kind <> 'drill' AND (ships.flag = 'no' OR CAST(voyages.sailed AS DATE) > DATE '2024-01-31')"; v.Where.Text != want {
		t.Errorf("where %s, want %s", v.Where.Text, want)
	}
	var filters []string
	for _, f := range v.Filters {
		filters = append(filters, f.Text)
	}
	if diff := cmp.Diff([]string{"voyages.kind IN ('bulk', 'tank')", "origin.country IS NOT NULL"}, filters); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}

	metrics, fields, _ = membersOf(views["cargo"])
	if !slices.Equal(metrics, []string{"cargo_total"}) || !slices.Equal(fields, []string{"voyages.voyage_id", "voyages.ship_id", "voyages.origin_id", "voyages.target_id", "voyages.sailed"}) {
		t.Errorf("%v %v", metrics, fields)
	}
	metrics, fields, _ = membersOf(views["short_list"])
	if !slices.Equal(metrics, []string{"cargo_total"}) || !slices.Equal(fields, []string{"voyages.sailed"}) {
		t.Errorf("%v %v", metrics, fields)
	}
	want := []string{
		"presentation set voyages.short: it is presentation",
		"approximated dimension ships.class: a row without a match in ships has no value, and in Looker the value of its SQL over nulls",
		"presentation hidden voyages: every view of a model is in its lists",
		"approximated fields short_list: it leaves out timeframes of short_list.sailed, and a query here may have every grain",
	}
	if diff := cmp.Diff(want, losses(r)); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

// Labels of views and groups become folders of the view: the label of a member comes before that of a join, and that before that of the view.
func TestRead_LabelsOfGroupsAreFolders(t *testing.T) {
	r, err := settle(t, voyages+`
view: +voyages {
  dimension: kind { group_label: "Freight" }
  dimension: ship_id { view_label: "Vessels" group_label: "Keys" hidden: yes }
  measure: cargo_total { group_label: "Freight" view_label: "Sums" }
}
explore: trade {
  from: voyages
  join: ships { view_label: "Vessels" relationship: many_to_one sql_on: ${trade.ship_id} = ${ships.ship_id} ;; fields: [ships.flag] }
}
`)
	if err != nil {
		t.Fatal(err)
	}
	want := []catalog.ViewFolder{
		{Name: "trade", Items: []string{}, Folders: []catalog.ViewFolder{{Name: "Freight", Items: []string{"voyages.kind"}}}},
		{Name: "Sums", Items: []string{}, Folders: []catalog.ViewFolder{{Name: "Freight", Items: []string{"cargo_total"}}}},
		{Name: "Vessels", Items: []string{"ships.flag"}},
	}
	if diff := cmp.Diff(want, viewsOf(t, r)["trade"].Folders, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

// What a view cannot have is an entry with its reason, and the view has the rest.
func TestRead_ReportsWhatViewsOfExploresLack(t *testing.T) {
	const joinShips = "join: ships { relationship: many_to_one sql_on: ${voyages.ship_id} = ${ships.ship_id} ;; } }"
	for _, c := range []struct{ explore, want string }{
		{"explore: voyages { sql_always_where: ${ships.class} = 'none' ;; " + joinShips,
			"dropped sql_always_where voyages: in Looker each query of the explore has the condition; it names ships.class, which has a value in Looker where no row of ships matches"},
		{"explore: voyages { sql_always_where: ${sailed_month} = '2024-01' ;; }",
			"dropped sql_always_where voyages: in Looker each query of the explore has the condition; its condition names the timeframe month of voyages.sailed, which has no expression here"},
		{"explore: voyages { sql_always_where: SUM(${origin_id}) > 1 ;; }",
			"dropped sql_always_where voyages: in Looker each query of the explore has the condition; its condition has an aggregate"},
		{"explore: voyages { sql_always_where: voyages.kind = 'a' ;; }",
			"dropped sql_always_where voyages: in Looker each query of the explore has the condition; its condition names the column voyages.kind, and not a field"},
		{"explore: voyages { sql_always_where: ${kind} = ;; }", "dropped sql_always_where voyages"},
		{`explore: voyages { always_filter: { filters: { field: voyages.voyage_count value: ">5" } } }`,
			"dropped always_filter voyages: in Looker each query of the explore has the filter unless it changes the value; it names the measure voyages.voyage_count, and a condition here is on rows"},
		{`explore: voyages { always_filter: { filters: [voyages.sailed_date: "7 days"] } }`,
			"approximated always_filter voyages: its filter counts from the current day of the session's zone, and in Looker from that of the query's zone"},
		{"explore: voyages { fields: [ALL_FIELDS*, -voyages.gone, nowhere.kind, missing*] }",
			"approximated fields voyages: it names missing*, nowhere.kind, voyages.gone, which the explore does not have"},
		{"explore: voyages { access_filter: { field: voyages.kind user_attribute: kind } }", "dropped access_filter voyages: access is not a part of the model"},
		{"explore: ships { sql_always_where: ${voyages.kind} = 'a' ;; join: voyages { relationship: many_to_many sql_on: ${voyages.ship_id} = ${ships.ship_id} ;; } }",
			"dropped sql_always_where ships: in Looker each query of the explore has the condition; it names voyages.kind, and a row of ships may have several rows of voyages: a condition on them does not act on its measures here"},
		{`explore: ships { always_filter: { filters: [voyages.kind: "bulk"] } join: voyages { relationship: one_to_many sql_on: ${voyages.ship_id} = ${ships.ship_id} ;; } }`,
			"dropped always_filter ships: in Looker each query of the explore has the filter unless it changes the value; it names voyages.kind, and a row of ships may have several rows of voyages"},
	} {
		r, err := settle(t, voyages+c.explore)
		if err != nil {
			t.Fatal(err)
		}
		if got := losses(r); !slices.ContainsFunc(got, func(loss string) bool { return strings.HasPrefix(loss, c.want) }) {
			t.Errorf("%s: want %q, got\n%s", c.explore, c.want, strings.Join(got, "\n"))
		}
		viewsOf(t, r)
	}
}

// Two paths lead to the regions of the explore. A view with a list of fields that several paths reach does not compile.
func TestRead_DropsViewsWithSeveralPaths(t *testing.T) {
	r, err := settle(t, voyages+`
explore: voyages {
  join: origin { from: harbours sql_on: ${voyages.origin_id} = ${origin.harbour_id} ;; }
  join: target { from: harbours sql_on: ${voyages.target_id} = ${target.harbour_id} ;; }
  join: regions { sql_on: ${origin.region_id} = ${regions.region_id} ;; }
  join: regions_of_target { from: regions sql_on: ${target.region_id} = ${regions_of_target.region_id} ;; }
}`)
	if err != nil {
		t.Fatal(err)
	}
	if views := viewsOf(t, r); len(views) > 0 {
		t.Errorf("%v", views)
	}
	i := slices.IndexFunc(r.Entries, func(e *importer.ReportEntry) bool { return e.Construct == "explore" })
	if e := r.Entries[i]; e.Outcome != importer.OutcomeApproximated || !strings.HasPrefix(e.Reason, "views.voyages_explore is missing: the view voyages_explore has regions.") {
		t.Errorf("%+v", e)
	}
}
