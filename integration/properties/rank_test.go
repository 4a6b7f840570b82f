package properties_test

import (
	"slices"
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

// A ranking over random rows keeps the values that the reference keeps.
func TestReference_RanksByOtherRows(t *testing.T) {
	t.Parallel()
	answered := 0
	for seed := uint64(1); seed <= 25; seed++ {
		r := newMaker(seed)
		m := r.model()
		s := openSubject(t, seed, m)
		for range 12 {
			q := r.topQuestion()
			if q == nil {
				continue
			}
			top := *q.Top
			top.Rank = new(query.TopRank)
			if r.chance(60) {
				var metrics []*metric
				for _, x := range m.metrics {
					if slices.Contains(q.Metrics, x.name) {
						metrics = append(metrics, x)
					}
				}
				text := ""
				if places := slices.DeleteFunc(r.places(homesOf(metrics)), func(p place) bool { return !p.safe }); len(places) > 0 && r.chance(70) {
					text = r.inputCondition(places)
				}
				top.Rank.WhereSQL = &text
			}
			switch start, end := pick(r, bounds), pick(r, bounds); {
			case r.chance(30):
				top.Rank.AllTimes = true
			case start < end && q.TimeRange != nil:
				top.Rank.TimeRange = &query.TimeRange{Start: start, End: end, Dimension: q.TimeRange.Dimension}
			}
			q.Top = &top
			v := s.compareWithReference(t.Context(), q)
			if v.problem != "" {
				report(t, seed, m, q, v)
				break
			}
			answered += asInt(v.outcome == "answered")
		}
		s.close()
	}
	if answered < 20 {
		t.Errorf("only %d rankings were answered", answered)
	}
}
