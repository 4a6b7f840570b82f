package grouping

import (
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/aggregates"
	"github.com/semlayer/semlayer/planner/internal/build"
	"github.com/semlayer/semlayer/planner/internal/measure"
	"github.com/semlayer/semlayer/planner/internal/naming"
	"github.com/semlayer/semlayer/planner/plan"
)

// aggregateList are the aggregates of a branch, each once.
type aggregateList struct {
	list  []plan.NamedExpr
	index naming.Numbers[aggregateKey]
}

// newAggregateList returns an empty list for about so many aggregates.
func newAggregateList(count int) aggregateList {
	return aggregateList{make([]plan.NamedExpr, 0, count), naming.NewNumbers[aggregateKey](count)}
}

type aggregateKey struct {
	measure           *catalog.Measure
	whereKey, variant string
	tag               int
	span              spanInBucket // zero for all rows of a bucket
}

// aggregateKeyOf returns the key of the aggregate of a measure reference.
func aggregateKeyOf(u *measure.Ref) aggregateKey {
	key := aggregateKey{measure: u.Measure, whereKey: u.WhereKey, variant: u.Variant, tag: u.Tag}
	if u.Read.Kind == measure.ReadKindSpanRows {
		key.span = spanInBucket{u.InputOf.N, u.InputOf.Spec.Span().Grain, u.InputOf.AxisGroup}
	}
	return key
}

// ofAllRanges returns the key of the aggregate over the rows of all ranges.
func (key aggregateKey) ofAllRanges() aggregateKey {
	key.tag = -1
	return key
}

// BuildAggregates returns the branch's aggregates. slots is, for each member of the branch, the
// index of its aggregate. isOfSnapshot limits the rows of all; nil does not.
func (p *Planner) BuildAggregates(names *naming.Namer, isOfSnapshot sqlexpr.Expr) (list []plan.NamedExpr, slots []int, err error) {
	p.isOfSnapshot = isOfSnapshot
	all := newAggregateList(len(p.Br.Members))
	slots = make([]int, len(p.Br.Members))
	for i, u := range p.Br.Members {
		if err := aggregates.CheckTarget(p.Q.In, u.Ref.Measure, u.Metrics); err != nil {
			return nil, nil, err
		}
		if u.Ref.Read.Kind == measure.ReadKindSpanRows && p.Once != nil {
			return nil, nil, p.RepeatedRowsError(u.Ref.InputOf)
		}
		if slots[i], err = p.findOrAddAggregate(&all, names, aggregateKeyOf(u.Ref), u.Ref.Where); err != nil {
			return nil, nil, err
		}
	}
	return all.list, slots, nil
}

// findOrAddAggregate returns the index of an aggregate, which is added where it is not there yet.
func (p *Planner) findOrAddAggregate(all *aggregateList, names *naming.Namer, key aggregateKey, where sqlexpr.Expr) (int, error) {
	if p.Br.ScanRange.Tag >= 0 {
		key = key.ofAllRanges() // the branch is the tag's own
	}
	if i, known := all.index.Find(key); known {
		return i, nil
	}
	m := key.measure
	if err := p.Sizes.AddToQuerySize(m.Arg, m.OrderBy, where); err != nil {
		return 0, err
	}
	if err := p.Q.In.ContextError(); err != nil {
		return 0, err
	}
	e, err := p.newAggregateCall(key, where)
	if err != nil {
		return 0, err
	}
	return all.addAggregate(key, plan.NamedExpr{Name: names.UniqueName(key.columnName(rangeTagOfAggregate(p, key))), Expr: e, Type: m.Type}), nil
}

// columnName returns the name of an aggregate's column. A number in it would depend on the place of the
// metric in the model.
func (key aggregateKey) columnName(tag string) string {
	if tag != "" {
		return key.measure.Stem + "__" + tag
	}
	return key.measure.Stem
}

// rangeTagOfAggregate returns the tag that the name of an aggregate has; "" for none.
func rangeTagOfAggregate(p *Planner, key aggregateKey) string {
	tag := key.tag
	if p.Q.Compare != nil && tag < 0 {
		tag = p.Br.ScanRange.Tag
	}
	if tag < 0 {
		return ""
	}
	return p.Q.Ranges[tag].Tag
}

func (a *aggregateList) addAggregate(key aggregateKey, column plan.NamedExpr) int {
	a.list = append(a.list, column)
	return a.index.AddNewKey(key)
}

// newAggregateCall returns the call that computes a measure, with a use's filter and the
// tag's range folded into its argument.
func (p *Planner) newAggregateCall(key aggregateKey, where sqlexpr.Expr) (sqlexpr.Expr, error) {
	m := key.measure
	if p.rolled != nil {
		return p.rolled.aggregate(key, where)
	}
	arg, err := measureArgument(p, key, where)
	switch {
	case err != nil:
		return nil, err
	case arg == nil:
		return m.AggregateCall(nil, nil), nil
	case m.OrderBy == nil:
		return aggregates.Call(p.Q.In, m, arg, nil), nil
	}
	orderBy, err := p.bindHomeExpr(m.OrderBy, key.variant)
	if err != nil {
		return nil, err
	}
	return aggregates.Call(p.Q.In, m, arg, orderBy), nil
}

// measureArgument returns the argument of a measure, NULL for rows that do not count; nil where it counts all rows.
func measureArgument(p *Planner, key aggregateKey, where sqlexpr.Expr) (sqlexpr.Expr, error) {
	only, err := p.countedRowsCondition(key, where)
	if err != nil {
		return nil, err
	}
	if key.measure.Arg == nil {
		if only == nil {
			return nil, nil
		}
		return build.CaseWhen(only, &sqlexpr.Number{Text: "1"}), nil
	}
	arg, err := p.bindHomeExpr(key.measure.Arg, key.variant)
	if err != nil {
		return nil, err
	}
	if p.Once != nil && !p.Once.needsHomeRowCondition(key) && p.Once.isConstantForAbsentRow(arg) {
		only = sqlexpr.And(p.Once.homeRowExistsCondition(), only)
	}
	if only != nil {
		arg = build.CaseWhen(only, arg)
	}
	return arg, nil
}

// countedRowsCondition returns what rows count for a use: its derived filter, its tag and its span.
func (p *Planner) countedRowsCondition(key aggregateKey, where sqlexpr.Expr) (sqlexpr.Expr, error) {
	var conds []sqlexpr.Expr
	if p.isOfSnapshot != nil {
		conds = append(conds, p.isOfSnapshot)
	}
	if p.Once != nil && p.Once.needsHomeRowCondition(key) {
		conds = append(conds, p.Once.homeRowExistsCondition())
	}
	if where != nil {
		e, err := p.bindHomeExpr(where, key.variant)
		if err != nil {
			return nil, err
		}
		conds = append(conds, e)
	}
	if key.tag >= 0 {
		in, err := p.NewBranchRangeConditions().rangeConds(p.Q.Ranges[key.tag])
		if err != nil {
			return nil, err
		}
		if p.Once != nil {
			in = []sqlexpr.Expr{p.Once.anyJoinedRowMeetsCondition(sqlexpr.And(in...), "rows_in_"+rangeTagOfAggregate(p, key))}
		}
		conds = append(conds, in...)
	}
	if key.span.n > 0 {
		in, err := p.inSpanCondition(key.span)
		if err != nil {
			return nil, err
		}
		conds = append(conds, in)
	}
	if len(conds) == 0 {
		return nil, nil
	}
	return sqlexpr.And(conds...), nil
}

// bindHomeExpr binds an expression over the rows of the branch's home.
func (p *Planner) bindHomeExpr(e sqlexpr.Expr, variant string) (sqlexpr.Expr, error) {
	bound, err := build.RewriteRefs(e, func(id int) (sqlexpr.Expr, error) {
		return p.Tree.FieldExpr(p.Home, p.Q.In.Cat.FieldByID(id), variant)
	})
	if err != nil || p.Once == nil {
		return bound, err
	}
	return p.Once.addExpressionAsColumn(bound, aggregates.TypeOverFields(p.Q.In.Cat, e)), nil
}

// newBucketRowCountMeasure returns the measure that distinguishes a row of the branch from one that others add, where it is NULL. The total of no
// rows counts none.
func newBucketRowCountMeasure(p *Planner, names *naming.Namer) plan.NamedExpr {
	count := build.Call(sqlexpr.FnCount, "COUNT")
	if count.Star = true; p.Once != nil && p.Q.Levels.LevelOfGroupSet(nil) >= 0 {
		count = build.Call(sqlexpr.FnCount, "COUNT", build.CaseWhen(p.Once.nonZeroCountCondition(count, "joined_rows"), build.Integer(1)))
	}
	return plan.NamedExpr{Name: names.UniqueName("rows_of_bucket"), Expr: count, Type: sqlexpr.TypeInt}
}

// NeedsBucketRowCount reports whether the branch distinguishes its rows from those that other branches and fill add.
func (p *Planner) NeedsBucketRowCount() bool {
	return p.Br.CountsRows || p.Q.GapFill != nil && p.Q.GapFill.Value != nil
}

// NewRowCounts returns the counts of rows that windows, and what is shown, read. rows is the place
// of that of a bucket among them; -1 where nothing reads it.
func NewRowCounts(p *Planner, names *naming.Namer) (counts []plan.NamedExpr, rows int, err error) {
	rows = -1
	if p.NeedsBucketRowCount() {
		rows, counts = 0, append(counts, newBucketRowCountMeasure(p, names))
	}
	if p.Br.CountsRowsInRange(p.Q) {
		count, err := newRowsInRangeCount(p, names)
		if err != nil {
			return nil, 0, err
		}
		counts = append(counts, count)
	}
	return counts, rows, nil
}
