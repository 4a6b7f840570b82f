package metric

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/modelspec/suggest"
	"github.com/semlayer/semlayer/planner/internal/levels"
	"github.com/semlayer/semlayer/planner/internal/measure"
	"github.com/semlayer/semlayer/planner/internal/resolve"
	"github.com/semlayer/semlayer/planner/internal/scope"
	"github.com/semlayer/semlayer/planner/plan"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/planner/query"
)

// addShares adds the columns of shares, in the order of the query.
func addShares(in *scope.Env, groups []scope.Group, levels levels.Levels, cols measure.Expansion) (measure.Expansion, error) {
	metrics := cols.Columns
	for i, s := range in.Query.Shares {
		divided, err := columnIndexesOfShareItem(in, metrics, i)
		if err != nil {
			return measure.Expansion{}, err
		}
		suffix := "__" + string(plan.KindShare)
		if level := levels.Shares[i]; len(s.Of) > 0 {
			for _, g := range levels.GroupSets[level] {
				if !groups[g].IsRemainder {
					suffix += "__" + groups[g].Name
				}
			}
		}
		for _, at := range divided {
			c := metrics[at]
			if err := checkShareColumn(in, c, i, cols.MeasureRefs); err != nil {
				return measure.Expansion{}, err
			}
			cols.Shares = append(cols.Shares, measure.Share{ShareColumn: len(cols.Columns), DividedColumn: at, Level: levels.Shares[i]})
			cols.Columns = append(cols.Columns, measure.Column{
				Metric: c.Metric, Name: c.Name + suffix, Params: c.Params, Tag: c.Tag, Typ: sqlexpr.TypeFloat, Kind: plan.KindShare, Item: i,
			})
		}
	}
	return cols, nil
}

// columnIndexesOfShareItem returns the columns that an item of shares names: one, or all of a metric.
func columnIndexesOfShareItem(in *scope.Env, columns []measure.Column, item int) ([]int, error) {
	name := in.Query.Shares[item].Metric
	var out []int
	for i, c := range columns {
		if c.Kind != "" {
			continue
		}
		if c.Name == name {
			return []int{i}, nil
		}
		if c.Metric.Name == name {
			out = append(out, i)
		}
	}
	if len(out) == 0 {
		return nil, unselectedShareError(in, columns, item)
	}
	return out, nil
}

// unselectedShareError returns the error of a share of what the query does not compute. Its retry selects
// a metric of the model, and otherwise takes the nearest column.
func unselectedShareError(in *scope.Env, columns []measure.Column, item int) error {
	q := in.Query
	name := q.Shares[item].Metric
	var names []string
	for _, c := range columns {
		if c.Kind == "" {
			names = append(names, c.Name)
		}
	}
	e := &planerr.Error{
		Code:       planerr.CodeUnknownMetric,
		Message:    "shares names " + name + ", which is not a metric column of this query",
		Metrics:    []string{name},
		Candidates: suggest.Nearest(name, names, resolve.MaxCandidates),
	}
	if m := in.Cat.Metric(name); m != nil && m.Name == name {
		e.Fragment = map[string]any{"metrics": q.MetricItemsNamed(append(slices.Clone(q.Metrics), name))}
	} else if len(e.Candidates) > 0 {
		shares := slices.Clone(q.Shares)
		shares[item].Metric = e.Candidates[0]
		e.Fragment = map[string]any{"shares": shares}
	}
	return e
}

// checkShareColumn rejects the share of a window, and of what is not a number.
func checkShareColumn(in *scope.Env, c measure.Column, item int, measures []*measure.Ref) error {
	switch {
	case c.ReadsWindow(measures):
		return &planerr.Error{
			Code:     planerr.CodeNotImplemented,
			Message:  c.Metric.Name + " is a window, which has no share",
			Metrics:  []string{c.Metric.Name},
			Fragment: dropShareRetry(in.Query, item),
		}
	case c.Typ != sqlexpr.TypeUnknown && !c.Typ.IsNumeric():
		return &planerr.Error{
			Code:     planerr.CodeBadRequest,
			Message:  c.Metric.Name + " is not a number, which a share divides",
			Metrics:  []string{c.Metric.Name},
			Fragment: dropShareRetry(in.Query, item),
		}
	}
	return nil
}

func dropShareRetry(q *query.MetricQuery, item int) map[string]any {
	rest := slices.Delete(slices.Clone(q.Shares), item, item+1)
	if len(rest) == 0 {
		return map[string]any{"shares": nil}
	}
	return map[string]any{"shares": rest}
}
