package lookml_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/modelspec/importer"
)

// A list may begin with a comma, as LookML that programs write has it.
func TestRead_ListsMayBeginWithAComma(t *testing.T) {
	result, err := settle(t, "view: crossings {\n  dimension_group: sailed { type: time timeframes: [, date, month] }\n  measure: n { type: count filters: [, harbour: \"Moss\"] }\n  dimension: harbour {}\n}")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string(nil), losses(result)); diff != "" {
		t.Error(diff)
	}
}

const harbours = "view: harbours {\n  dimension: harbour { primary_key: yes }\n  measure: harbour_count { type: count }\n}\n"

// A file that cannot be read is a dropped entry with its mistakes, and the other files are imported.
func TestRead_AFileWithMistakesLeavesTheOthers(t *testing.T) {
	const broken = `view: tides {
  dimension: tide { sql: ${TABLE}.tide ;; }
  dimension: height { type number }
  dimension: moon { tags: ["new" "full"] }
}
explore: tides {}
view: winds {
  dimension: wind { primary_key: yes sql: ${TABLE}.wind ;;
  measure: wind_count { type: count }
`
	result, err := settle(t, broken, harbours)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"dropped file f1.lkml: line 3: a colon is missing after type; line 4: a comma or ] is expected, not \"\\\"\"; " +
			"line 8: the block that begins here is not closed: a } is missing",
	}
	if diff := cmp.Diff(want, losses(result)); diff != "" {
		t.Error(diff)
	}
	var exact []string
	for _, e := range result.Entries {
		if e.Outcome == importer.OutcomeExact {
			exact = append(exact, fmt.Sprintf("%s:%d %s", e.File, e.Line, e.Name))
		}
	}
	if diff := cmp.Diff([]string{"f2.lkml:1 harbours", "f2.lkml:2 harbours.harbour", "f2.lkml:3 harbours.harbour_count"}, exact); diff != "" {
		t.Error(diff)
	}

	_, err = settle(t, broken)
	if e := (*importer.Error)(nil); !errors.As(err, &e) || e.File != "f1.lkml" || e.Line != 3 {
		t.Errorf("an import of nothing: %v", err)
	}
}

// A refinement holds wherever it is written: here in a file before that of its view.
func TestRead_RefinementsHoldBeforeTheirViews(t *testing.T) {
	result, err := settle(t, "view: +harbours {\n  label: \"Ports\"\n  measure: town_count { type: count_distinct sql: ${town} ;; }\n}\n", "view: harbours {\n  dimension: town {}\n}\n")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string(nil), losses(result)); diff != "" || !strings.Contains(string(result.Model), "COUNT(DISTINCT harbours.town)") || !strings.Contains(string(result.Model), "Ports") {
		t.Errorf("%s\n%s", diff, result.Model)
	}
}

// Measures of one name are all renamed: none has the name because its view comes first.
func TestRead_MeasuresOfOneNameAreAllRenamed(t *testing.T) {
	result, err := settle(t, strings.ReplaceAll(harbours, "harbour_count", "count"), strings.NewReplacer("harbour_count", "count", "harbour", "tide").Replace(harbours))
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"approximated measure harbours.count: another measure has the same name", "approximated measure tides.count: another measure has the same name"}
	if diff := cmp.Diff(want, losses(result)); diff != "" {
		t.Error(diff)
	}
	for _, name := range []string{"harbours_count", "tides_count"} {
		if !strings.Contains(string(result.Model), "- name: "+name+"\n") {
			t.Errorf("%s is missing in\n%s", name, result.Model)
		}
	}
}
