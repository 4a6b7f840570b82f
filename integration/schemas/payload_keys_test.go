package schemas_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/engine/describe"
	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/compile"
	"github.com/semlayer/semlayer/modelspec/diff"
	"github.com/semlayer/semlayer/modelspec/extension"
	"github.com/semlayer/semlayer/planner"
)

// modelOfKeys is a model without payloads, but for the marks of its objects.
const modelOfKeys = `
version: 0.2.0.dev0
name: m
# model
datasets:
  - name: sales
    source: sales
    primary_key: [id]
    # sales
    fields:
      - {name: id, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: id}]}}
      - name: sold
        datatype: DateTime
        dimension: {is_time: true}
        expression: {dialects: [{dialect: ANSI_SQL, expression: sold}]}
        # sold
      - {name: paid, datatype: DateTime, dimension: {is_time: true}, expression: {dialects: [{dialect: ANSI_SQL, expression: paid}]}}
      - name: code
        datatype: Integer
        dimension: {is_time: true}
        expression: {dialects: [{dialect: ANSI_SQL, expression: code}]}
        # code
      - name: sku
        datatype: String
        dimension: {}
        expression: {dialects: [{dialect: ANSI_SQL, expression: sku}]}
        # sku
      - name: amount
        datatype: Decimal
        expression: {dialects: [{dialect: ANSI_SQL, expression: amount}]}
        # amount
      - name: share
        datatype: Decimal
        expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(sales.amount)}]}
        # share
  - name: days
    source: days
    primary_key: [day]
    fields:
      - {name: day, datatype: Date, dimension: {is_time: true}, expression: {dialects: [{dialect: ANSI_SQL, expression: day}]}}
      - {name: fm, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: fm}]}}
    # days
  - name: prices
    source: prices
    fields:
      - {name: sku, datatype: String, dimension: {}, expression: {dialects: [{dialect: ANSI_SQL, expression: sku}]}}
      - {name: since, datatype: DateTime, expression: {dialects: [{dialect: ANSI_SQL, expression: since}]}}
  - name: funnel
    source: funnel
    # funnel
relationships:
  - name: priced
    from: sales
    to: prices
    from_columns: [sku]
    to_columns: [sku]
    # priced
metrics:
  - name: revenue
    expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(sales.amount)}]}
    # revenue
  - name: rows
    expression: {dialects: [{dialect: ANSI_SQL, expression: COUNT(*)}]}
    # rows
  - name: double
    expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(sales.amount)}]}
    # double
  - name: shares
    expression: {dialects: [{dialect: ANSI_SQL, expression: MAX(sales.share)}]}
`

// keyInModel is a key on the object of a mark.
type keyInModel struct {
	mark   string
	value  string
	before string // the value that the key has before; "" for none
	with   string // further members of the payload, which it has before, too
	// hidden and equal are why no description shows the key, and no comparison finds it; "" where one does.
	hidden, equal string
}

const shownInQueries = "it changes the answers to queries, and a description has the names of objects"

// keysInModels has a value of each key, by carrier and name.
var keysInModels = map[string]keyInModel{
	"semantic_model queries":    {mark: "model", value: `[{"name": "q", "query": {"metrics": ["revenue"]}}]`},
	"semantic_model time_zone":  {mark: "model", value: `"Europe/Berlin"`, hidden: shownInQueries},
	"semantic_model week_start": {mark: "model", value: `"sunday"`, hidden: shownInQueries},
	"semantic_model rollups":    {mark: "model", value: `[{"name": "r", "of": "sales", "measures": [{"expression": "SUM(sales.amount)", "column": "a"}]}]`},
	"semantic_model views":      {mark: "model", value: `[{"name": "v", "metrics": ["revenue"]}]`},

	"dataset time_dimension": {mark: "sales", value: `"paid"`},
	"dataset calendar":       {mark: "days", value: `{"date": "day", "periods": {"fiscal_month": "fm"}}`},
	"dataset label":          {mark: "sales", value: `"Sales"`},
	"dataset freshness":      {mark: "sales", value: `"MAX(sold)"`, hidden: "the engine asks it, and shows the state of the table"},
	"dataset sequence":       {mark: "funnel", value: `{"entity": ["sku"], "steps": [{"name": "a", "dataset": "sales", "at": "sold"}, {"name": "b", "dataset": "sales", "at": "sold"}]}`},

	"field time_granularity": {mark: "sold", value: `"month"`},
	"field params":           {mark: "share", value: `[{"name": "t", "type": "int", "default": 2, "min": 0}]`, before: `[{"name": "t", "type": "int", "default": 1, "min": 0}]`, with: `"lod": {"grain": ["sku"], "where": "amount > :t"}`},
	"field is_dimension":     {mark: "sku", value: `false`},
	"field time":             {mark: "code", value: `{"format": "yyyyMMdd"}`},
	"field lod":              {mark: "share", value: `{"grain": ["sku"]}`},
	"field order":            {mark: "sku", value: `["b", "a"]`},

	"relationship join_type":   {mark: "priced", value: `"inner"`},
	"relationship cardinality": {mark: "priced", value: `"many_to_many"`},
	"relationship valid":       {mark: "priced", value: `{"at": "sold", "from": "since"}`},

	"metric dataset":         {mark: "rows", value: `"sales"`},
	"metric time_dimension":  {mark: "revenue", value: `"paid"`},
	"metric fill_nulls_with": {mark: "revenue", value: `0`},
	"metric window":          {mark: "revenue", value: `{"type": "cumulative"}`},
	"metric subject_path":    {mark: "revenue", value: `"a/b"`},
	"metric unit":            {mark: "revenue", value: `"EUR"`},
	"metric format":          {mark: "revenue", value: `"percent:1"`},
	"metric label":           {mark: "revenue", value: `"Revenue"`},
	"metric headline":        {mark: "revenue", value: `true`},
	"metric better":          {mark: "revenue", value: `"up"`},
	"metric sql_aggregates":  {mark: "revenue", value: `["sum"]`},
	"metric grains":          {mark: "revenue", value: `["month"]`},
	"metric derive":          {mark: "double", value: `{"type": "compose", "expr": "2 * revenue"}`},
	"metric measure":         {mark: "revenue", value: `{"name": "turnover"}`, equal: "no query names the measure of a metric"},
	"metric params":          {mark: "double", value: `[{"name": "t", "type": "float", "default": 2, "min": 0}]`, before: `[{"name": "t", "type": "float", "default": 1, "min": 0}]`, with: `"derive": {"type": "filter", "base": "revenue", "where": "sales.amount > :t"}`},
	"metric non_additive":    {mark: "revenue", value: `{"by": "sold", "take": "last"}`},
}

// A key that is not read, not compiled, not compared or not described leaves a model as it is without the key.
func TestPayloads_EachKeyChangesTheModel(t *testing.T) {
	for _, k := range extension.AllKeyDefinitions() {
		if strings.Contains(k.Name, ".") {
			continue // a member of a block
		}
		name := string(k.Carrier) + " " + k.Name
		c, ok := keysInModels[name]
		if !ok {
			t.Errorf("%s has no value in keysInModels", name)
			continue
		}
		t.Run(name, func(t *testing.T) {
			before, seenBefore := modelWithPayload(t, c.mark, c.with, k.Name, c.before)
			after, seenAfter := modelWithPayload(t, c.mark, c.with, k.Name, c.value)
			entries, err := diff.Compare(t.Context(), before, after)
			if err != nil {
				t.Fatal(err)
			}
			if differ := len(entries) > 0; differ != (c.equal == "") {
				t.Errorf("a comparison finds the key: %v, and the reason against it is %q", differ, c.equal)
			}
			if shown := seenBefore != seenAfter; shown != (c.hidden == "") {
				t.Errorf("a description shows the key: %v, and the reason against it is %q", shown, c.hidden)
			}
		})
	}
}

// modelWithPayload returns the model with a payload at a mark, and the descriptions of its objects.
func modelWithPayload(t *testing.T, mark, members, key, value string) (diff.Model, string) {
	t.Helper()
	text := modelOfKeys
	if value != "" {
		members = strings.TrimPrefix(members+fmt.Sprintf(", %q: %s", key, value), ", ")
	}
	if members != "" {
		data, err := json.Marshal(`{"v": "1.10", ` + members + `}`)
		if err != nil {
			t.Fatal(err)
		}
		text = strings.Replace(text, "# "+mark+"\n", fmt.Sprintf("custom_extensions: [{vendor_name: SEMLAYER, data: %s}]\n", data), 1)
	}
	doc, err := modelspec.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	cat, err := compile.Compile(t.Context(), doc, compile.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range cat.Errors {
		if e.Code == extension.CodeInvalidPayload {
			t.Fatalf("%s: %s", e.Location, e.Message)
		}
	}
	return diff.Model{Catalog: cat, Document: doc}, describedObjects(t, cat)
}

func describedObjects(t *testing.T, cat *catalog.Catalog) string {
	t.Helper()
	d := describe.NewDescriber(cat, planner.New(cat), planner.Target{Dialect: "duckdb"})
	metrics, err := d.Metrics(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	dimensions, err := d.Dimensions(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal([]any{metrics, dimensions, d.Datasets(), d.Relationships(), d.Rollups(), d.SavedQueries(), d.Views()})
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
