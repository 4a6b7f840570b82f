package clients_test

import (
	"errors"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	client "github.com/semlayer/semlayer/clients/go"
	"github.com/semlayer/semlayer/engine"
)

// The client imports no module of the server, and so declares the wire types a second time.
// Here the two are held against each other, key by key and as deep as they go.
func TestTypes_MatchEngine(t *testing.T) {
	for _, pair := range []struct{ engine, client any }{
		{engine.ModelInfo{}, client.Model{}},
		{engine.Capabilities{}, client.Capabilities{}},
		{engine.DatasetInfo{}, client.Dataset{}},
		{engine.MetricInfo{}, client.Metric{}},
		{engine.DimensionInfo{}, client.Dimension{}},
		{engine.ConnectionInfo{}, client.Connection{}},
		{engine.Validation{}, client.Validation{}},
		{engine.Compiled{}, client.Compiled{}},
		{engine.Explained{}, client.Explained{}},
		{engine.Attribution{}, client.Attribution{}},
		{engine.GroupBy{}, client.GroupBy{}},
		{engine.OrderBy{}, client.OrderBy{}},
		{engine.TimeRange{}, client.TimeRange{}},
	} {
		ours, theirs := reflect.TypeOf(pair.engine), reflect.TypeOf(pair.client)
		if d := cmp.Diff(keys(ours, ""), keys(theirs, "")); d != "" {
			t.Errorf("%s and %s: %s", ours, theirs, d)
		}
	}
	// An error has the fields of every stage.
	all := map[string]bool{}
	for _, stage := range []any{engine.PlanError{}, engine.CompileError{}, engine.ExecuteError{}, engine.BusyError{}} {
		for _, k := range keys(reflect.TypeOf(stage), "") {
			all[k] = true
		}
	}
	if d := cmp.Diff(slices.Sorted(maps.Keys(all)), keys(reflect.TypeFor[client.Error](), "")); d != "" {
		t.Error(d)
	}
}

// keys lists the JSON keys of a type in order, each with its path and the kind
// of JSON that it holds.
func keys(t reflect.Type, path string) []string {
	var out []string
	for i := range t.NumField() {
		f := t.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case f.Anonymous && name == "":
			out = append(out, keys(f.Type, path)...)
			continue
		case name == "-" || !f.IsExported():
			continue
		}
		under, shape := f.Type, ""
		for under.Kind() == reflect.Pointer || under.Kind() == reflect.Slice || under.Kind() == reflect.Map {
			if under.Kind() != reflect.Pointer {
				shape += under.Kind().String() + " of "
			}
			under = under.Elem()
		}
		if under.Kind() == reflect.Struct {
			out = append(out, path+name+": "+shape+"object")
			out = append(out, keys(under, path+name+".")...)
			continue
		}
		out = append(out, path+name+": "+shape+under.Kind().String())
	}
	slices.Sort(out)
	return out
}

// The error for an unknown key lists those that a body has.
func TestTypes_QueriesHaveEveryBodyKey(t *testing.T) {
	const body = `{"no such key":1}`
	_, metricErr := engine.DecodeMetric([]byte(body))
	_, detailErr := engine.DecodeDetail([]byte(body))
	_, attributeErr := engine.DecodeAttribute([]byte(body))
	for _, c := range []struct {
		err   error
		query any
	}{
		{metricErr, client.MetricQuery{}},
		{detailErr, client.DetailQuery{}},
		{attributeErr, client.AttributeQuery{}},
	} {
		var refused *engine.PlanError
		if !errors.As(c.err, &refused) || len(refused.Candidates) == 0 {
			t.Fatal(c.err)
		}
		var sent []string
		query := reflect.TypeOf(c.query)
		for i := range query.NumField() {
			name, _, _ := strings.Cut(query.Field(i).Tag.Get("json"), ",")
			if name != "-" {
				sent = append(sent, name)
			}
		}
		if d := cmp.Diff(slices.Sorted(slices.Values(refused.Candidates)), slices.Sorted(slices.Values(sent))); d != "" {
			t.Errorf("%s: %s", query, d)
		}
	}
}
