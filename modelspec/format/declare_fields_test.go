package format

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/modelspec"
)

const undeclared = `# of the harbour office
version: 0.2.0.dev0
semantic_model:
  - name: sea
    datasets:
      - name: ferries
        source: ferries
        fields: [{name: ferry, expression: ferry}]   # one
      - name: harbours
        source: harbours
    relationships:
      - {name: home, from: ferries, to: harbours, from_columns: [harbour_id], to_columns: [id]}
    metrics:
      - {name: seats, expression: SUM(ferries.seats)}
      - {name: doubled, expression: seats * 2}
      - {name: towns, expression: 'COUNT(DISTINCT home."Town") + COUNT(ferries.Ferry) + SUM(nowhere.x)'}
`

func TestDeclareMissingFields_AddsWhatTheModelNames(t *testing.T) {
	out, declared, err := DeclareMissingFields([]byte(undeclared), func(f MissingField) modelspec.Datatype {
		if f.Name == "seats" {
			return modelspec.DatatypeInteger
		}
		return ""
	})
	if err != nil {
		t.Fatal(err)
	}
	want := `# of the harbour office
version: 0.2.0.dev0
semantic_model:
  - name: sea
    datasets:
      - name: ferries
        source: ferries
        fields:  # one
          - {name: ferry, expression: {dialects: [{dialect: ANSI_SQL, expression: ferry}]}}
          # declared by semlayer fmt: the relationship home names the column
          - name: harbour_id
            expression: {dialects: [{dialect: ANSI_SQL, expression: harbour_id}]}
            custom_extensions:
              - {vendor_name: SEMLAYER, data: '{"v": "1.10", "is_dimension": false}'}
          # declared by semlayer fmt: the metric seats names the column
          - name: seats
            expression: {dialects: [{dialect: ANSI_SQL, expression: seats}]}
            datatype: Integer
            custom_extensions:
              - {vendor_name: SEMLAYER, data: '{"v": "1.10", "is_dimension": false}'}

      - name: harbours
        source: harbours
        fields:
          # declared by semlayer fmt: the relationship home names the column
          - name: id
            expression: {dialects: [{dialect: ANSI_SQL, expression: id}]}
            custom_extensions:
              - {vendor_name: SEMLAYER, data: '{"v": "1.10", "is_dimension": false}'}
          # declared by semlayer fmt: the metric towns names the column
          - name: Town
            expression: {dialects: [{dialect: ANSI_SQL, expression: '"Town"'}]}
            custom_extensions:
              - {vendor_name: SEMLAYER, data: '{"v": "1.10", "is_dimension": false}'}
`
	if diff := cmp.Diff(want, string(out)[:min(len(out), len(want))]); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	if len(declared) != 4 {
		t.Errorf("%+v", declared)
	}
	again, declared, err := DeclareMissingFields(out, nil)
	if err != nil || len(declared) != 0 || string(again) != string(out) {
		t.Errorf("a second time: %v, %v\n%s", declared, err, again)
	}
}

func TestDeclareMissingFields_RefusesWhatItCannotKeep(t *testing.T) {
	for text, want := range map[string]string{
		"version: 0.2.0.dev0\nname: m\ndatasets:\n  - {name: a, source: a, fields: &f [{name: x, expression: x}]}\n  - {name: b, source: b, fields: *f}\nmetrics: [{name: m, expression: SUM(b.y)}]":    "the fields of b are shared by an alias",
		`{"version": "0.2.0.dev0", "name": "m", "datasets": [{"name": "a", "source": "a"}], "metrics": [{"name": "m", "expression": {"dialects": [{"dialect": "ANSI_SQL", "expression": "SUM(x)"}]}}]}`: "the model is JSON",
	} {
		if _, _, err := DeclareMissingFields([]byte(text), nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
