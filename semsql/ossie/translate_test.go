package ossie_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/compile"
	"github.com/semlayer/semlayer/semsql/ossie"
)

func open(t testing.TB, text string) *catalog.Catalog {
	t.Helper()
	doc, err := modelspec.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	cat, err := compile.Compile(t.Context(), doc, compile.Options{})
	if err != nil || len(cat.Errors) > 0 {
		t.Fatal(err, cat.Errors)
	}
	return cat
}

// sales reaches shops and goods; people reaches nothing; twins reach each other.
const model = `{version: 0.2.0.dev0, semantic_model: [{name: m, TOP
	datasets: [
		{name: sales, source: sales, primary_key: [id], fields: [
			{name: id, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: id}]}},
			{name: at, datatype: Date, dimension: {is_time: true}, expression: {dialects: [{dialect: ANSI_SQL, expression: at}]}},
			{name: shop_id, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: shop_id}]}},
			{name: good_id, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: good_id}]}},
			{name: price, datatype: Decimal, expression: {dialects: [{dialect: ANSI_SQL, expression: price}]}}]},
		{name: shops, source: shops, primary_key: [id], fields: [
			{name: id, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: id}]}},
			{name: city, datatype: String, expression: {dialects: [{dialect: ANSI_SQL, expression: city}]}}]},
		{name: goods, source: goods, primary_key: [id], fields: [
			{name: id, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: id}]}},
			{name: kind, datatype: String, expression: {dialects: [{dialect: ANSI_SQL, expression: kind}]}}]},
		{name: people, source: people, primary_key: [id], fields: [
			{name: id, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: id}]}},
			{name: age, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: age}]}}]}],
	relationships: [
		{name: sold_in, from: sales, to: shops, from_columns: [shop_id], to_columns: [id]},
		{name: sold_good, from: sales, to: goods, from_columns: [good_id], to_columns: [id]}],
	metrics: [
		{name: revenue, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(sales.price)}]}},
		{name: sold, expression: {dialects: [{dialect: ANSI_SQL, expression: COUNT(sales.id)}]}}]}]}`

func plainModel() string { return strings.Replace(model, "TOP", "", 1) }

func decode(t testing.TB, query string) (*ossie.Arguments, error) {
	t.Helper()
	return ossie.DecodeArguments([]byte(`{"data_source_id": "m", "query": ` + query + `}`))
}

func TestTranslate_WritesQueriesOfTheHTTPInterface(t *testing.T) {
	cat := open(t, plainModel())
	for query, want := range map[string]string{
		`{"measures": ["revenue", "REVENUE AS r"]}`:                                 `{"metrics":["revenue",{"name":"r","expression":"REVENUE"}]}`,
		`{"measures": ["revenue AS revenue"]}`:                                      `{"metrics":["revenue"]}`,
		`{"measures": ["SUM(sales.price) / 2"]}`:                                    `{"metrics":[{"name":"measure_1","expression":"SUM(sales.price) / 2"}]}`,
		`{"dimensions": ["city"]}`:                                                  `{"group_by":[{"field":"city"}],"distinct":true}`,
		`{"dimensions": ["sold_in.city AS place"]}`:                                 `{"group_by":[{"field":"sold_in.city","name":"place"}],"distinct":true}`,
		`{"dimensions": ["date_trunc('Month', sales.at)"]}`:                         `{"group_by":[{"field":"sales.at","grain":"month"}],"distinct":true}`,
		`{"dimensions": ["UPPER(city)"], "measures": ["sold"]}`:                     `{"metrics":["sold"],"group_by":[{"name":"dimension_1","expression":"UPPER(city)"}]}`,
		`{"measures": ["sold"], "where": ["price > 1 OR price < 0", "city = 'x'"]}`: `{"metrics":["sold"],"where_sql":"(sales.price \u003e 1 OR sales.price \u003c 0) AND shops.city = 'x'"}`,
		// A name in where is a field, also where an alias or a measure has it.
		`{"dimensions": ["kind AS city"], "measures": ["sold AS price"], "where": "city = 'x' AND price > 1"}`: `{"metrics":[{"name":"price","expression":"sold"}],"group_by":[{"field":"kind","name":"city"}],"where_sql":"shops.city = 'x' AND sales.price \u003e 1"}`,
		// A measure in having is its column, by name and by expression.
		`{"measures": ["SUM(sales.price) AS total", "sold AS n"], "having": ["SUM(sales.price) > 1 AND sold > 2", "total < n"]}`:                    `{"metrics":[{"name":"total","expression":"SUM(sales.price)"},{"name":"n","expression":"sold"}],"where_sql":"total \u003e 1 AND n \u003e 2 AND total \u003c n"}`,
		`{"dimensions": ["city"], "measures": ["sold"], "order_by": [{"field": "shops.city"}, {"field": "sold", "direction": "DESC"}], "limit": 3}`: `{"metrics":["sold"],"group_by":[{"field":"city"}],"order_by":[{"key":"city"},{"key":"sold","desc":true}],"limit":3}`,
		`{"fields": ["price", "city AS c", "kind"], "order_by": [{"field": "c"}]}`:                                                                  `{"from":"sales","fields":["sales.price","shops.city","goods.kind"],"order_by":[{"key":"city"}],"limit":10000}`,
		`{"fields": ["city", "kind"]}`:                           `{"from":"sales","fields":["shops.city","goods.kind"],"limit":10000}`,
		`{"fields": ["city"], "where": "price > 1", "limit": 2}`: `{"from":"sales","fields":["shops.city"],"where_sql":"sales.price \u003e 1","limit":2}`,
		`{"fields": ["shops.city"]}`:                             `{"from":"shops","fields":["shops.city"],"limit":10000}`,
		`{"fields": ["sold_in.city"]}`:                           `{"from":"sales","fields":["sold_in.city"],"limit":10000}`,
		`{"fields": ["sales.id", "DATE_TRUNC('week', at) AS w"], "order_by": [{"field": "w"}, {"field": "sales.id", "direction": "DESC"}]}`: `{"from":"sales","fields":["sales.id","sales.at:week"],"order_by":[{"key":"at__week"},{"key":"id","desc":true}],"limit":10000}`,
		`{"fields": ["price * 2"], "limit": 1}`: `{"from":"sales","fields":["sales.field_1"],"limit":1,"with":[{"dataset":"sales","name":"field_1","expression":"sales.price * 2"}]}`,
	} {
		if got := translated(t, cat, query); got != want {
			t.Errorf("%s:\n%s\n%s", query, got, want)
		}
	}
}

func translated(t testing.TB, cat *catalog.Catalog, query string) string {
	t.Helper()
	a, err := decode(t, query)
	if err != nil {
		t.Fatal(query, err)
	}
	out, err := ossie.Translate(cat, &a.Query)
	if err != nil {
		return err.Error()
	}
	var body any = out.Metric
	if out.Detail != nil {
		body = out.Detail
	}
	text, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// DATE_TRUNC is on the clock of UTC with weeks from Monday, also where the buckets of the model differ.
func TestTranslate_KeepsTheClockOfFunctions(t *testing.T) {
	cat := open(t, strings.Replace(model, "TOP", `custom_extensions: [{vendor_name: SEMLAYER, data: '{"v": "1.10", "time_zone": "Europe/Berlin", "week_start": "sunday"}'}],`, 1))
	for query, want := range map[string]string{
		`{"dimensions": ["DATE_TRUNC('week', sales.at)"]}`: `{"group_by":[{"field":"sales.at","grain":"week"}],"distinct":true,"time_zone":"UTC","week_start":"monday"}`,
		`{"fields": ["sales.at"], "limit": 1}`:             `{"from":"sales","fields":["sales.at"],"limit":1,"time_zone":"UTC","week_start":"monday"}`,
	} {
		if got := translated(t, cat, query); got != want {
			t.Errorf("%s:\n%s\n%s", query, got, want)
		}
	}
}

func TestTranslate_RootOfFields(t *testing.T) {
	cat := open(t, plainModel())
	for query, want := range map[string]string{
		`{"fields": ["people.age", "shops.city"]}`: "E_NO_PATH",
		`{"fields": ["people.age"]}`:               "",
		`{"fields": ["id"]}`:                       "E_NAME_NOT_FOUND", // of four datasets
	} {
		a, err := decode(t, query)
		if err != nil {
			t.Fatal(err)
		}
		_, err = ossie.Translate(cat, &a.Query)
		var refused *ossie.Error
		if errors.As(err, &refused); want == "" && err != nil || want != "" && (refused == nil || refused.Code != want || len(refused.Candidates) == 0) {
			t.Errorf("%s: %v", query, err)
		}
	}
}

func TestReplaceWith_WritesWholeQueries(t *testing.T) {
	cat := open(t, plainModel())
	for _, c := range []struct {
		query    string
		fragment map[string]any
		want     string // "" where the profile has no clause
	}{
		{`{"measures": ["revenue", "sold AS n"], "dimensions": ["city AS c", "DATE_TRUNC('month', sales.at)", "UPPER(kind) AS k"], "where": "price > 1", "having": "n > 2", "order_by": [{"field": "c"}], "limit": 3}`,
			map[string]any{"where_sql": "price > 5 AND revenue > 3"},
			`{"dimensions":["city AS c","DATE_TRUNC('month', sales.at)","UPPER(kind) AS k"],"measures":["revenue","sold AS n"],"where":["price \u003e 5"],"having":["revenue \u003e 3"],"order_by":[{"field":"c","direction":"ASC","nulls":"LAST"}],"limit":3}`},
		{`{"dimensions": ["city"]}`, map[string]any{"from": "sales"}, ""},
		{`{"fields": ["price AS p", "price * 2 AS twice", "DATE_TRUNC('year', at)"], "where": ["price > 1"]}`, map[string]any{"where_sql": "sales.price > 2"},
			`{"fields":["sales.price AS p","sales.price * 2 AS twice","DATE_TRUNC('year', sales.at)"],"where":["sales.price \u003e 2"]}`},
		{`{"fields": ["price"]}`, map[string]any{"from": "shops"}, ""},
	} {
		a, err := decode(t, c.query)
		if err != nil {
			t.Fatal(err)
		}
		out, err := ossie.Translate(cat, &a.Query)
		if err != nil {
			t.Error(c.query, err)
			continue
		}
		got := ""
		if q, ok := out.QueryWithRetryFragment(c.fragment); ok {
			text, err := json.Marshal(q)
			if err != nil {
				t.Fatal(err)
			}
			got = string(text)
		}
		if d := cmp.Diff(c.want, got); d != "" {
			t.Errorf("%s: %s", c.query, d)
		}
	}
}

// What the decoder accepts is translated or rejected with a code, and its JSON is decoded to the same query.
func FuzzDecodeArguments(f *testing.F) {
	for _, query := range []string{
		`{"measures": ["revenue AS r"], "dimensions": ["DATE_TRUNC('month', sales.at)"], "where": ["price > 1"], "having": "r > 2", "order_by": [{"field": "r", "direction": "DESC", "nulls": "LAST"}], "limit": 3}`,
		`{"fields": ["price", "city AS c", "price * 2"], "where": "kind = 'x'"}`, `{"dimensions": ["sold_in.city"]}`, `{}`, `{"fields": []}`, `[1]`, `{"measures": ["a", "a"], "measures": []}`,
	} {
		f.Add([]byte(`{"data_source_id": "m", "query": ` + query + `}`))
	}
	f.Add([]byte("{\"data_source_id\": \"\xff\"}"))
	cat := open(f, plainModel())
	f.Fuzz(func(t *testing.T, body []byte) {
		a, err := ossie.DecodeArguments(body)
		var refused *ossie.Error
		if err != nil {
			if !errors.As(err, &refused) || refused.Code == "" || refused.Message == "" {
				t.Fatal(err)
			}
			return
		}
		if _, err := ossie.Translate(cat, &a.Query); err != nil && (!errors.As(err, &refused) || refused.Code == "") {
			t.Fatal(err)
		}
		text, err := json.Marshal(&a.Query)
		if err != nil {
			t.Fatal(err)
		}
		again, err := decode(t, string(text))
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		second, err := json.Marshal(&again.Query)
		if err != nil || string(second) != string(text) {
			t.Fatalf("%s and %s: %v", text, second, err)
		}
	})
}
