package query_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/planner/query"
)

// A body that is written is read as the same query.
func TestMarshal_BodyIsReadAgain(t *testing.T) {
	for _, body := range []string{
		`{"metrics":["revenue"]}`,
		`{"metrics":["revenue",{"name":"n","expression":"COUNT(*)","dataset":"orders"},"cost"],"group_by":[{"field":"metric_time","grain":"month"},{"name":"e","expression":"a + 1"}],"limit":0,"offset":3}`,
		`{"metrics":["m"],"where_sql":"a < 'ü'","context_filter":"b > 1","time_ranges":{"b":{"start":"2024-01-01"},"a":{"end":"2024-01-01","dimension":"d"}},"order_by":[{"key":"m","desc":true}]}`,
		`{"metrics":["m"],"params":{"t":[1,2.50,"x"],"u":true},"time_range":{"last":{"n":3,"unit":"month"}},"as_of":"2024-05-01","time_zone":"Europe/Berlin","week_start":"sunday"}`,
		`{"metrics":["m"],"group_by":[{"field":"a"}],"totals":[[],["a"]],"shares":[{"metric":"m","of":["a"]}],"top":{"dimension":"a","n":3,"desc":false,"other":false}}`,
		`{"metrics":["m"],"time_range":{"start":"2024-01-01","end":"2025-01-01"},"compare":{"offset":{"count":1,"unit":"year"}},"fill":{"value":0},"fan_out":"once_per_group","with":[{"dataset":"o","name":"f","expression":"a","lod":{"grain":["b"]}}]}`,
		`{"metrics":["m"],"compare":[{"offset":{"count":1,"unit":"year"},"name":"ly","align":"weekday"},{"range":{"start":"2023-01-01","end":"2024-01-01"}}]}`,
		`{"metrics":["m"],"compare":[{"offset":{"count":1,"unit":"year"},"name":"ly"}]}`,
		`{"distinct":true,"from":"orders","group_by":[{"field":"a"}],"dialect":"mysql","pretty":true,"connection":"c"}`,
		`{"saved":"s","limit":null,"where_sql":null}`,
	} {
		want, err := query.DecodeMetric([]byte(body))
		if err != nil {
			t.Fatalf("%s: %v", body, err)
		}
		text, err := json.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		got, err := query.DecodeMetric(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
		} else if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s: %s", text, d)
		}
	}
	for _, body := range []string{
		`{"from":"orders","fields":["a","b:month"],"where_sql":"a = 'x'","time_range":{"start":"2024-01-01"},"order_by":[{"key":"a"}],"limit":7,"offset":1,"params":{"p":1},"pretty":true}`,
		`{"saved":"s","limit":null}`,
	} {
		want, err := query.DecodeDetail([]byte(body))
		if err != nil {
			t.Fatalf("%s: %v", body, err)
		}
		text, err := json.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		got, err := query.DecodeDetail(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
		} else if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s: %s", text, d)
		}
	}
}

func TestDecodeSQL_ReadsStrictly(t *testing.T) {
	got, err := query.DecodeSQL([]byte(`{"sql":"SELECT $1","params":["a",2.50,true,null],"context_filter":"a > 1","dialect":"mysql","connection":"c","pretty":true}`))
	if err != nil {
		t.Fatal(err)
	}
	want := &query.SQLStatement{
		SQL: "SELECT $1", ContextFilter: "a > 1", Dialect: "mysql", Connection: "c", Pretty: true,
		Params: []query.ParamValue{{Kind: query.StringValue, Text: "a"}, {Kind: query.NumberValue, Text: "2.50"}, {Kind: query.BoolValue, Text: "true"}, {Kind: query.NullValue, Text: "null"}},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	for _, body := range []string{`{}`, `{"sql":null}`, `{"sql":"a","params":[[]]}`, `{"sql":"a","params":{"a":1}}`, `{"sql":"a","limit":1}`, `{"statement":"a"}`} {
		if q, err := query.DecodeSQL([]byte(body)); err == nil {
			t.Errorf("%s is read as %+v", body, q)
		}
	}
}
