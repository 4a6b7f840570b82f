package cube_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Keys that have their defaults make no entry, and what shows values is not a loss.
func TestRead_DefaultsAndPresentationAreNotLosses(t *testing.T) {
	for name, c := range map[string]struct {
		cube, dimension, measure string
		want                     []string
		isLoss                   bool
	}{
		"defaults": {"public: true, shown: true, data_source: default", "public: true, shown: true", "public: true, shown: true", nil, false},
		"presentation": {"hierarchies: [{name: places, levels: [harbour]}]", "format: link, suggest_filter_values: false, links: [{name: a, url: b}]", "format: percent, drill_members: [harbour]", []string{
			"presentation hierarchy crossings.places: no view has all of its levels",
			"presentation dimension key crossings.harbour.format: it is presentation",
			"presentation dimension key crossings.harbour.links: it is presentation",
			"presentation dimension key crossings.harbour.suggest_filter_values: it is presentation",
			"presentation measure key crossings.cars_total.format: it is presentation",
			"presentation measure key crossings.cars_total.drill_members: it is presentation",
		}, false},
		"other values": {"public: false, data_source: archive", "public: false", "public: false", []string{
			"dropped cube key crossings.public: a dataset cannot be hidden",
			"dropped cube key crossings.data_source: a model has one connection: the tables of another one are in another model",
			"dropped measure key crossings.cars_total.public: it has no counterpart",
		}, true},
	} {
		result, err := read("cubes: [{name: crossings, sql_table: crossings, " + c.cube + ", dimensions: [{name: harbour, sql: harbour, type: string, " + c.dimension +
			"}], measures: [{name: cars_total, sql: cars, type: sum, " + c.measure + "}]}]")
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if diff := cmp.Diff(c.want, lossesOf(result)); diff != "" || result.HasLosses() != c.isLoss {
			t.Errorf("%s: a loss: %t\n%s", name, result.HasLosses(), diff)
		}
	}
}
