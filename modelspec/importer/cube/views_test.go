package cube_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/compile"
	"github.com/semlayer/semlayer/modelspec/importer"
	"github.com/semlayer/semlayer/modelspec/importer/cube"
)

const seaCubes = `
cubes:
  - name: voyages
    sql_table: voyages
    joins:
      - {name: ships, relationship: many_to_one, sql: "{CUBE}.ship_id = {ships.ship_id}"}
      - {name: harbours, relationship: many_to_one, sql: "{CUBE}.harbour_id = {harbours.harbour_id}"}
    dimensions:
      - {name: voyage_id, sql: voyage_id, type: number, primary_key: true}
      - {name: kind, sql: kind, type: string}
      - {name: sailed, sql: sailed, type: time}
      - {name: place, type: geo}
    segments: [{name: long, sql: "{CUBE}.days > 9"}]
    measures:
      - {name: cargo, sql: cargo, type: sum}
      - {name: count, type: count}
  - name: ships
    sql_table: ships
    joins: [{name: harbours, relationship: many_to_one, sql: "{CUBE}.home_id = {harbours.harbour_id}"}]
    dimensions:
      - {name: ship_id, sql: ship_id, type: number, primary_key: true}
      - {name: flag, sql: flag, type: string}
    measures: [{name: count, type: count}]
  - name: harbours
    sql_table: harbours
    dimensions:
      - {name: harbour_id, sql: harbour_id, type: number, primary_key: true}
      - {name: country, sql: country, type: string}
      - {name: town, sql: town, type: string}
    hierarchies:
      - {name: places, title: Places, levels: [country, town]}
      - {name: others, levels: [country, harbour_id]}
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

// A cube to which two paths lead is named by the last relationship of each.
func TestRead_ViewsAreViews(t *testing.T) {
	r, err := read(seaCubes + `
views:
  - name: trade
    title: Trade
    description: Voyages with cargo.
    meta: {owner: harbour office}
    cubes:
      - {join_path: voyages, includes: [kind, {name: cargo, alias: tons, title: Tons}, long, sailed]}
      - {join_path: voyages.ships, prefix: true, alias: vessel, includes: "*", excludes: [ship_id]}
      - {join_path: voyages.harbours, includes: [places]}
      - {join_path: voyages.ships.harbours, prefix: true, alias: home, includes: [town]}
    folders:
      - {name: Where, includes: [country, {name: Home, includes: [home_town]}]}
      - {name: Values, includes: [tons, vessel_flag, unknown]}
  - name: more
    extends: trade
    cubes: [{join_path: voyages, includes: [count]}]
`)
	if err != nil {
		t.Fatal(err)
	}
	views := viewsOf(t, r)
	v := views["trade"]
	if v == nil || len(views) != 2 {
		t.Fatalf("%v in\n%s", views, r.Model)
	}
	metrics, fields, joins := membersOf(v)
	wantFields := []string{
		"voyages.kind", "voyages.long", "voyages.sailed", "ships.flag", "voyages_harbours.country", "voyages_harbours.town", "ships_harbours.town",
	}
	if diff := cmp.Diff([]string{"cargo", "ships_count"}, metrics) + cmp.Diff(wantFields, fields) + cmp.Diff([]string{"voyages_ships"}, joins); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	if v.Label != "Trade" || v.Description != "Voyages with cargo." || v.LabelOf("cargo") != "Tons" || !cmp.Equal(v.AIContext, any(map[string]any{"owner": "harbour office"})) {
		t.Errorf("%+v", v)
	}
	wantFolders := []catalog.ViewFolder{
		{Name: "Where", Items: []string{"voyages_harbours.country"}, Folders: []catalog.ViewFolder{{Name: "Home", Items: []string{"ships_harbours.town"}}}},
		{Name: "Values", Items: []string{"cargo", "ships.flag"}},
	}
	wantHierarchies := []catalog.ViewHierarchy{{Name: "Places", Levels: []string{"voyages_harbours.country", "voyages_harbours.town"}}}
	if diff := cmp.Diff(wantFolders, v.Folders) + cmp.Diff(wantHierarchies, v.Hierarchies); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	if metrics, fields, _ := membersOf(views["more"]); !slices.Equal(metrics, []string{"cargo", "voyages_count", "ships_count"}) || !slices.Equal(fields, wantFields) {
		t.Errorf("%v %v", metrics, fields)
	}
	const joined = "measures of ships aggregate all its rows, and in Cube those that the rows of voyages lead to"
	got := slices.DeleteFunc(lossesOf(r), func(loss string) bool {
		return !strings.Contains(loss, " view ") && !strings.Contains(loss, " hierarchy ")
	})
	want := []string{
		"presentation hierarchy harbours.others: no view has all of its levels",
		"approximated view trade: " + joined,
		"presentation view cube key trade.ships.prefix: it is presentation",
		"presentation view cube key trade.harbours.prefix: it is presentation",
		"approximated view more: " + joined,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

// What a view of the model cannot have is listed, and the view has the rest.
func TestRead_ReportsWhatViewsLack(t *testing.T) {
	for _, c := range []struct {
		view string
		want []string
	}{
		{"{name: a, cubes: [{join_path: voyages, includes: [kind, place]}]}", []string{"approximated view a: place of voyages is missing: it is not in the model"}},
		{"{name: a, cubes: [{join_path: voyages, includes: [kind]}, {join_path: harbours.ships, includes: [flag]}]}", []string{
			"approximated view a: the members of harbours.ships are missing: no join of harbours that is in the model leads to ships",
		}},
		{"{name: a, cubes: [{join_path: nowhere, includes: '*'}]}", []string{"dropped view a: none of its members is in the model"}},
		{"{name: a, extends: a, cubes: [{join_path: voyages, includes: '*'}]}", []string{"dropped view a: it extends a, which is missing or extends it"}},
		{"{name: voyages, public: false, cubes: [{join_path: voyages, includes: '*'}]}", []string{"dropped view key voyages.public: every view of a model is in its lists"}},
		{"{name: a, access_policy: [{role: clerk}], cubes: [{join_path: voyages, includes: [kind]}]}", []string{
			"approximated view a: the view a is restricted in Cube by access_policy, and here it is not", "dropped access_policy a: it has no counterpart",
		}},
		{"{name: a, default_filters: [x], cubes: [{join_path: voyages, includes: [{name: kind, meta: {a: b}}]}]}", []string{
			"dropped view key a.default_filters: the key is not known",
			"dropped view member key a.kind.meta: a view has labels of its members, whose descriptions are those of the model",
		}},
	} {
		r, err := read(seaCubes + "views:\n  - " + c.view)
		if err != nil {
			t.Fatal(err)
		}
		viewsOf(t, r)
		var got []string
		for _, e := range r.Entries {
			if e.Outcome.IsLoss() && e.Line > 32 {
				got = append(got, string(e.Outcome)+" "+e.Construct+" "+e.Name+": "+e.Reason)
			}
		}
		slices.Sort(got)
		slices.Sort(c.want)
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s: -want +got\n%s", c.view, diff)
		}
	}
}

// A join path in JavaScript is a name without quotes. A view with a program is dropped with its line.
func TestRead_ReadsViewsOfJavaScript(t *testing.T) {
	text := "cube(`voyages`, {sql_table: `voyages`, dimensions: {kind: {sql: `kind`, type: `string`}}, measures: {count: {type: `count`}}});\n" +
		"view(`trade`, {cubes: [{joinPath: voyages, includes: [kind, {name: `count`, alias: `voyage_count`}]}]});\n" +
		"view(`made`, {cubes: [{joinPath: voyages, includes: make()}]});"
	in, err := cube.Read([]importer.SourceFile{{Name: "f.js", Text: []byte(text)}}, importer.Options{ModelName: "m"})
	if err != nil {
		t.Fatal(err)
	}
	r, err := importer.FinishImport(t.Context(), in, plansAll)
	if err != nil {
		t.Fatal(err)
	}
	v := viewsOf(t, r)["trade"]
	if v == nil {
		t.Fatalf("no view in\n%s", r.Model)
	}
	if metrics, fields, _ := membersOf(v); !slices.Equal(metrics, []string{"count"}) || !slices.Equal(fields, []string{"voyages.kind"}) || v.LabelOf("count") != "voyage_count" {
		t.Errorf("%v %v", metrics, fields)
	}
	if diff := cmp.Diff([]string{"dropped view made: line 3: the call make(…) is a program, which is not read"}, lossesOf(r)); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}
