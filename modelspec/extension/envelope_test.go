package extension_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/extension"
)

var owner = modelspec.Place{Location: "m", Position: modelspec.Position{Line: 1, Column: 1}}

// payloads makes the entries of one object, all of the vendor SEMLAYER.
func payloads(data ...string) []*modelspec.CustomExtension {
	var out []*modelspec.CustomExtension
	for i, d := range data {
		out = append(out, &modelspec.CustomExtension{
			Place:      modelspec.Place{Location: "m.custom_extensions[" + string(rune('0'+i)) + "]"},
			VendorName: "SEMLAYER", Data: modelspec.LocatedText{Value: d}, IsText: true,
		})
	}
	return out
}

// found lists findings as "code path", the path being that below the entry.
func found(d extension.Diagnostics) []string {
	var out []string
	short := func(location string) string { return strings.TrimPrefix(location, "m.custom_extensions[0].data") }
	for _, e := range d.Errors {
		out = append(out, e.Code+" "+short(e.Location))
	}
	for _, w := range d.Warnings {
		out = append(out, w.Code+" "+short(w.Location))
	}
	return out
}

func TestEnvelope_Validation(t *testing.T) {
	const entry = " m.custom_extensions[0]"
	for _, c := range []struct {
		what, data string
		want       []string
	}{
		{"the current version", `{"v": "1.10", "unit": "EUR"}`, nil},
		{"an older version", `{"v": "1.9", "unit": "EUR"}`, nil},
		{"no version is 1.0", `{"unit": "EUR"}`, nil},
		{"a null version is 1.0", `{"v": null, "unit": "EUR"}`, nil},
		{"nothing", `{}`, nil},
		{"a known key that is null", `{"window": null, "measure": null}`, nil},
		{"a newer minor", `{"v": "1.11", "unit": "EUR"}`, []string{"vendor_ext_version_ahead" + entry}},
		{"a newer minor with unknown keys", `{"v": "1.12", "color": "red", "window": {"type": "cumulative", "function": "sum", "speed": 1}}`, []string{"vendor_ext_version_ahead" + entry}},
		{"a newer major", `{"v": "2.0", "color": "red"}`, []string{"unsupported_vendor_ext_version .v"}},
		{"below 1.0", `{"v": "0.9"}`, []string{"unsupported_vendor_ext_version .v"}},
		{"a version that is a number", `{"v": 1.9}`, []string{"invalid_vendor_extension .v"}},
		{"a version of one part", `{"v": "1"}`, []string{"invalid_vendor_extension .v"}},
		{"a version of words", `{"v": "1.x"}`, []string{"invalid_vendor_extension .v"}},
		{"a key newer than declared", `{"v": "1.3", "derive": {"type": "compose", "expr": "a"}}`, []string{"vendor_ext_key_newer_than_declared .derive"}},
		{"a family newer than declared", `{"v": "1.2", "window": {"rank": {"function": "rank"}}}`, []string{"vendor_ext_key_newer_than_declared .window.rank"}},
		{"a scope newer than declared", `{"v": "1.8", "window": {"frame": {"function": "sum", "scope": "partition"}}}`, []string{"vendor_ext_key_newer_than_declared .window.frame.scope"}},
		{"the sugar is as old as the extension", `{"window": {"type": "cumulative", "function": "sum"}}`, nil},
		{"a silent key that is required", `{"v": "1.9", "measure": {"name": "x"}, "requires": ["measure"]}`, nil},
		{"a silent key that is not required", `{"v": "1.9", "measure": {"name": "x"}}`, []string{"vendor_ext_requires_missing .measure"}},
		{"a silent key in a block that is required", `{"v": "1.10", "requires": ["window.population"], "window": {"type": "cumulative", "population": "range"}}`, nil},
		{"a silent key in a block that is not required", `{"v": "1.10", "window": {"rank": {"function": "rank"}, "population": "all"}}`, []string{"vendor_ext_requires_missing .window.population"}},
		{"a silent key in a block whose family is required", `{"v": "1.10", "requires": ["window"], "window": {"type": "cumulative", "population": "all"}}`, []string{"vendor_ext_requires_missing .window.population"}},
		{"a span newer than declared", `{"v": "1.9", "window": {"type": "rolling", "function": "sum", "span": {"count": 2, "granularity": "day"}}}`, []string{"vendor_ext_key_newer_than_declared .window.span"}},
		{"requires of another carrier's key", `{"v": "1.9", "requires": ["lod"]}`, nil},
		{"requires of a key in a block", `{"v": "1.10", "requires": ["lod.via"]}`, nil},
		{"requires of a family of windows", `{"v": "1.10", "requires": ["window.recompute"], "window": {"recompute": {"periods": 3}}}`, nil},
		{"the path of a family as a key", `{"v": "1.10", "window.recompute": {"periods": 3}}`, []string{"invalid_vendor_extension .window.recompute"}},
		{"the path of a key as a key", `{"v": "1.10", "lod.via": ["a"]}`, []string{"invalid_vendor_extension .lod.via"}},
		{"requires of an unknown key", `{"v": "1.9", "requires": ["telepathy", "measure", "warp"]}`, []string{"vendor_ext_key_required .requires[0]", "vendor_ext_key_required .requires[2]"}},
		{"requires that is no list", `{"v": "1.9", "requires": "measure"}`, []string{"invalid_vendor_extension .requires"}},
		{"requires of numbers", `{"v": "1.9", "requires": [1]}`, []string{"invalid_vendor_extension .requires[0]"}},
		{"an unknown key", `{"v": "1.9", "colour": "red"}`, []string{"invalid_vendor_extension .colour"}},
		{"a key of another carrier", `{"v": "1.9", "is_dimension": true}`, []string{"invalid_vendor_extension .is_dimension"}},
		{"no JSON", `unit: EUR`, []string{"invalid_vendor_extension "}},
		{"JSON cut short", `{"unit": "EUR"`, []string{"invalid_vendor_extension "}},
		{"a list", `["unit"]`, []string{"invalid_vendor_extension "}},
		{"two values", `{} {}`, []string{"invalid_vendor_extension "}},
		{"a key twice", `{"unit": "a", "unit": "b"}`, []string{"invalid_vendor_extension "}},
		{"too long", `{"unit": "` + strings.Repeat("x", 1<<20) + `"}`, []string{"invalid_vendor_extension m.custom_extensions[0]"}},
		{"too deep", strings.Repeat(`{"a":`, 50) + "1" + strings.Repeat("}", 50), []string{"invalid_vendor_extension "}},
	} {
		t.Run(c.what, func(t *testing.T) {
			_, got := extension.ReadMetric(owner, payloads(c.data))
			if d := cmp.Diff(c.want, found(got)); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestEnvelope_NamesDroppedKeys(t *testing.T) {
	_, got := extension.ReadMetric(owner, payloads(`{"v": "1.12", "color": "red", "window": {"type": "cumulative", "function": "sum", "speed": 1}}`))
	want := "the payload declares version 1.12, newer than 1.10; dropped: color, window.speed"
	if got.Warnings[0].Message != want {
		t.Errorf("%q, want %q", got.Warnings[0].Message, want)
	}
}

func TestEnvelope_FirstValidPayloadWins(t *testing.T) {
	entries := payloads(`nonsense`, `{"unit": "EUR"}`, `{"unit": "USD"}`)
	entries[0].VendorName = "ACME"
	entries[1].VendorName = "datus"
	got, d := extension.ReadMetric(owner, entries)
	if got.Unit != "EUR" {
		t.Errorf("unit %q", got.Unit)
	}
	if diff := cmp.Diff([]string{"invalid_vendor_extension m.custom_extensions[2]"}, found(d)); diff != "" {
		t.Error(diff)
	}
}

func TestVendorName_ASlipIsRefusedAndOtherVendorsAreIgnored(t *testing.T) {
	const wrong = "invalid_vendor_extension m.custom_extensions[0]"
	for _, c := range []struct {
		name string
		want []string
	}{
		{"SEMLAYR", []string{wrong}},
		{"semlaeyr", []string{wrong}},
		{"Semlayer ", []string{wrong}},
		{"SEM_LAYER", []string{wrong}},
		{"SEMLAYERS", []string{wrong}},
		{"SEMALYRE", []string{wrong}},
		{"SemLayer", nil},
		{"Datus", nil},
		{"DATU", nil}, // of the alias no slips are known
		{"SEMANTIC", nil},
		{"PLAYER", nil},
		{"SNOWFLAKE", nil}, {"SALESFORCE", nil}, {"DBT", nil}, {"CUBE", nil}, {"TABLEAU", nil}, {"LOOKER", nil}, {"SIGMA", nil}, {"", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			entries := payloads(`{"v": "1.9"}`)
			entries[0].VendorName = c.name
			_, d := extension.ReadMetric(owner, entries)
			if diff := cmp.Diff(c.want, found(d)); diff != "" {
				t.Error(diff)
			}
			if want := `did you mean "SEMLAYER"?; see docs/extension.md#envelope`; len(d.Errors) > 0 && d.Errors[0].Hint != want {
				t.Errorf("hint %q, want %q", d.Errors[0].Hint, want)
			}
		})
	}
}

func TestEnvelope_RejectsNonStringData(t *testing.T) {
	entries := payloads("")
	entries[0].IsText = false
	_, d := extension.ReadMetric(owner, entries)
	if diff := cmp.Diff([]string{"invalid_vendor_extension m.custom_extensions[0]"}, found(d)); diff != "" {
		t.Error(diff)
	}
}

func TestHints_NearestKeyAndPage(t *testing.T) {
	for _, c := range []struct{ data, want string }{
		{`{"v": "1.9", "widow": {}}`, `did you mean "window"?; see docs/extension.md#envelope`},
		{`{"v": "1.9", "is_dimension": true}`, `it belongs on a field; see docs/extension.md#is_dimension`},
		{`{"v": "1.9", "window": {"type": "rolling", "function": "sum", "perids": 2}}`, `did you mean "periods"?; see docs/extension.md#window`},
		{`{"v": "3.1"}`, `the supported major version is 1; see docs/extension.md#envelope`},
		{`{"v": "1.9", "window": {"type": "cumulative", "function": "summ"}}`, `did you mean "sum"? one of sum, avg, min, max, count, stddev_pop, stddev_samp, var_pop, var_samp; see docs/extension.md#window`},
	} {
		_, d := extension.ReadMetric(owner, payloads(c.data))
		if len(d.Errors) == 0 || d.Errors[0].Hint != c.want {
			t.Errorf("%s: %+v, want %q", c.data, d.Errors, c.want)
		}
	}
}

func TestCarriers_KeysPerObject(t *testing.T) {
	for _, c := range []struct {
		what string
		read func() extension.Diagnostics
		want []string
	}{
		{"a model takes no key of a metric", func() extension.Diagnostics {
			_, d := extension.ReadModel(owner, payloads(`{"v": "1.9", "unit": "x"}`))
			return d
		}, []string{"invalid_vendor_extension .unit"}},
		{"a model may carry an envelope", func() extension.Diagnostics {
			_, d := extension.ReadModel(owner, payloads(`{"v": "1.9"}`))
			return d
		}, nil},
		{"a dataset's time_dimension is text", func() extension.Diagnostics {
			_, d := extension.ReadDataset(owner, payloads(`{"time_dimension": 1}`))
			return d
		}, []string{"invalid_vendor_extension .time_dimension"}},
		{"a relationship's join_type is closed", func() extension.Diagnostics {
			_, d := extension.ReadRelationship(owner, payloads(`{"join_type": "outer", "cardinality": "many"}`))
			return d
		}, []string{"invalid_vendor_extension .join_type", "invalid_vendor_extension .cardinality", "vendor_ext_key_newer_than_declared .cardinality"}},
		{"a field's granularity is closed", func() extension.Diagnostics {
			_, d := extension.ReadField(owner, payloads(`{"time_granularity": "fortnight", "is_dimension": "no", "v": "1.6"}`))
			return d
		}, []string{"invalid_vendor_extension .time_granularity", "invalid_vendor_extension .is_dimension"}},
	} {
		t.Run(c.what, func(t *testing.T) {
			if diff := cmp.Diff(c.want, found(c.read())); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestRegistry_ListsEveryContractKey(t *testing.T) {
	var got []string
	for _, k := range extension.AllKeyDefinitions() {
		if k.Summary == "" {
			t.Errorf("%s has no summary", k.Name)
		}
		got = append(got, string(k.Carrier)+" "+k.Name+" "+k.Since+" "+string(k.Impact))
	}
	want := []string{
		"semantic_model queries 1.10 loud",
		"semantic_model time_zone 1.10 silent",
		"semantic_model week_start 1.10 silent",
		"semantic_model rollups 1.10 cosmetic",
		"semantic_model views 1.10 loud",
		"dataset time_dimension 1.0 loud",
		"dataset calendar 1.10 loud",
		"dataset calendar.periods.whole 1.10 loud",
		"dataset label 1.10 cosmetic",
		"dataset freshness 1.10 cosmetic",
		"dataset sequence 1.10 loud",
		"field time_granularity 1.0 loud",
		"field params 1.5 loud",
		"field is_dimension 1.6 loud",
		"field time 1.7 silent",
		"field lod 1.8 loud",
		"field lod.via 1.10 loud",
		"field order 1.10 cosmetic",
		"relationship join_type 1.0 loud",
		"relationship cardinality 1.9 loud",
		"relationship valid 1.10 loud",
		"metric dataset 1.0 loud",
		"metric time_dimension 1.0 loud",
		"metric fill_nulls_with 1.0 loud",
		"metric window 1.0 loud",
		"metric window.population 1.10 silent",
		"metric window.span 1.10 loud",
		"metric window.recompute 1.10 loud",
		"metric subject_path 1.0 cosmetic",
		"metric unit 1.0 cosmetic",
		"metric format 1.0 cosmetic",
		"metric label 1.10 cosmetic",
		"metric headline 1.10 cosmetic",
		"metric better 1.10 cosmetic",
		"metric sql_aggregates 1.10 cosmetic",
		"metric grains 1.10 cosmetic",
		"metric derive 1.4 loud",
		"metric derive.include 1.10 loud",
		"metric derive.exclude 1.10 loud",
		"metric derive.only 1.10 loud",
		"metric derive.unfiltered 1.10 loud",
		"metric measure 1.4 silent",
		"metric params 1.5 loud",
		"metric non_additive 1.10 silent",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

// A mistake in the text of a payload is placed at its character, the last one too.
func TestEnvelope_PlacesMistakesOfJSON(t *testing.T) {
	for _, c := range []struct {
		data, message string
		line, column  int
	}{
		{`{"unit": "a",}`, "invalid character '}' looking for beginning of object key string", 1, 14},
		{`{"unit": x`, "invalid character 'x' looking for beginning of value", 1, 10},
		{`{"unit": "a"`, "unexpected end of the text", 1, 13},
		{`{"unit": "a"} x`, "there is text after the end of the JSON value", 1, 15},
		{`{"unit": "ä", "unit": "b"}`, `the key "unit" is given twice`, 1, 15},
		{`{"unit": "a", "unit": "b", x}`, `the key "unit" is given twice`, 1, 15},
		{`{x, "unit": "a", "unit": "b"}`, "invalid character 'x' looking for beginning of object key string", 1, 2},
		{`{"unit": ` + strings.Repeat("[", 20_000), "the payload is nested deeper than 32 levels", 1, 42},
	} {
		entries := payloads(c.data)
		entries[0].Data.Position = modelspec.Position{Line: 1, Column: 1}
		_, d := extension.ReadMetric(owner, entries)
		if len(d.Errors) != 1 {
			t.Errorf("%.40s: %d errors", c.data, len(d.Errors))
			continue
		}
		e := d.Errors[0]
		if e.Message != "data is not JSON: "+c.message || e.Position != (modelspec.Position{Line: c.line, Column: c.column}) {
			t.Errorf("%.40s: %s at %v", c.data, e.Message, e.Position)
		}
	}
}
