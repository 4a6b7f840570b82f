package properties_test

import (
	"testing"

	"github.com/semlayer/semlayer/integration/internal/table"
	"github.com/semlayer/semlayer/planner/query"
)

func TestLaws_LocalFieldEqualsTheFieldOfTheModel(t *testing.T) {
	t.Parallel()
	laws(t, 4, func(t *testing.T, r *maker, s *subject) bool {
		q := &question{}
		undo := r.localField(&q.With)
		defer undo()
		if len(q.With) == 0 {
			return false
		}
		field := q.With[len(q.With)-1]
		x := pick(r, r.m.additive())
		ref := field.Dataset + "." + field.Name
		q.Metrics, q.GroupBy = []string{x.name}, []query.GroupBy{{Field: ref}}
		if r.chance(50) {
			q.GroupBy, q.WhereSQL = nil, ref+" IS NOT NULL"
		}
		got, _, err := s.answer(t.Context(), q.json())
		if err != nil {
			return false // the metric does not reach the field
		}
		other := openSubject(t, 0, r.m.clone())
		defer other.close()
		q.With = nil
		if diff := table.Diff(other.rows(t, q), got, false); diff != "" {
			t.Errorf("%s with %+v\n%s", q.json(), field, diff)
		}
		return true
	})
}

func TestLaws_UTCIsNoTimeZone(t *testing.T) {
	t.Parallel()
	laws(t, 1, func(t *testing.T, r *maker, s *subject) bool {
		for range 25 {
			q := r.fullQuestion()
			q.TimeZone = ""
			for _, dialect := range comparedDialects {
				q.TimeZone = ""
				none := compiledFor(t, s, q, dialect)
				q.TimeZone = "UTC"
				if text := compiledFor(t, s, q, dialect); text != none {
					t.Errorf("%s\n%s\n%s", q.json(), none, text)
				}
			}
		}
		return true
	})
}
