package lookml_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// What shows values, and the timeframes that are the field itself, are not losses.
func TestRead_PresentationIsNotALoss(t *testing.T) {
	result, err := settle(t, `
map_layer: coast { file: "coast.json" }
view: crossings {
  set: places { fields: [harbour] }
  drill_fields: [harbour]
  dimension: harbour { map_layer_name: coast html: {{ value }} ;; link: { label: "open" url: "x" } suggestable: no }
  dimension_group: sailed { type: time timeframes: [raw, time, date] }
  measure: crossing_count { type: count drill_fields: [places*] }
}`)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"presentation map_layer coast: it is presentation",
		"presentation set crossings.places: it is presentation",
		"presentation drill_fields crossings: it is presentation",
		"presentation map_layer_name crossings.harbour: it is presentation",
		"presentation html crossings.harbour: it is presentation",
		"presentation link crossings.harbour: it is presentation",
		"presentation suggestable crossings.harbour: it is presentation",
		"presentation timeframe crossings.sailed_raw: the field without a grain has these values",
		"presentation timeframe crossings.sailed_time: the field without a grain has these values",
		"presentation drill_fields crossings.crossing_count: it is presentation",
	}
	if diff := cmp.Diff(want, losses(result)); diff != "" || result.HasLosses() {
		t.Errorf("a loss: %t\n%s", result.HasLosses(), diff)
	}
}
