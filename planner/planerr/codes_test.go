package planerr_test

import (
	"encoding/json"
	"regexp"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/planner/planerr"
)

// The contract's codes, in its order, with the extras it promises.
var contract = []struct {
	code   string
	extras string
	status int
}{
	{"empty_query", "cr", 400}, {"dimensions_required", "mcr", 400}, {"unknown_metric", "mcr", 400}, {"unknown_dimension", "cr", 400},
	{"ambiguous_dimension", "c", 400}, {"grain_on_non_time_dimension", "r", 400}, {"grain_too_fine", "r", 400}, {"grain_not_supported", "mcr", 400},
	{"duplicate_output_name", "r", 400}, {"unknown_order_key", "cr", 400}, {"unsupported_filter", "c", 400},
	{"aggregate_in_where", "r", 400}, {"result_filter_metric_not_selected", "mcr", 400}, {"result_filter_unprojected", "r", 400},
	{"no_join_path", "m", 400}, {"ambiguous_join_path", "mcr", 400}, {"fan_out_risk", "mrh", 400},
	{"time_range_needs_dimension", "c", 400}, {"no_primary_time_dimension", "cr", 400}, {"time_range_required", "r", 400},
	{"time_grain_required", "r", 400}, {"fill_too_large", "r", 400}, {"metric_time_conflict", "", 400},
	{"unconformed_dimension", "mcr", 400}, {"unknown_metric_param", "cr", 400}, {"param_out_of_domain", "mr", 400},
	{"param_expansion_too_large", "mr", 400}, {"unknown_query_key", "cr", 400}, {"conflicting_keys", "cr", 400}, {"unknown_time_zone", "cr", 400}, {"unknown_saved_query", "cr", 400}, {"window_reset_too_fine", "r", 400},
	{"window_exclude_not_grouped", "mcr", 400}, {"dialect_unsupported_window_function", "mr", 400}, {"dialect_unsupported_aggregate", "m", 400}, {"dialect_unsupported_function", "m", 400}, {"unknown_dataset", "c", 400},
	{"detail_fanout", "cr", 400}, {"metric_in_detail_query", "mr", 400}, {"unknown_relationship", "cr", 400},
	{"invalid_relationship_path", "cr", 400}, {"unsupported_expression", "chl", 400}, {"denominator_nonpositive", "m", 400}, {"no_rollup", "mcr", 400}, {"unknown_view", "cr", 400}, {"unknown_rollup", "c", 400}, {"rollup_not_writable", "h", 400}, {"rollup_write_unsupported", "h", 400}, {"rollup_mismatch", "h", 400}, {"not_implemented", "mcr", 501},
	{"internal", "", 500}, {"bad_request", "cr", 400},
}

func TestCodes_RegistryMatchesContract(t *testing.T) {
	letters := map[planerr.ExtraFieldName]string{planerr.ExtraMetrics: "m", planerr.ExtraCandidates: "c", planerr.ExtraSuggestedRetry: "r", planerr.ExtraHint: "h", planerr.ExtraLocation: "l"}
	type row struct {
		Code, Extras string
		Status       int
	}
	var want, got []row
	for _, c := range contract {
		want = append(want, row{c.code, c.extras, c.status})
	}
	for _, i := range planerr.Codes() {
		r := row{i.Code, "", i.HTTPStatus}
		for _, e := range i.Extras {
			r.Extras += letters[e]
		}
		got = append(got, r)
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestCodes_EachIsDescribed(t *testing.T) {
	snake := regexp.MustCompile(`^[a-z]+(_[a-z]+)*$`)
	seen := map[string]bool{}
	for _, i := range planerr.Codes() {
		if !snake.MatchString(i.Code) || seen[i.Code] || i.When == "" || i.Since == "" {
			t.Errorf("%+v", i)
		}
		seen[i.Code] = true
		if (i.Retired != "") != (i.Code == "metric_time_conflict") {
			t.Errorf("%s retired: %q", i.Code, i.Retired)
		}
	}
}

func TestCodes_Lookup(t *testing.T) {
	if i, ok := planerr.Lookup("fan_out_risk"); !ok || i.HTTPStatus != 400 {
		t.Errorf("%+v %v", i, ok)
	}
	if i, ok := planerr.Lookup("no_such_code"); ok {
		t.Errorf("%+v", i)
	}
}

func TestError_MarshalsToWireShape(t *testing.T) {
	for want, e := range map[string]planerr.Error{
		`{"code":"c","message":"m"}`: {Code: "c", Message: "m", Fragment: map[string]any{"x": 1}},
		`{"code":"c","message":"m","metrics":["a"],"candidates":["b"],"suggested_retry":"{}"}`: {
			Code: "c", Message: "m", Metrics: []string{"a"}, Candidates: []string{"b"}, SuggestedRetry: "{}"},
	} {
		got, err := json.Marshal(&e)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(want, string(got)); d != "" {
			t.Error(d)
		}
	}
}
