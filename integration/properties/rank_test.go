package properties_test

import (
	"strings"
	"testing"

	"github.com/semlayer/semlayer/planner/query"
)

func TestLaws_RankByOwnConditionsChangesNothing(t *testing.T) { holdLaw(t, rankLaw) }

// topQuestion returns a random question with top; nil where the random choice made none.
func (r *maker) topQuestion() *question {
	for range 40 {
		if q := r.fullQuestion(); q.Top != nil {
			return q
		}
	}
	return nil
}

func rankLaw(r *maker, ask asker) (string, bool) {
	q := r.topQuestion()
	if q == nil {
		return "", false
	}
	want, err := ask(q)
	if err != nil {
		return "", false
	}
	ranked := q.clone()
	top := *q.Top
	top.Rank = &query.TopRank{WhereSQL: &q.WhereSQL}
	if len(q.TimeRanges) == 0 {
		top.Rank.TimeRange, top.Rank.AllTimes = q.TimeRange, q.TimeRange == nil
	}
	ranked.Top = &top
	got, err := ask(ranked)
	if err != nil && strings.Contains(err.Error(), "unsupported_filter") { // of the engine or of the reference
		return "", false // where_sql has a condition on the result, which ranks nothing
	}
	if err != nil {
		return ranked.json() + "\n" + err.Error(), true
	}
	return compareTables(ranked, want, got), true
}
