package properties_test

import (
	"encoding/json"
	"testing"

	"github.com/semlayer/semlayer/integration/internal/prepare"
	"github.com/semlayer/semlayer/planner/query"
)

// TestLaws_TextsOfAQueryGiveTheSQLOfTheModelThatHasThem compiles a question with inline metrics and
// added fields, and the question without them over a model that has them. The SQL is the same.
func TestLaws_TextsOfAQueryGiveTheSQLOfTheModelThatHasThem(t *testing.T) {
	t.Parallel()
	laws(t, 12, func(t *testing.T, r *maker, s *subject) bool {
		q := r.fullQuestion()
		for len(q.With) == 0 && len(q.inline) == 0 {
			q = r.fullQuestion()
		}
		wider := r.m.clone()
		for _, f := range q.With {
			added := &field{name: f.Name, expr: f.Expression}
			if f.LOD != nil {
				lod, err := json.Marshal(f.LOD)
				if err != nil {
					t.Fatal(err)
				}
				added.payload = `"lod": ` + string(lod)
			}
			d := wider.dataset(f.Dataset)
			d.fields = append(d.fields, added)
		}
		for _, x := range q.inline {
			added := &metric{name: x.Name, expr: x.Expression}
			for key, value := range map[string]string{"dataset": x.Dataset, "time_dimension": x.TimeDimension} {
				if value != "" {
					added.payload = jsonText(key) + ": " + jsonText(value)
				}
			}
			wider.metrics = append(wider.metrics, added)
		}
		other, err := open(t.Context(), wider)
		if err != nil {
			t.Fatal(err)
		}
		defer other.close()
		plain := q.clone()
		plain.With, plain.inline = nil, nil
		want, got := compiled(t, other, plain), compiled(t, s, q)
		if want != got && !refusesOneText(t, s, q) {
			t.Errorf("%s\n- in the model\n%s\n- in the query\n%s", q.json(), want, got)
		}
		return want != "refused"
	})
}

// refusesOneText reports whether a question is rejected for a rule that a model does not have: the
// time_dimension of an inline metric has to be within reach.
func refusesOneText(t *testing.T, s *subject, q *question) bool {
	t.Helper()
	decoded, err := query.DecodeMetric([]byte(q.json()))
	if err != nil {
		t.Fatal(err)
	}
	_, err = prepare.SQL(t.Context(), s.engine, decoded)
	return codeOf(err) == "bad_request"
}
