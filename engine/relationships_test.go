package engine_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/engine/describe"
)

// joined has a relationship of every cardinality, an inner one and a broken one.
const joined = `
version: 0.2.0.dev0
name: m
datasets:
  - name: a
    source: a
    primary_key: [id]
    fields:
      - {name: id, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: id}]}}
      - {name: b_id, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: b_id}]}}
      - {name: tag, datatype: String, expression: {dialects: [{dialect: ANSI_SQL, expression: tag}]}}
  - name: b
    source: b
    primary_key: [id]
    fields:
      - {name: id, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: id}]}}
      - {name: tag, datatype: String, expression: {dialects: [{dialect: ANSI_SQL, expression: tag}]}}
relationships:
  - {name: proven, from: a, to: b, from_columns: [b_id], to_columns: [id]}
  - {name: both_keys, from: a, to: b, from_columns: [id], to_columns: [id]}
  - {name: by_word, from: a, to: b, from_columns: [tag], to_columns: [tag], cardinality: many_to_many}
  - {name: nothing_says, from: a, to: b, from_columns: [tag], to_columns: [tag]}
  - name: dropping
    from: a
    to: b
    from_columns: [b_id]
    to_columns: [id]
    custom_extensions: [{vendor_name: SEMLAYER, data: '{"v": "1.9", "join_type": "inner"}'}]
metrics:
  - {name: n, expression: {dialects: [{dialect: ANSI_SQL, expression: COUNT(a.id)}]}}
  - {name: broken, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(a.nothing)}]}}
`

func TestRelationships_ReportProvenCardinality(t *testing.T) {
	e, err := engine.Open(t.Context(), engine.Config{ModelText: []byte(joined)})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	edge := func(name, from, to, cardinality, join string) describe.Relationship {
		return describe.Relationship{Name: name, From: "a", To: "b", FromColumns: []string{from}, ToColumns: []string{to}, Cardinality: cardinality, JoinType: join}
	}
	want := []describe.Relationship{
		edge("proven", "b_id", "id", "many_to_one", "left"),
		edge("both_keys", "id", "id", "one_to_one", "left"),
		edge("by_word", "tag", "tag", "many_to_many", "left"),
		edge("nothing_says", "tag", "tag", "unproven", "left"),
		edge("dropping", "b_id", "id", "many_to_one", "inner"),
	}
	if d := cmp.Diff(want, e.Relationships()); d != "" {
		t.Error(d)
	}
}

func TestFindings_ListErrorsAndWarnings(t *testing.T) {
	e, err := engine.Open(t.Context(), engine.Config{ModelText: []byte(joined)})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	f := e.Findings()
	if len(f.CompileErrors) != 1 || f.CompileErrors[0].Code != "unknown_field" {
		t.Errorf("compile errors: %v", f.CompileErrors)
	}
	var codes []string
	for _, w := range f.Warnings {
		codes = append(codes, w.Code)
	}
	if d := cmp.Diff([]string{"relationship_target_not_unique"}, codes); d != "" {
		t.Error(d)
	}
}

func TestRelationships_ShowFieldsOfValidity(t *testing.T) {
	const text = `
version: 0.2.0.dev0
name: m
datasets:
  - name: a
    source: a
    fields:
      - {name: sku, datatype: String, expression: {dialects: [{dialect: ANSI_SQL, expression: sku}]}}
      - {name: day, datatype: Date, expression: {dialects: [{dialect: ANSI_SQL, expression: day}]}}
  - name: b
    source: b
    fields:
      - {name: sku, datatype: String, expression: {dialects: [{dialect: ANSI_SQL, expression: sku}]}}
      - {name: since, datatype: Date, expression: {dialects: [{dialect: ANSI_SQL, expression: since}]}}
      - {name: until, datatype: Date, expression: {dialects: [{dialect: ANSI_SQL, expression: until}]}}
relationships:
  - {name: closed, from: a, to: b, from_columns: [sku], to_columns: [sku], custom_extensions: [{vendor_name: SEMLAYER, data: '{"v": "1.10", "valid": {"at": "day", "from": "since", "to": "until"}}'}]}
  - {name: open, from: a, to: b, from_columns: [sku], to_columns: [sku], custom_extensions: [{vendor_name: SEMLAYER, data: '{"v": "1.10", "valid": {"at": "day", "from": "since"}}'}]}
`
	e, err := engine.Open(t.Context(), engine.Config{ModelText: []byte(text)})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	list := e.Relationships()
	if d := cmp.Diff([]string{"day", "since", "until"}, []string{list[0].Valid.At, list[0].Valid.From, list[0].Valid.To}); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]string{"many_to_one", "day", "since", ""}, []string{list[1].Cardinality, list[1].Valid.At, list[1].Valid.From, list[1].Valid.To}); d != "" {
		t.Error(d)
	}
	if f := e.Findings(); len(f.Warnings)+len(f.CompileErrors) > 0 {
		t.Errorf("%+v", f)
	}
}
