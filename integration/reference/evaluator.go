package reference

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/query"
)

// expressionDialect is the one whose spellings of expressions are evaluated.
const expressionDialect = "duckdb"

// Result holds the rows of a query.
type Result struct {
	Columns []string
	Rows    [][]Value
	Ordered bool     // the query puts its rows in order
	Total   int      // the rows without limit and offset, those of totals apart
	May     []string // codes with which an engine could reject the query all the same
}

// evaluator computes the result of one query. Its fields are filled in the
// order in which Metrics calls its parts.
type evaluator struct {
	rejectionCauses
	cat  *catalog.Catalog
	data Data
	q    *query.MetricQuery

	metrics       []*catalog.Metric
	homes         []*catalog.Dataset // of all measures; of a detail query its root
	root          *catalog.Dataset   // of a detail query; nil of a metric query
	windowed      bool               // a selected metric is, or is made of, a window
	columns       []metricColumn
	groups        []groupByItem // with the Boolean of top after its dimension
	outputs       []string      // the columns of the result, the group-bys first
	currentLevel  totalsLevel   // which of the groups the rows are grouped by at the moment
	paramsUnknown bool          // parameters have no values: the query is rejected already
	axisType      sqlexpr.Type  // the widest type of an axis: days among timestamps are timestamps
	timeRanges    []timeRange   // the time ranges by tag; one without bounds when there is none

	view                 *catalog.View // nil for the whole model
	named                namedByRequest
	populationConditions []condition // always on the input
	rowConditions        []condition
	resultConditions     []condition // on rows of the result

	branchGroups map[string][]Value // the groups that some branch has at the level
	levelGroups  map[string][]Value // the groups of the level that some branch or range has
	filledGroups map[string][]Value // the groups of the level that are filled
	// isBucketMoved: a window is computed at the bucket of an offset, which the range neither cuts nor leaves out.
	isBucketMoved bool
	isMovedLevel  bool // the rows are those of a query that a metric at another level is computed from at another bucket
	// isWithoutWindows: the rows of metrics count, and not their values.
	isWithoutWindows bool
	groupsRead       map[string][]Value // the groups without their bucket of rows that windows of the level read
	shownRows        [][]Value          // the rows of level 0 that a fault takes for all

	totals       []totalsLevel
	shares       []shareOfLevel
	comparisons  []*periodComparison
	compare      *periodComparison // whose earlier range is computed; nil in the range of the query
	top          *topValues        // nil when all values are kept
	fill         *gapFill          // nil when no buckets are filled
	levelResults map[string]levelResult
	columnSubset []int // the metric columns that are computed; nil is all of them

	lodTables map[string]func(key string) Value // tables of level-of-detail fields
	lodStack  []*catalog.Field                  // whose tables are being computed, the outermost first
	calendars map[*catalog.Period]*calendarPeriods
	sequences map[*catalog.Dataset][]Row
	binding   paramValues // of the column that is being computed
	clock     clock
	fault     InjectedFault
}

func newEvaluator(cat *catalog.Catalog, data Data, fault InjectedFault, q *query.MetricQuery) *evaluator {
	return &evaluator{fault: fault, clock: clock{fault: fault}, rejectionCauses: newRejectionCauses(), cat: cat, data: data, q: q, branchGroups: map[string][]Value{}, lodTables: map[string]func(string) Value{}, levelResults: map[string]levelResult{}, calendars: map[*catalog.Period]*calendarPeriods{}, sequences: map[*catalog.Dataset][]Row{}}
}

// AnswerMetricQuery answers a query over rows in memory. The error is a *Rejection when the
// query must not be answered, and an *Abstention when the reference does not know;
// any other is a defect of the reference or of the data.
func AnswerMetricQuery(m *CompiledModel, data Data, q *query.MetricQuery) (*Result, error) {
	return AnswerMetricQueryWithFault(m, data, q, NoFault)
}

// AnswerMetricQueryWithFault answers with a fault that a test has to find.
func AnswerMetricQueryWithFault(m *CompiledModel, data Data, q *query.MetricQuery, fault InjectedFault) (*Result, error) {
	e := newEvaluator(m.Catalog, data, fault, q)
	return recoverAbstention(func() (*Result, error) {
		var err error
		if e.cat, err = m.extendCatalog(e, q.With, q.InlineMetrics, q.Sequences); err != nil {
			return nil, err
		}
		if err := e.toRejection(); err != nil {
			return nil, err
		}
		if !e.enterView(m, q.View) {
			return nil, e.toRejection()
		}
		e.readTimeZoneAndWeekStart()
		e.allowRejectionOfExpandedSize()
		e.refuseUnreachableInlineMetricAxes()
		if e.checkLocalFields(q.With); q.Distinct {
			return e.evaluateDistinctGroups()
		}
		return e.answerMetricQuery()
	})
}

// recoverAbstention makes an error of what an evaluation gives up on.
func recoverAbstention(answer func() (*Result, error)) (result *Result, err error) {
	defer func() {
		switch p := recover().(type) {
		case nil:
		case abstentionPanic:
			result, err = nil, &Abstention{p.reason}
		case unsupportedExprPanic:
			result, err = nil, fmt.Errorf("the reference cannot evaluate %s", p.what)
		default:
			panic(p)
		}
	}()
	return answer()
}

func (e *evaluator) answerMetricQuery() (*Result, error) {
	if e.q.From != "" {
		e.addMustRejectCode("conflicting_keys")
	}
	parts := []func(){
		e.readMetrics, e.expandMetricsByParams, e.readGroupBys, e.readTop, e.readTotals, e.readResultColumnNames,
		e.readFilters, e.readRanges, e.readRank, e.findPreviousRangesAndBuckets, e.readGapFill, e.checkGroupsOfAxes, e.checkGrains, e.readOrderBy, e.checkParams,
	}
	for _, part := range parts {
		part()
		if len(e.metrics) == 0 {
			e.allowRejectionOfConflictingKeys()
			return nil, e.toRejection()
		}
	}
	e.evaluateLevel(e.levelOfAllGroups()) // which finds the causes to reject
	if err := e.toRejection(); err != nil {
		return nil, err
	}
	e.rankTopValues()
	out := e.assembleResult()
	e.allowRejectionOfFillValue()
	if err := e.toRejection(); err != nil {
		return nil, err
	}
	out.May = slices.Sorted(maps.Keys(e.may))
	return out, nil
}

// allowRejectionOfConflictingKeys permits to reject keys that exclude each other before names that are unknown.
func (e *evaluator) allowRejectionOfConflictingKeys() {
	if len(e.q.TimeRanges) > 0 && (e.q.Fill != nil || len(e.q.Compare) > 0) {
		e.addMayRejectCode("conflicting_keys")
	}
}

func (e *evaluator) rowsOfDataset(d *catalog.Dataset) []Row {
	if d.Sequence != nil {
		return e.sequenceRows(d)
	}
	return e.data[strings.ToLower(d.Name)]
}

// fieldValue returns a field of a stored row. Over a row that is not there it is NULL,
// for any expression of the field.
func (e *evaluator) fieldValue(f *catalog.Field, r Row) Value {
	switch {
	case r == nil:
		return nil
	case f.Joined != nil:
		return e.joinedFieldValue(f.Joined, r)
	case f.LOD != nil:
		return e.lodValue(f, r)
	}
	v := e.newRowEvalContext(r).eval(f.Expr.ForDialect(expressionDialect))
	if f.Datatype == modelspec.DatatypeDate && f.Encoding == nil {
		return coerceTimeToDeclaredType(f, v) // a Date is a day wherever it is read
	}
	return v
}

// newRowEvalContext returns the environment of expressions over the columns and fields of a row.
func (e *evaluator) newRowEvalContext(r Row) evalContext {
	return evalContext{
		column: func(c *sqlexpr.Column) Value {
			v, ok := r[strings.ToLower(c.Path[len(c.Path)-1].Text)]
			if !ok {
				failUnsupported("the column %s, which no row has", sqlexpr.Format(c))
			}
			return v
		},
		ref: func(id int) Value { return e.fieldValue(e.cat.FieldByID(id), r) },
	}
}
