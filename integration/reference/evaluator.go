package reference

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/query"
)

// dialect is the one whose spellings of expressions are evaluated.
const dialect = "duckdb"

// Result holds the rows of a query.
type Result struct {
	Columns []string
	Rows    [][]Value
	Ordered bool     // the query puts its rows in order
	May     []string // codes with which an engine could refuse the query all the same
}

// evaluator computes the result of one query. Its fields are filled in the
// order in which Metrics calls its parts.
type evaluator struct {
	errorCauses
	cat  *catalog.Catalog
	data Data
	q    *query.MetricQuery

	metrics  []*catalog.Metric
	homes    []*catalog.Dataset // of all measures; of a detail query its root
	root     *catalog.Dataset   // of a detail query; nil of a metric query
	windowed bool               // a selected metric is, or is made of, a window
	columns  []column
	groups   []groupByItem
	blind    bool         // parameters have no values: the query is refused already
	stamped  sqlexpr.Type // the widest type of an axis: days among timestamps are timestamps
	spans    []timeRange  // the time ranges by tag; one without bounds when there is none

	context []condition // always on the input
	input   []condition
	output  []condition // on rows of the result

	seen map[string][]Value // the groups that some branch has

	lods      map[string]func(key string) Value // tables of level-of-detail fields
	computing []*catalog.Field                  // whose tables are being computed, the outermost first
	bound     binding                           // of the column that is being computed
}

func newEvaluator(cat *catalog.Catalog, data Data, q *query.MetricQuery) *evaluator {
	return &evaluator{errorCauses: newCauses(), cat: cat, data: data, q: q, seen: map[string][]Value{}, lods: map[string]func(string) Value{}}
}

// Metrics answers a query over rows in memory. The error is a *Rejection when the
// query must not be answered, and an *Abstention when the reference does not know;
// any other is a defect of the reference or of the data.
func Metrics(cat *catalog.Catalog, data Data, q *query.MetricQuery) (*Result, error) {
	return recoverAbstention(newEvaluator(cat, data, q).run)
}

// recoverAbstention makes an error of what an evaluation gives up on.
func recoverAbstention(answer func() (*Result, error)) (result *Result, err error) {
	defer func() {
		switch p := recover().(type) {
		case nil:
		case abstentionPanic:
			result, err = nil, &Abstention{p.reason}
		case unsupportedExpr:
			result, err = nil, fmt.Errorf("the reference cannot evaluate %s", p.what)
		default:
			panic(p)
		}
	}()
	return answer()
}

func (e *evaluator) run() (*Result, error) {
	for _, part := range []func(){e.readMetrics, e.readParams, e.readGroups, e.readFilters, e.readRanges, e.readOrder, e.checkParams} {
		part()
		if len(e.metrics) == 0 {
			return nil, e.toRejection()
		}
	}
	values := make([]func(string) Value, len(e.columns))
	for i, c := range e.columns {
		values[i] = e.evaluate(c.metric, nil, c)
	}
	if err := e.toRejection(); err != nil {
		return nil, err
	}
	out := e.assembleResult(values)
	out.May = slices.Sorted(maps.Keys(e.may))
	return out, nil
}

func (e *evaluator) rowsOf(d *catalog.Dataset) []Row { return e.data[strings.ToLower(d.Name)] }

// value is a field of a stored row. Over a row that is not there it is NULL,
// for any expression of the field.
func (e *evaluator) value(f *catalog.Field, r Row) Value {
	switch {
	case r == nil:
		return nil
	case f.LOD != nil:
		return e.lodValue(f, r)
	}
	return e.row(r).eval(f.Expr.For(dialect))
}

// row is the environment of expressions over the columns and fields of a row.
func (e *evaluator) row(r Row) evalContext {
	return evalContext{
		column: func(c *sqlexpr.Column) Value {
			v, ok := r[strings.ToLower(c.Path[len(c.Path)-1].Text)]
			if !ok {
				failUnsupported("the column %s, which no row has", sqlexpr.Format(c))
			}
			return v
		},
		ref: func(id int) Value { return e.value(e.cat.Fields[id], r) },
	}
}
