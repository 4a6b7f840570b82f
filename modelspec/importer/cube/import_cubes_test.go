package cube_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/modelspec/importer"
	"github.com/semlayer/semlayer/modelspec/importer/cube"
)

func plansAll(context.Context, []byte) (map[string]string, error) { return nil, nil }

func read(text string) (*importer.Result, error) {
	imported, err := cube.Read([]importer.SourceFile{{Name: "f.yml", Text: []byte(text)}}, importer.Options{ModelName: "m"})
	if err != nil {
		return nil, err
	}
	return importer.FinishImport(context.Background(), imported, plansAll)
}

const hostile = `
cubes:
  - name: base
    sql_table: t
    dimensions:
      - {name: id, sql: id, type: number, primary_key: true}
      - {name: a, sql: "{b}", type: string}
      - {name: b, sql: "{a}", type: string}
      - {name: place, type: geo}
      - {name: jinja, sql: "{{ x }}", type: string}
      - {name: nested, sub_query: true, sql: "{other.count}", type: number}
    measures:
      - {name: n, type: count, format: percent}
      - {name: raw, sql: "MAX(SUM(x))", type: number}
      - {name: base, sql: "{base}", type: number}
      - {name: distinct, sql: id, type: count_distinct_approx}
      - {name: ahead, sql: id, type: sum, rolling_window: {leading: 3 day}}
    joins:
      - {name: other, relationship: many_to_one, sql: "{CUBE}.x > {other}.y"}
    pre_aggregations: [{name: main}]
  - {name: child, extends: base, sql_table: u}
  - {name: loop, extends: pool}
  - {name: pool, extends: loop}
  - {name: other, sql: "SELECT 1 AS y", dimensions: [{name: y, sql: y, type: number}]}
views: [{name: v}]
wishes: 1
`

func TestRead_ReportsEachConstruct(t *testing.T) {
	result, err := read(hostile)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, e := range result.Entries {
		key := e.Construct + " " + e.Name
		if got[key] != "" {
			t.Errorf("%s is reported twice", key)
		}
		got[key] = string(e.Outcome)
	}
	want := map[string]string{
		"cube base": "exact", "cube child": "exact", "cube loop": "dropped", "cube pool": "dropped", "cube other": "exact",
		"dimension base.id": "exact", "dimension base.a": "dropped", "dimension base.b": "dropped", "dimension base.place": "dropped",
		"dimension base.jinja": "dropped", "dimension base.nested": "dropped", "dimension other.y": "exact",
		"measure base.n": "approximated", "measure key base.n.format": "presentation", "measure base.raw": "dropped", "measure base.base": "dropped",
		"measure base.distinct": "approximated", "measure base.ahead": "dropped", "join base.other": "dropped",
		"pre_aggregation base.main": "dropped", "view v": "dropped", "document key wishes": "dropped",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	if text := string(result.Model); !strings.Contains(text, "name: base_n\n") || !strings.Contains(text, "name: child_n\n") {
		t.Errorf("%s", text)
	}
}

const shop = `
cubes:
  - name: orders
    sql_table: orders
    dimensions:
      - {name: id, sql: id, type: number, primary_key: true}
      - {name: amount, sql: "{CUBE}.amount", type: number}
      - {name: customer, sql: CUSTOMER_ID, type: number}
      - {name: secret, sql: s, type: string, shown: false}
    measures:
      - {name: total, type: sum, sql: "{amount}", public: true}
      - {name: doubled, type: sum, sql: "{CUBE.amount} * 2"}
      - {name: unread, type: sum, sql: amount, filters: {sql: "{amount} > 5"}}
    segments:
      - {name: large, sql: "{amount} > 100", public: false, wish: 1}
    joins:
      - {name: customers, relationship: many_to_one, sql: "{CUBE}.customer_id = {customers.id}", wish: 1}
  - name: customers
    sql_table: customers
    dimensions:
      - {name: id, sql: id, type: number, primary_key: true}
    joins:
      - {name: orders, relationship: one_to_many, sql: "{CUBE.id} = {orders}.CUSTOMER_ID"}
`

// A reference to one dimension is its field, a column is the field of that column in any
// case, and two cubes that declare one join have one relationship.
func TestRead_FiltersByTheDimensionOfAJoinedCube(t *testing.T) {
	result, err := read(`
cubes:
  - name: orders
    sql_table: orders
    dimensions:
      - {name: id, sql: id, type: number, primary_key: true}
      - {name: buyer, sql: buyer, type: number}
    measures:
      - {name: north, sql: amount, type: sum, filters: [{sql: "{customers.region} = 'north'"}]}
      - {name: known, sql: amount, type: sum, filters: [{sql: "{customers.place} = 'none'"}]}
  - name: customers
    sql_table: customers
    joins:
      - {name: orders, relationship: one_to_many, sql: "{CUBE}.id = {orders.buyer}"}
    dimensions:
      - {name: id, sql: id, type: number, primary_key: true}
      - {name: region, sql: region, type: string}
      - {name: place, sql: "COALESCE(region, 'none')", type: string}
`)
	if err != nil {
		t.Fatal(err)
	}
	if want := "CASE WHEN (orders_customers.region = 'north') THEN amount END"; !strings.Contains(string(result.Model), want) {
		t.Errorf("no %s in\n%s", want, result.Model)
	}
	for _, e := range result.Entries {
		// An order without a customer has the place 'none' in Cube, and no value of the field here.
		if dropped := e.Name == "orders.known"; dropped != (e.Outcome == importer.OutcomeDropped) {
			t.Errorf("%+v", e)
		}
	}
}

func TestRead_UsesTheFieldsAndJoinsThatAreDeclared(t *testing.T) {
	result, err := read(shop)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range result.Entries {
		if e.Outcome != importer.OutcomeExact {
			got = append(got, fmt.Sprintf("%s %s %s: %s", e.Outcome, e.Construct, e.Name, e.Reason))
		}
	}
	want := []string{
		"dropped measure orders.unread: its filters are not a list of conditions",
		"dropped segment key orders.large.wish: the key is not known",
		"dropped join key orders.customers.wish: the key is not known",
		"approximated join customers.orders: " + reversedJoinLoss("customers", "orders"),
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	text := string(result.Model)
	for _, want := range []string{
		"expression: SUM(orders.amount)}", "from_columns: [customer]\n        to_columns: [id]\n",
	} {
		if strings.Count(text, want) != 1 {
			t.Errorf("%q is not once in\n%s", want, text)
		}
	}
	if n := strings.Count(text, `"is_dimension": false`); n != 3 {
		t.Errorf("%d fields that queries cannot group by, not secret, large and the one of doubled, in\n%s", n, text)
	}
}

// FuzzRead: any text is an error of the importer, or a model that validates.
func FuzzRead(f *testing.F) {
	f.Add([]byte(hostile))
	f.Add([]byte("cubes: [{name: a, sql_table: t, dimensions: [{name: x, sql: '{x}', type: string}]}]"))
	f.Add([]byte("cubes: [{name: a, sqlTable: '`t.u`', dimensions: [{name: x, sql: '{CUBE}.\"X\"', type: time, primaryKey: true}], measures: [{name: n, type: number, sql: 'SUM({x}) / COUNT(*)'}, {name: w, type: countDistinct, sql: '{x}', rollingWindow: {type: to_date, granularity: year}}]}]"))
	f.Add([]byte(seaCubes + "views: [{name: v, cubes: [{joinPath: voyages.ships, prefix: true, includes: '*', excludes: [flag]}, {join_path: voyages, includes: [{name: cargo, alias: a}]}], folders: [{name: f, includes: [a]}]}, {name: w, extends: v}]"))
	f.Fuzz(func(t *testing.T, text []byte) {
		_, err := read(string(text))
		if e := (*importer.Error)(nil); err != nil && !errors.As(err, &e) {
			t.Fatalf("%T: %v", err, err)
		}
	})
}

// An importer of cubes reads and settles.
func ExampleRead() {
	imported, err := cube.Read([]importer.SourceFile{{Name: "orders.yml", Text: []byte("cubes: [{name: orders, sql_table: orders, measures: [{name: revenue, sql: amount, type: sum}]}]")}}, importer.Options{ModelName: "shop"})
	if err != nil {
		fmt.Println(err)
		return
	}
	result, err := importer.FinishImport(context.Background(), imported, plansAll)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, e := range result.Entries {
		fmt.Println(e.Construct, e.Name, e.Outcome)
	}
	// Output:
	// cube orders exact
	// measure orders.revenue exact
}

func TestRead_GranularitiesOfTimesAreDropped(t *testing.T) {
	result, err := read(`
cubes:
  - name: orders
    sql_table: orders
    dimensions:
      - {name: id, sql: id, type: number, primary_key: true}
      - {name: at, sql: at, type: time, granularities: [{name: half, interval: 6 months}, {name: fiscal_year, sql: "{CUBE}.fy"}]}
    measures:
      - {name: n, type: count}
`)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range result.Entries {
		if e.Construct == "dimension key" && e.Name == "orders.at.granularities" {
			if e.Outcome != importer.OutcomeDropped || !strings.Contains(e.Reason, "an interval or an expression is not a table") {
				t.Errorf("%+v", e)
			}
			return
		}
	}
	t.Errorf("no entry in %+v", result.Entries)
}

// Cube takes keys, types and relationships in camel case as well, and columns in quotes of each kind.
func TestRead_ReadsKeysInCamelCaseAndQuotedColumns(t *testing.T) {
	result, err := read(`
cubes:
  - name: orders
    sqlTable: "` + "`p-1.shop.orders`" + `"
    joins: [{name: users, relationship: belongsTo, sql: '{CUBE}."userId" = {users}."id"'}]
    dimensions: [{name: id, sql: id, type: number, primaryKey: true}]
    measures:
      - {name: buyers, type: countDistinctApprox, sql: '{orders}."userId"'}
      - {name: total, type: sum, sql: "{CUBE}.` + "`Net Amount`" + `", drillMembers: [id], meta: {someKey: 1}}
  - name: users
    sql_table: users
    dimensions: [{name: id, sql: id, type: number, primary_key: true}]
`)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`source: '"p-1"."shop"."orders"'`, "primary_key: [id]", "from_columns: [userId]\n        to_columns: [id_column]", `expression: '"Net Amount"'`, "someKey",
	} {
		if !strings.Contains(string(result.Model), want) {
			t.Errorf("no %s in\n%s", want, result.Model)
		}
	}
	var lost []string
	for _, e := range result.Entries {
		if e.Outcome != importer.OutcomeExact {
			lost = append(lost, e.Name)
		}
	}
	if diff := cmp.Diff([]string{"orders.buyers", "orders.total.drill_members"}, lost); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

// Cube computes the dimensions and measures of a joined cube over the rows of the join.
func TestRead_ReportsWhatAJoinDoesToTheOtherCube(t *testing.T) {
	const text = `
cubes:
  - name: orders
    sql_table: orders
    joins: [{name: users, relationship: many_to_one, sql: "{CUBE}.user_id = {users.id}"}]
    dimensions: [{name: id, sql: id, type: number, primary_key: true}, {name: known, sql: "COALESCE(channel, 'none')", type: string}]
    measures: [{name: order_count, type: count}]
  - name: users
    sql_table: users
    dimensions:
      - {name: id, sql: id, type: number, primary_key: true}
      - {name: town, sql: "UPPER(town)", type: string}
      - {name: age, type: string, case: {when: [{sql: "age < 30", label: young}], else: {label: old}}}
    measures: [{name: user_count, type: count}]
`
	result, err := read(text)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range result.Entries {
		if e.Outcome != importer.OutcomeExact {
			got = append(got, fmt.Sprintf("%s %s %s: %s", e.Outcome, e.Construct, e.Name, e.Reason))
		}
	}
	want := []string{
		"approximated join orders.users: measures of users beside those of orders aggregate all its rows, and in Cube those that the rows of orders lead to",
		"approximated dimension users.age: a row without a match in users has no value, and in Cube the value of its SQL over nulls",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}
