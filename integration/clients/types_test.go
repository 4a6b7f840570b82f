package clients_test

import (
	"maps"
	"os"
	"reflect"
	"regexp"
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

// TestTypes_ResultsHaveEveryMember looks each member that a result has besides its rows up in the clients and in the page.
func TestTypes_ResultsHaveEveryMember(t *testing.T) {
	held := map[string]string{
		"client.Result": strings.Join(keys(reflect.TypeFor[client.Result](), ""), "\n"), "client.Compiled": strings.Join(keys(reflect.TypeFor[client.Compiled](), ""), "\n"),
	}
	for name, part := range map[string][3]string{
		"the values that result.py reads": {"../../clients/python/src/semlayer/result.py", "\n_END:", "\n}"},
		"the fields of Result":            {"../../clients/python/src/semlayer/result.py", "\n    dialect: str", "\n    def "},
		"Compiled of types.py":            {"../../clients/python/src/semlayer/types.py", "\nclass Compiled(", "\n\n\n"},
		"docs/http.md":                    {"../../docs/http.md", "an execution may have", "in this order"},
	} {
		text, err := os.ReadFile(part[0])
		_, from, begins := strings.Cut(string(text), part[1])
		section, _, ends := strings.Cut(from, part[2])
		if err != nil || !begins || !ends {
			t.Fatalf("%s has no part from %q to %q: %v", part[0], part[1], part[2], err)
		}
		held[name] = section
	}
	for _, k := range keys(reflect.TypeFor[engine.ResultEnd](), "") {
		if name, _, _ := strings.Cut(k, ":"); !strings.Contains(name, ".") {
			for where, text := range held {
				if !regexp.MustCompile(`\b` + name + `\b`).MatchString(text) {
					t.Errorf("%s: nothing of the member %s", where, name)
				}
			}
		}
	}
}
