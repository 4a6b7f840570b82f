package query_test

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/semlayer/semlayer/planner/query"
)

// Every field of a query, at every depth, has its part in the key: one that is
// added to a type and forgotten there would let two queries share a result.
func TestKey_HoldsEveryField(t *testing.T) {
	for _, q := range []interface{ AppendCacheKey([]byte) []byte }{&query.MetricQuery{}, &query.DetailQuery{}, &query.SQLStatement{}} {
		v := reflect.ValueOf(q).Elem()
		fill(v)
		seen := map[string]string{string(q.AppendCacheKey(nil)): "nothing"}
		changed := 0
		change(v, v.Type().Name(), func(what string) {
			changed++
			key := string(q.AppendCacheKey(nil))
			if other, ok := seen[key]; ok {
				t.Errorf("a query with %s changed has the key of one with %s changed", what, other)
			}
			seen[key] = what
		})
		if changed < 12 {
			t.Fatalf("%T: only %d changes were tried", q, changed)
		}
	}
}

// A query with one field alone has another key than a query without any.
func TestKey_HoldsEachFieldAlone(t *testing.T) {
	for _, q := range []interface{ AppendCacheKey([]byte) []byte }{&query.MetricQuery{}, &query.DetailQuery{}, &query.SQLStatement{}} {
		none := string(q.AppendCacheKey(nil))
		v := reflect.ValueOf(q).Elem()
		for i := range v.NumField() {
			v.SetZero()
			name := v.Type().Field(i).Name
			if name == "Removed" {
				v.FieldByName("Saved").SetString("a")
				none = string(q.AppendCacheKey(nil))
			}
			if fill(v.Field(i)); v.Field(i).Kind() == reflect.Bool {
				v.Field(i).SetBool(true)
			}
			if string(q.AppendCacheKey(nil)) == none {
				t.Errorf("%T: the key is blind to %s", q, name)
			}
			none = string(reflect.New(v.Type()).Interface().(interface{ AppendCacheKey([]byte) []byte }).AppendCacheKey(nil))
		}
	}
}

// fill gives every field of v a value, lists one element.
func fill(v reflect.Value) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			fill(v.Field(i))
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fill(v.Index(0))
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem())
	case reflect.String:
		v.SetString("a")
	case reflect.Int64, reflect.Int:
		v.SetInt(1)
	case reflect.Uint8:
		v.SetUint(1)
	case reflect.Bool:
	default:
		panic(v.Kind())
	}
}

// change alters one thing in v at a time, reports it and reverts it.
func change(v reflect.Value, name string, tell func(what string)) {
	was := reflect.New(v.Type()).Elem()
	was.Set(v)
	to := func(what string, other reflect.Value) {
		v.Set(other)
		tell(what)
		v.Set(was)
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			change(v.Field(i), name+"."+v.Type().Field(i).Name, tell)
		}
	case reflect.Slice:
		to(name+" emptied", reflect.Zero(v.Type()))
		to(name+" doubled", reflect.AppendSlice(v, v))
		change(v.Index(0), name+"[0]", tell)
	case reflect.Pointer:
		to(name+" taken away", reflect.Zero(v.Type()))
		change(v.Elem(), name, tell)
	case reflect.String:
		to(name, reflect.ValueOf("b"))
		to(name+" lengthened", reflect.ValueOf("aa"))
		to(name+" emptied", reflect.ValueOf(""))
	case reflect.Int64, reflect.Int:
		to(name, reflect.ValueOf(-1).Convert(v.Type()))
	case reflect.Uint8:
		to(name, reflect.ValueOf(uint8(2)).Convert(v.Type()))
	case reflect.Bool:
		to(name, reflect.ValueOf(true))
	default:
		panic(v.Kind())
	}
}

func TestKey_SeparatesFields(t *testing.T) {
	apart := []query.MetricQuery{
		{Metrics: []string{"ab", "c"}},
		{Metrics: []string{"a", "bc"}},
		{Metrics: []string{"abc"}},
		{Metrics: []string{"abc", ""}},
		{WhereSQL: "a", ContextFilter: ""},
		{WhereSQL: "", ContextFilter: "a"},
		{TimeRange: &query.TimeRange{Start: "2024"}},
		{TimeRanges: []query.TaggedRange{{TimeRange: query.TimeRange{Start: "2024"}}}},
		{Params: []query.ParamBinding{{Name: "p", Values: []query.ParamValue{{Kind: query.NumberValue, Text: "1"}}}}},
		{Params: []query.ParamBinding{{Name: "p", Values: []query.ParamValue{{Kind: query.StringValue, Text: "1"}}}}},
		{Params: []query.ParamBinding{{Name: "p", Values: []query.ParamValue{{Kind: query.NumberValue, Text: "1"}}, List: true}}},
	}
	seen := map[string]int{}
	for i := range apart {
		key := string(apart[i].AppendCacheKey(nil))
		if j, ok := seen[key]; ok {
			t.Errorf("%+v and %+v have one key", apart[i], apart[j])
		}
		seen[key] = i
	}
	detail := query.DetailQuery{}
	if _, ok := seen[string(detail.AppendCacheKey(nil))]; ok {
		t.Error("a detail query has the key of a metric query")
	}
}

func TestKey_Appends(t *testing.T) {
	q := query.MetricQuery{Metrics: []string{"a"}}
	if got, want := string(q.AppendCacheKey([]byte("x"))), "x"+string(q.AppendCacheKey(nil)); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// Two bodies with one key request the same.
func FuzzKey_IdentifiesQuery(f *testing.F) {
	f.Add(everyMetricKey, everyMetricKey)
	f.Add(`{"metrics":["a"]}`, `{"metrics":["a"],"limit":0}`)
	f.Add(`{"metrics":["a"],"params":{"p":[1]}}`, `{"metrics":["a"],"params":{"p":1}}`)
	f.Fuzz(func(t *testing.T, one, other string) {
		a, err := query.DecodeMetric([]byte(one))
		if err != nil {
			return
		}
		b, err := query.DecodeMetric([]byte(other))
		if err != nil {
			return
		}
		same := cmp.Equal(a, b, cmpopts.EquateEmpty())
		if keys := string(a.AppendCacheKey(nil)) == string(b.AppendCacheKey(nil)); keys != same {
			t.Fatal(fmt.Sprint("the keys are the same: ", keys), cmp.Diff(a, b))
		}
	})
}
