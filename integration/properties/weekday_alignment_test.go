package properties_test

import (
	"testing"

	"github.com/semlayer/semlayer/planner/query"
)

// A comparison that is aligned to weekdays has the rows of the reference, and those of the same number of weeks.
func TestReference_AlignsComparisonsToWeekdays(t *testing.T) {
	t.Parallel()
	answered := 0
	for seed := uint64(1); seed <= 20; seed++ {
		r := newMaker(seed)
		m := r.model()
		s := openSubject(t, seed, m)
		for range 10 {
			c, ok := r.comparedQuestion()
			if !ok {
				continue
			}
			offset := &query.PeriodOffset{Count: int64(1 + r.IntN(4)), Unit: pick(r, []string{"month", "month", "quarter", "year"})}
			c.q.Compare = query.Comparisons{{Offset: offset, Align: query.AlignWeekday, Name: pick(r, []string{"", "before"})}}
			v := s.compareWithReference(t.Context(), c.q)
			if v.problem != "" {
				report(t, seed, m, c.q, v)
				break
			}
			answered += asInt(v.outcome == "answered")
			if v.code == "" || v.err == nil {
				continue
			}
			if wrong := s.followRetry(t.Context(), c.q, v.err); wrong != "" {
				t.Errorf("%s\n%v\n%s", c.q.json(), v.err, wrong)
			}
		}
		s.close()
	}
	if answered < 20 {
		t.Errorf("only %d comparisons were answered", answered)
	}
}
