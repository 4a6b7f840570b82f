package lineage_test

import (
	"os"
	"path/filepath"
	"slices"
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
