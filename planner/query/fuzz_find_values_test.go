package query_test

import (
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/planner/query"
)

// A question that is accepted is within the bounds of docs/agents.md, holds what the standard library reads, and is the
// same as parameters of an address.
func FuzzDecodeFind_AcceptsQuestionsWithinBounds(f *testing.F) {
	for _, seed := range []string{
		`{"q":"revenue by region"}`, `{"q":"x","kinds":["metric","value"],"metrics":["a","b"],"limit":50,"offset":3}`, `{"q":""}`, `{"q":"\ud83d\ude00","limit":51}`,
		`{"q":"x","limit":"10","kinds":"metric"}`, `{"q":"x","kinds":["metrc"]}`, `{"q":"x","offset":-1}`, `{"query":"x"}`, `{"q":1}`, `null`, `[`, "",
	} {
		f.Add([]byte(seed))
	}
	kinds := []string{"metric", "dimension", "saved", "value", "dataset"}
	f.Fuzz(func(t *testing.T, body []byte) {
		q, err := query.DecodeFind(body)
		if err != nil {
			checkRefusal(t, body, err, func(patched []byte) error { _, err := query.DecodeFind(patched); return err })
			return
		}
		var twin struct {
			Q              string
			Kinds, Metrics []string
			Limit, Offset  *int64
		}
		if err := json.Unmarshal(body, &twin); err != nil {
			t.Fatalf("encoding/json refuses %q: %v", body, err)
		}
		if twin.Q != q.Text || !slices.Equal(twin.Kinds, q.Kinds) || !slices.Equal(twin.Metrics, q.Metrics) || q.Limit != orDefault(twin.Limit, 10) || q.Offset != orDefault(twin.Offset, 0) {
			t.Fatalf("%q: %+v and %+v", body, twin, q)
		}
		if n := utf8.RuneCountInString(q.Text); n < 1 || n > 500 || q.Limit < 1 || q.Limit > 50 || q.Offset < 0 {
			t.Fatalf("%q is accepted: %+v", body, q)
		}
		for _, kind := range q.Kinds {
			if !slices.Contains(kinds, kind) {
				t.Fatalf("%q: the kind %q is accepted", body, kind)
			}
		}
		for _, name := range q.Metrics {
			if strings.TrimSpace(name) != name || name == "" || strings.Contains(name, ",") {
				return // a list in an address cannot hold it
			}
		}
		parameters := map[string]string{
			"q": q.Text, "kinds": strings.Join(q.Kinds, ","), "metrics": strings.Join(q.Metrics, ","),
			"limit": strconv.FormatInt(q.Limit, 10), "offset": strconv.FormatInt(q.Offset, 10),
		}
		read, err := query.ReadFindURLParameters(func(name string) string { return parameters[name] })
		if err != nil || read.Text != q.Text || !slices.Equal(read.Kinds, q.Kinds) || !slices.Equal(read.Metrics, q.Metrics) || read.Limit != q.Limit || read.Offset != q.Offset {
			t.Fatalf("%q is another question in an address: %+v %v", body, read, err)
		}
	})
}

// A request for values that is accepted is within the bounds of docs/agents.md, holds what the standard library reads,
// and is the same as parameters of an address.
func FuzzDecodeValues_AcceptsRequestsWithinBounds(f *testing.F) {
	for _, seed := range []string{
		`{"field":"customers.region"}`, `{"field":"a.b","like":"%_\\'","where_sql":"x = 'y'","limit":1000,"offset":2,"connection":"c","dialect":"duckdb","fresh":true}`,
		`{"field":"a","limit":0}`, `{"field":"a","limit":1001}`, `{"like":"x"}`, `{"field":"a","fresh":"true"}`, `{"field":["a"]}`, `{"feild":"a"}`, `{"field":"\u0000"}`, `{}`, "",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		q, err := query.DecodeValues(body)
		if err != nil {
			checkRefusal(t, body, err, func(patched []byte) error { _, err := query.DecodeValues(patched); return err })
			return
		}
		var twin struct {
			Field, Like         string
			WhereSQL            string `json:"where_sql"`
			Limit, Offset       *int64
			Connection, Dialect string
			Fresh               bool
		}
		if err := json.Unmarshal(body, &twin); err != nil {
			t.Fatalf("encoding/json refuses %q: %v", body, err)
		}
		want := &query.ValuesQuery{
			Field: twin.Field, Like: twin.Like, WhereSQL: twin.WhereSQL, Limit: orDefault(twin.Limit, 20), Offset: orDefault(twin.Offset, 0),
			Connection: twin.Connection, Dialect: twin.Dialect, Fresh: twin.Fresh,
		}
		if diff := cmp.Diff(want, q); diff != "" {
			t.Fatalf("%q: %s", body, diff)
		}
		if q.Field == "" || utf8.RuneCountInString(q.Like) > 200 || q.Limit < 1 || q.Limit > 1000 || q.Offset < 0 {
			t.Fatalf("%q is accepted: %+v", body, q)
		}
		parameters := map[string]string{
			"field": q.Field, "like": q.Like, "where_sql": q.WhereSQL, "connection": q.Connection, "dialect": q.Dialect,
			"limit": strconv.FormatInt(q.Limit, 10), "offset": strconv.FormatInt(q.Offset, 10), "fresh": strconv.FormatBool(q.Fresh),
		}
		read, err := query.ReadValuesURLParameters(func(name string) string { return parameters[name] })
		if diff := cmp.Diff(q, read); err != nil || diff != "" {
			t.Fatalf("%q is another request in an address: %s %v", body, diff, err)
		}
	})
}

func orDefault(n *int64, value int64) int64 {
	if n == nil {
		return value
	}
	return *n
}

// checkRefusal expects an error with the code of a malformed body. A body with its suggested retry, if that is an object, is
// accepted or has an error of another code.
func checkRefusal(t *testing.T, body []byte, err error, decode func([]byte) error) {
	t.Helper()
	var refused *planerr.Error
	if !errors.As(err, &refused) || refused.Code != planerr.CodeBadRequest && refused.Code != "unknown_query_key" || !utf8.ValidString(refused.Message) {
		t.Fatalf("%q: %T %v", body, err, err)
	}
	if refused.SuggestedRetry == "" || !json.Valid([]byte(refused.SuggestedRetry)) {
		return // words
	}
	var again *planerr.Error
	if err := decode([]byte(merge(t, string(body), refused.SuggestedRetry))); errors.As(err, &again) && again.Code == refused.Code {
		t.Fatalf("%q with %s has the same code: %v", body, refused.SuggestedRetry, err)
	}
}
