package lineage_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const clinic = `version: 0.2.0.dev0
name: clinic
datasets:
  - name: visits
    source: visits
    primary_key: [id]
    fields:
      - {name: id, expression: {dialects: [{dialect: ANSI_SQL, expression: id}]}}
      - {name: member, expression: {dialects: [{dialect: ANSI_SQL, expression: member}]}}
      - {name: fee, expression: {dialects: [{dialect: ANSI_SQL, expression: fee}]}}
      - {name: kind, expression: {dialects: [{dialect: ANSI_SQL, expression: kind}]}}
      - {name: place, expression: {dialects: [{dialect: ANSI_SQL, expression: members.town}]}}
  - name: members
    source: members
    primary_key: [member]
    fields:
      - {name: member, expression: {dialects: [{dialect: ANSI_SQL, expression: member}]}}
      - {name: town, expression: {dialects: [{dialect: ANSI_SQL, expression: town}]}}
      - {name: rate, expression: {dialects: [{dialect: ANSI_SQL, expression: rate}]}}
relationships:
  - {name: member_of, from: visits, to: members, from_columns: [member], to_columns: [member]}
metrics:
  - {name: oslo, expression: {dialects: [{dialect: ANSI_SQL, expression: "SUM(CASE WHEN members.town = 'oslo' THEN visits.fee * members.rate END)"}]}}
  - {name: long, expression: {dialects: [{dialect: ANSI_SQL, expression: "MEDIAN(visits.fee) FILTER (WHERE visits.kind = 'long' AND visits.fee > 0)"}]}}
  - {name: counted, expression: {dialects: [{dialect: ANSI_SQL, expression: "COUNT(*) FILTER (WHERE visits.kind = 'long')"}]}}
  - name: towns
    expression: {dialects: [{dialect: ANSI_SQL, expression: "COUNT(CASE WHEN members.town = 'oslo' THEN 1 END)"}]}
    custom_extensions: [{vendor_name: SEMLAYER, data: '{"v": "1.10", "dataset": "visits"}'}]
`

func TestLineage_FieldsOfJoinedDatasets(t *testing.T) {
	path := filepath.Join(t.TempDir(), "clinic.yaml")
	if err := os.WriteFile(path, []byte(clinic), 0o600); err != nil {
		t.Fatal(err)
	}
	got := drawn(whole(t, compiled(t, path)))
	for _, want := range []string{
		"field:members.town reads field:visits.place",
		"field:members.town filters measure:visits_town_fee_rate_sum",
		"field:members.rate reads measure:visits_town_fee_rate_sum",
		"field:visits.fee reads measure:visits_town_fee_rate_sum",
		"dataset:visits rows measure:visits_town_count",
		"field:members.town filters measure:visits_town_count",
	} {
		if !slices.Contains(got, want) {
			t.Errorf("no %s in %q", want, got)
		}
	}
	if slices.Contains(got, "field:members.town reads measure:visits_town_fee_rate_sum") {
		t.Error("a condition is drawn as a value")
	}
}

func TestLineage_FieldsOfFilter(t *testing.T) {
	path := filepath.Join(t.TempDir(), "clinic.yaml")
	if err := os.WriteFile(path, []byte(clinic), 0o600); err != nil {
		t.Fatal(err)
	}
	got := drawn(whole(t, compiled(t, path)))
	for _, want := range []string{
		"field:visits.fee reads measure:visits_kind_fee_median",
		"field:visits.kind filters measure:visits_kind_fee_median",
		"field:visits.kind filters measure:visits_kind_count",
		"dataset:visits rows measure:visits_kind_count",
	} {
		if !slices.Contains(got, want) {
			t.Errorf("no %s in %q", want, got)
		}
	}
	if slices.Contains(got, "field:visits.kind reads measure:visits_kind_fee_median") {
		t.Error("a condition is drawn as a value")
	}
}

func TestLineage_MetricGraphHasTheDatasetsThatItsJoinsCross(t *testing.T) {
	path := filepath.Join(t.TempDir(), "clinic.yaml")
	text := strings.Replace(clinic, "relationships:\n", `  - name: lands
    source: lands
    primary_key: [town]
    fields:
      - {name: town, expression: {dialects: [{dialect: ANSI_SQL, expression: town}]}}
      - {name: land, expression: {dialects: [{dialect: ANSI_SQL, expression: land}]}}
      - name: fees
        expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(visits.fee)}]}
        custom_extensions: [{vendor_name: SEMLAYER, data: '{"v": "1.9", "lod": {"grain": ["town"]}}'}]
relationships:
  - {name: land_of, from: members, to: lands, from_columns: [town], to_columns: [town]}
`, 1) + `  - {name: abroad, expression: {dialects: [{dialect: ANSI_SQL, expression: "SUM(visits.fee) FILTER (WHERE lands.land = 'no')"}]}}
  - {name: homes, expression: {dialects: [{dialect: ANSI_SQL, expression: "COUNT(DISTINCT member_of.land_of.land)"}]}}
  - {name: mean, expression: {dialects: [{dialect: ANSI_SQL, expression: "AVG(lands.fees)"}]}}
`
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	c := compiled(t, path)
	for _, metric := range []string{"abroad", "homes", "mean"} {
		got := drawn(part(t, c, metric))
		for _, want := range []string{
			"table:members source dataset:members", "table:visits source dataset:visits",
			"dataset:visits joins dataset:members", "dataset:members joins dataset:lands",
		} {
			if !slices.Contains(got, want) {
				t.Errorf("%s: no %s in %q", metric, want, got)
			}
		}
	}
	if got := drawn(part(t, c, "counted")); slices.Contains(got, "dataset:members") {
		t.Errorf("counted reads no members: %q", got)
	}
}
