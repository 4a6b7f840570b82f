package clients_test

import (
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	client "github.com/semlayer/semlayer/clients/go"
	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/engine/describe"
	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/planner/query"
)

// The client imports no module of the server, and so declares the wire types a second time.
// Here the two are held against each other, key by key and as deep as they go.
func TestTypes_MatchEngine(t *testing.T) {
	for _, pair := range []struct{ engine, client any }{
		{engine.ModelInfo{}, client.Model{}},
		{engine.Capabilities{}, client.Capabilities{}},
		{describe.Dataset{}, client.Dataset{}},
		{describe.Metric{}, client.Metric{}},
		{describe.Dimension{}, client.Dimension{}},
		{engine.ConnectionInfo{}, client.Connection{}},
		{engine.Validation{}, client.Validation{}},
		{engine.Compiled{}, client.Compiled{}},
		{engine.Explained{}, client.Explained{}},
		{engine.Attribution{}, client.Attribution{}},
		{query.GroupBy{}, client.GroupBy{}},
		{query.OrderBy{}, client.OrderBy{}},
		{query.TimeRange{}, client.TimeRange{}},
	} {
		ours, theirs := reflect.TypeOf(pair.engine), reflect.TypeOf(pair.client)
		if d := cmp.Diff(keys(ours, ""), keys(theirs, "")); d != "" {
			t.Errorf("%s and %s: %s", ours, theirs, d)
		}
	}
	// An error has the fields of every stage.
	all := map[string]bool{}
	for _, stage := range []any{planerr.Error{}, modelspec.CompileError{}, engine.ExecuteError{}, engine.BusyError{}, engine.SQLError{}} {
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

// TestTypes_QueriesHaveEveryBodyKey compares the fields of the client's queries with the keys that a body has.
func TestTypes_QueriesHaveEveryBodyKey(t *testing.T) {
	for _, c := range []struct {
		keys  []query.KeyDescription
		query any
	}{
		{query.MetricKeys(), client.MetricQuery{}},
		{query.DetailKeys(), client.DetailQuery{}},
		{query.AttributeKeys(), client.AttributeQuery{}},
		{query.SQLKeys(), client.SQLStatement{}},
	} {
		var read, sent []string
		for _, k := range c.keys {
			read = append(read, k.Name)
		}
		fields := reflect.TypeOf(c.query)
		for i := range fields.NumField() {
			name, _, _ := strings.Cut(fields.Field(i).Tag.Get("json"), ",")
			if name != "-" {
				sent = append(sent, name)
			}
		}
		if d := cmp.Diff(slices.Sorted(slices.Values(read)), slices.Sorted(slices.Values(sent))); d != "" {
			t.Errorf("%s: %s", fields, d)
		}
	}
}
