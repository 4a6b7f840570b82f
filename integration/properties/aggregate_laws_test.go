package properties_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/semlayer/semlayer/integration/internal/table"
	"github.com/semlayer/semlayer/planner/query"
)

func TestLaws_AggregatesOfOneGroupAgree(t *testing.T) { holdLaw(t, aggregatesLaw) }

func TestLaws_DistinctValuesOfAFieldAddToTheTotal(t *testing.T) { holdLaw(t, valuesLaw) }

// number picks a field of exact numbers without parameters, as an expression of a metric.
func (r *maker) number() (d *dataset, ref string, ok bool) {
	d = pick(r, r.m.datasets)
	fields := slices.DeleteFunc(withoutParams(d.fieldsOf(whole, quarters)), func(f *field) bool { return f.value != exact })
	if len(fields) == 0 {
		return nil, "", false
	}
	return d, d.name + "." + pick(r, fields).name, true
}

// ofExpressions returns a question for metrics in their order, each a name and an expression.
func ofExpressions(metrics ...[2]string) *question {
	q := &question{inline: map[string]query.InlineMetric{}}
	for _, m := range metrics {
		q.Metrics = append(q.Metrics, m[0])
		q.inline[m[0]] = query.InlineMetric{Name: m[0], Expression: m[1]}
	}
	return q
}

// aggregatesLaw holds aggregates of one field in each group against each other.
func aggregatesLaw(r *maker, ask asker) (string, bool) {
	d, x, ok := r.number()
	if !ok {
		return "", false
	}
	where := r.predicate(d, func(f *field) string { return d.name + "." + f.name })
	q := ofExpressions(
		[2]string{"n", "COUNT(" + x + ")"},
		[2]string{"low", "MIN(" + x + ")"}, [2]string{"cont_0", "PERCENTILE_CONT(0) WITHIN GROUP (ORDER BY " + x + ")"},
		[2]string{"high", "MAX(" + x + ")"}, [2]string{"cont_1", "PERCENTILE_CONT(1) WITHIN GROUP (ORDER BY " + x + ")"},
		[2]string{"most", "MAX(" + x + ")"}, [2]string{"cont_0_down", "PERCENTILE_CONT(0) WITHIN GROUP (ORDER BY " + x + " DESC)"},
		[2]string{"middle", "MEDIAN(" + x + ")"}, [2]string{"cont_half", "PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY " + x + ")"},
		[2]string{"in_case", "SUM(CASE WHEN " + where + " THEN " + x + " END)"}, [2]string{"in_filter", "SUM(" + x + ") FILTER (WHERE " + where + ")"},
		[2]string{"sample", "VAR_SAMP(" + x + ")"}, [2]string{"population", "VAR_POP(" + x + ")"},
	)
	if r.chance(70) {
		q.GroupBy = []query.GroupBy{{Field: d.name + "." + d.name + "_kind"}}
	}
	got, err := ask(q)
	if err != nil {
		return "", false // a text that the engine compares without regard to case
	}
	for _, row := range got.Rows {
		cells := row[len(q.GroupBy):]
		for i := 1; i < 11; i += 2 {
			if (cells[i].Kind == table.CellKindNull) != (cells[i+1].Kind == table.CellKindNull) || !nearlyEqual(cellNumber(cells[i]), cellNumber(cells[i+1])) {
				return fmt.Sprintf("%s\n%s is %v, %s is %v", q.json(), q.Metrics[i], cells[i], q.Metrics[i+1], cells[i+1]), true
			}
		}
		n, sample, population := cellNumber(cells[0]), cells[11], cells[12]
		if (sample.Kind == table.CellKindNull) != (n < 2) || (population.Kind == table.CellKindNull) != (n == 0) ||
			n > 1 && !nearlyEqual(cellNumber(sample)*(n-1), cellNumber(population)*n) {
			return fmt.Sprintf("%s\nof %v values the variance of the sample is %v, of the population %v", q.json(), n, sample, population), true
		}
	}
	return "", len(got.Rows) > 0
}

// valuesLaw holds the values of a field against sums of distinct values, which add up over them, and
// against a discrete percentile, which is one of them.
func valuesLaw(r *maker, ask asker) (string, bool) {
	_, x, ok := r.number()
	if !ok {
		return "", false
	}
	metrics := [][2]string{
		{"distinct_sum", "SUM(DISTINCT " + x + ")"},
		{"first", "PERCENTILE_DISC(" + pick(r, []string{"0", "0.07", "0.3", "0.5", "1"}) + ") WITHIN GROUP (ORDER BY " + x + pick(r, []string{"", " DESC"}) + ")"},
	}
	q := ofExpressions(metrics...)
	whole, err := ask(q)
	if err != nil {
		return err.Error(), true
	}
	of := q.clone()
	of.GroupBy = []query.GroupBy{{Field: x}}
	values, err := ask(of)
	if err != nil {
		return "", false
	}
	sum, found := 0.0, whole.Rows[0][1].Kind == table.CellKindNull
	for _, row := range values.Rows {
		sum += cellNumber(row[1])
		found = found || row[0].Kind != table.CellKindNull && nearlyEqual(cellNumber(row[0]), cellNumber(whole.Rows[0][1]))
	}
	if !nearlyEqual(sum, cellNumber(whole.Rows[0][0])) || !found {
		return fmt.Sprintf("%s\nthe distinct values add to %v; the percentile is one of them: %t\n%v", q.json(), sum, found, whole.Rows[0]), true
	}
	return "", true
}
