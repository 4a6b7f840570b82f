package find_test

import (
	"slices"
	"testing"

	"github.com/semlayer/semlayer/engine/find"
	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/compile"
)

const harbour = `
version: 0.2.0.dev0
name: harbour
datasets:
  - name: damages
    source: damages
    ai_context: {synonyms: [accidents]}
    fields:
      - {name: cause, expression: {dialects: [{dialect: ANSI_SQL, expression: cause}]}}
      - {name: cost, expression: {dialects: [{dialect: ANSI_SQL, expression: cost}]}}
  - name: assets
    source: assets
    fields:
      - {name: cause, expression: {dialects: [{dialect: ANSI_SQL, expression: cause}]}}
  - name: lifts
    source: lifts
    fields:
      - {name: lift_id, expression: {dialects: [{dialect: ANSI_SQL, expression: lift_id}]}}
      - {name: direction, expression: {dialects: [{dialect: ANSI_SQL, expression: direction}]}}
metrics:
  - {name: repair_bill, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(damages.cost)}]}}
  - {name: lift_total, expression: {dialects: [{dialect: ANSI_SQL, expression: COUNT(lifts.lift_id)}]}}
  - {name: direction_share, expression: {dialects: [{dialect: ANSI_SQL, expression: MIN(lifts.lift_id)}]}}
`

func harbourIndex(t *testing.T) *find.Index {
	t.Helper()
	doc, err := modelspec.Parse([]byte(harbour))
	if err != nil {
		t.Fatal(err)
	}
	c, err := compile.Compile(t.Context(), doc, compile.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return find.NewIndex(c, "duckdb")
}

// A synonym of a dataset qualifies its fields and metrics as its name does.
func TestFind_SynonymsOfADatasetQualifyItsFields(t *testing.T) {
	x := harbourIndex(t)
	if got := first(t, x, "cause of the accidents"); got != "damages.cause" {
		t.Errorf("found %s", got)
	}
	hits := names(x.Find(find.SearchRequest{Text: "accidents", Limit: 10}).Hits)
	if hits[0] != "damages" || !slices.Contains(hits, "repair_bill") {
		t.Errorf("found %q", hits)
	}
}

// A word that only qualifies a hit still counts for what it names.
func TestFind_QualifiersOfAHitStillNameOthers(t *testing.T) {
	a := harbourIndex(t).Find(find.SearchRequest{Text: "lifts by direction", Limit: 3})
	if got := names(a.Hits); got[0] != "lifts.direction" || got[1] != "lifts" || a.Hits[1].Score <= 0.2 { // 0.13 if the word were spent as a name is
		t.Errorf("found %q, the second with %g", got, a.Hits[1].Score)
	}
}
