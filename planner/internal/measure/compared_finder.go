package measure

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/modelspec/suggest"
	"github.com/semlayer/semlayer/planner/internal/naming"
	"github.com/semlayer/semlayer/planner/internal/resolve"
	"github.com/semlayer/semlayer/planner/internal/retry"
	"github.com/semlayer/semlayer/planner/internal/scope"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/planner/query"
)

// comparedMetricColumnFinder finds the columns that compare names among those of the metrics.
type comparedMetricColumnFinder struct {
	in         *scope.Env
	groups     []scope.Group
	cols       Expansion
	comparison int // of the query
	added      int // columns of the comparisons before it
}

// comparedColumnIndexes returns the indexes of the compared columns in the order of the request.
func (s comparedMetricColumnFinder) comparedColumnIndexes() ([]int, error) {
	var out []int
	for _, name := range s.columnNamesToCompare() {
		found := s.columnIndexesNamed(name)
		if len(found) == 0 {
			return nil, s.unknownColumnError(name)
		}
		for _, i := range found {
			if slices.Contains(out, i) {
				return nil, s.repeatedColumnError(out, i)
			}
			if err := s.checkComparable(i); err != nil {
				return nil, err
			}
			out = append(out, i)
		}
	}
	return out, s.checkColumnCount(out)
}

func (s comparedMetricColumnFinder) columnNamesToCompare() []string {
	if asked := s.in.Query.Compare[s.comparison].Metrics; len(asked) > 0 {
		return asked
	}
	names := make([]string, len(s.cols.Columns))
	for i, c := range s.cols.Columns {
		names[i] = c.Name
	}
	return names
}

// columnIndexesNamed finds the column of a name, else the columns of the metric of that name.
func (s comparedMetricColumnFinder) columnIndexesNamed(name string) []int {
	var ofMetric []int
	for i, c := range s.cols.Columns {
		if c.Name == name {
			return []int{i}
		}
		if c.Metric.Name == name {
			ofMetric = append(ofMetric, i)
		}
	}
	return ofMetric
}

func (s comparedMetricColumnFinder) unknownColumnError(name string) error {
	columns := make([]string, len(s.cols.Columns))
	for i, c := range s.cols.Columns {
		columns[i] = c.Name
	}
	e := &planerr.Error{
		Code:       planerr.CodeUnknownMetric,
		Message:    "compare names " + name + ", which is not a metric of the query",
		Metrics:    []string{name},
		Candidates: suggest.Nearest(name, columns, resolve.MaxCandidates),
	}
	if m := s.in.Cat.Metric(name); m != nil && m.Name == name {
		e.Fragment = map[string]any{"metrics": s.in.Query.MetricItemsNamed(append(slices.Clone(s.in.Query.Metrics), name))}
	} else if len(e.Candidates) > 0 {
		names := slices.Clone(s.in.Query.Compare[s.comparison].Metrics)
		names[slices.Index(names, name)] = e.Candidates[0]
		e.Fragment = setComparedColumnsRetry(s.in.Query, s.comparison, naming.RemoveDuplicates(names))
	}
	return e
}

func (s comparedMetricColumnFinder) repeatedColumnError(compared []int, again int) error {
	names := make([]string, len(compared))
	for i, c := range compared {
		names[i] = s.cols.Columns[c].Name
	}
	return &planerr.Error{
		Code:     planerr.CodeDuplicateOutputName,
		Message:  "compare names " + s.cols.Columns[again].Name + " twice",
		Metrics:  []string{s.cols.Columns[again].Metric.Name},
		Fragment: setComparedColumnsRetry(s.in.Query, s.comparison, names),
	}
}

// setComparedColumnsRetry returns a retry in which a comparison compares some columns.
func setComparedColumnsRetry(q *query.MetricQuery, comparison int, names []string) map[string]any {
	if len(names) == 0 {
		return retry.DropComparison(q, comparison)
	}
	c := q.Compare[comparison]
	c.Metrics = names
	return map[string]any{"compare": q.Compare.With(comparison, c)}
}

// DropComparedColumnRetry returns a retry without one of the compared columns.
func DropComparedColumnRetry(q *query.MetricQuery, columns []Column, dropped Column) map[string]any {
	var names []string
	for _, c := range columns {
		if c.Previous == nil || c.Comparison != dropped.Comparison || c.Item == dropped.Item {
			continue
		}
		if name := columns[c.Item].Name; !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return setComparedColumnsRetry(q, dropped.Comparison, names)
}

// checkComparable rejects a column that has no value in another range, or no difference.
func (s comparedMetricColumnFinder) checkComparable(i int) error {
	c := s.cols.Columns[i]
	var why string
	switch {
	case s.readsPlaces(c):
		why = "is a window over places among the rows of one range"
	case !isSubtractableType(c.Typ):
		why = "is of type " + c.Typ.String() + ", which has no difference"
	default:
		return nil
	}
	e := scope.NotImplementedError(c.Name+" "+why+", so compare does not take it", "leave "+c.Name+" out of compare", c.Metric.Name)
	e.Fragment = setComparedColumnsRetry(s.in.Query, s.comparison, s.comparableMetricColumnNames())
	return e
}

// comparableMetricColumnNames returns the names of the asked columns that compare takes.
func (s comparedMetricColumnFinder) comparableMetricColumnNames() []string {
	var out []string
	for _, name := range s.columnNamesToCompare() {
		for _, i := range s.columnIndexesNamed(name) {
			if c := s.cols.Columns[i]; !s.readsPlaces(c) && isSubtractableType(c.Typ) && !slices.Contains(out, c.Name) {
				out = append(out, c.Name)
			}
		}
	}
	return out
}

// readsPlaces reports whether a column is made of a window that is not over time.
func (s comparedMetricColumnFinder) readsPlaces(c Column) bool {
	for r := range sqlexpr.Refs(c.Expr) {
		if w := s.cols.MeasureRefs[r.ID].Window; w != nil && !w.Spec.IsTimeOrdered() {
			return true
		}
	}
	return false
}

// isSubtractableType reports whether the values of a type can be subtracted. A type that is not
// known may be a number.
func isSubtractableType(t sqlexpr.Type) bool { return t == sqlexpr.TypeUnknown || t.IsNumeric() }

// checkColumnCount rejects a query whose result would have too many columns, before
// they are made.
func (s comparedMetricColumnFinder) checkColumnCount(compared []int) error {
	base := len(s.groups) + len(s.cols.Columns) + s.added + s.countShareColumns()
	total := base + len(comparisonColumnKinds)*len(compared)
	if total <= maxResultColumns {
		return nil
	}
	e := tooManyColumnsError(s.in.Query, total, 0)
	names := make([]string, max(0, min(len(compared), (maxResultColumns-base)/len(comparisonColumnKinds))))
	for i := range names {
		names[i] = s.cols.Columns[compared[i]].Name
	}
	e.Fragment = setComparedColumnsRetry(s.in.Query, s.comparison, names)
	return e
}

// countShareColumns returns the number of columns that follow those of compare.
func (s comparedMetricColumnFinder) countShareColumns() int {
	n := 0
	if len(s.in.Query.Totals) > 0 {
		n++
	}
	for _, divided := range s.in.Query.Shares {
		n += len(s.columnIndexesNamed(divided.Metric))
	}
	return n
}
