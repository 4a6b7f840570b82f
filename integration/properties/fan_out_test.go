package properties_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/semlayer/semlayer/integration/internal/table"
	"github.com/semlayer/semlayer/planner/query"
)

// bridgeName is the dataset whose rows lead to one row each of another one, which no key proves.
const bridgeName = "pairs"

// bridge adds a dataset with a row for each row of another dataset, and with its kind.
func (r *maker) bridge(to *dataset) {
	d := r.dataset(bridgeName)
	key := bridgeName + "_of"
	d.columns = append(d.columns, &col{key, sqlTypes[code]})
	d.fields = append(d.fields, &field{name: key, expr: key, kind: code, typed: true})
	for i, target := range to.rows {
		row := r.row(d, i)
		row[key], row[bridgeName+"_kind"] = target[to.key[0]], target[to.name+"_kind"]
		d.rows = append(d.rows, row)
	}
	r.m.datasets = append([]*dataset{d}, r.m.datasets...)
	r.m.relations = append(r.m.relations, &relation{
		name: bridgeName + "_" + to.name, from: d, to: to, fromF: []string{key}, toF: slices.Clone(to.key), proves: "many_to_one",
	})
}

func TestLaws_OncePerGroupOverPairsEqualsThePlainMetric(t *testing.T) {
	holdLawOver(t, newBridgeMaker, pairsLaw)
}

func TestLaws_OncePerGroupCountsDistinctKeys(t *testing.T) { holdLaw(t, onceLaw) }

// pairsLaw: over a bridge with one row for each row of a dataset, aggregates of rows that count once are
// those of the dataset.
func pairsLaw(r *maker, ask asker) (string, bool) {
	at := slices.IndexFunc(r.m.relations, func(rel *relation) bool { return rel.from.name == bridgeName })
	if at < 0 {
		return "", false
	}
	d := r.m.relations[at].to
	x := d.name + "." + pick(r, withoutParams(d.fieldsOf(whole, quarters))).name
	q := ofExpressions(
		[2]string{"n", "COUNT(" + x + ")"}, [2]string{"sum", "SUM(" + x + ")"}, [2]string{"mean", "AVG(" + x + ")"},
		[2]string{"middle", "MEDIAN(" + x + ")"}, [2]string{"spread", "VAR_POP(" + x + ")"}, [2]string{"kinds", "COUNT(DISTINCT " + d.name + "." + d.name + "_kind)"},
	)
	q.GroupBy = []query.GroupBy{{Field: d.name + "." + d.name + "_kind", Name: "kind"}}
	plain, err := ask(q)
	if err != nil {
		return "", false
	}
	over := q.clone()
	over.FanOut = query.FanOutOncePerGroup
	over.GroupBy = []query.GroupBy{{Field: bridgeName + "." + bridgeName + "_kind", Name: "kind"}}
	got, err := ask(over)
	if err != nil {
		return "", false // a kind that the model does not offer for groups
	}
	return compareTables(over, plain, got), true
}

// onceLaw: where joins repeat rows, a count of rows that count once is that of their distinct keys, and
// what repetition leaves as it is does not change.
func onceLaw(r *maker, ask asker) (string, bool) {
	rel, ok := r.joinable()
	if !ok {
		return "", false
	}
	d := rel.to
	x := d.name + "." + pick(r, withoutParams(d.fieldsOf(whole, quarters))).name
	key := d.name + "." + d.name + "_id"
	q := ofExpressions(
		[2]string{"ids", "COUNT(DISTINCT " + key + ")"}, [2]string{"low", "MIN(" + x + ")"}, [2]string{"high", "MAX(" + x + ")"}, [2]string{"n", "COUNT(" + key + ")"},
	)
	q.GroupBy = []query.GroupBy{{Field: rel.from.name + "." + rel.from.name + "_kind"}}
	q.FanOut = query.FanOutOncePerGroup
	got, err := ask(q)
	if err != nil {
		return "", false
	}
	today := q.clone()
	today.FanOut, today.Metrics = "", q.Metrics[:3]
	want, err := ask(today)
	if err != nil {
		return "", false // several datasets that lead to both, of which one has the joins of n
	}
	rest := &table.Table{Columns: want.Columns}
	for _, row := range got.Rows {
		if row[1] != row[4] {
			return fmt.Sprintf("%s\n%v has the count %v of %v keys", q.json(), row[0], row[4], row[1]), true
		}
		rest.Rows = append(rest.Rows, row[:4])
	}
	return compareTables(q, want, rest), true
}
