package joins

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/build"
	"github.com/semlayer/semlayer/planner/internal/clock"
	"github.com/semlayer/semlayer/planner/internal/sequence"
	"github.com/semlayer/semlayer/planner/plan"
)

// sequenceTable are the rows of a sequence, with the columns that are read of it.
type sequenceTable struct {
	tree    *Tree
	dataset *catalog.Dataset
	read    []int // columns of the sequence
	planned []*plan.Derived
	err     error
}

// newSequenceTable returns the table of a dataset whose rows are made of those of others; nil for any other dataset.
func newSequenceTable(t *Tree, d *catalog.Dataset) substituteTable {
	if d.Sequence == nil {
		return nil
	}
	return &sequenceTable{tree: t, dataset: d}
}

func (q *sequenceTable) findOrAddQualifiedColumn(alias string, name sqlexpr.Name) *sqlexpr.Column {
	at := q.dataset.Sequence.Column(name.Text)
	if at < 0 {
		q.err = q.dataset.Sequence.Err // such a column does not compile
		return newColumnOfTable(alias, name.Text)
	}
	if !slices.Contains(q.read, at) {
		q.read = append(q.read, at)
		for _, p := range q.planned {
			rows, err := q.rows()
			if err != nil {
				q.err = err
				break
			}
			p.Input = rows
		}
	}
	return newColumnOfTable(alias, q.dataset.Sequence.Columns[at].Name)
}

func (q *sequenceTable) planRows(alias string) (plan.Node, error) {
	rows, err := q.rows()
	if err != nil {
		return nil, err
	}
	out := &plan.Derived{Input: rows, Alias: alias, Why: "sequence " + q.dataset.Name}
	q.planned = append(q.planned, out)
	return out, nil
}

func (q *sequenceTable) rows() (plan.Node, error) {
	switch {
	case q.dataset.Sequence.Err != nil:
		return nil, q.dataset.Sequence.Err
	case q.err != nil:
		return nil, q.err
	}
	return sequence.Plan(q.dataset.Sequence, q.read, sequence.Source{Clock: q.tree.tables.Clock, RowsOf: q.stepRows, TimesOf: q.stepTimes})
}

// stepRows returns the rows of a step.
func (q *sequenceTable) stepRows(at int) (plan.Node, error) {
	step, compared := q.dataset.Sequence.Steps[at], q.dataset.Sequence.ComparedType()
	t := q.tree.newSubtree(step.Dataset)
	out, names := &plan.Project{}, newDerivedTableColumns(t)
	var conds []sqlexpr.Expr
	read := func(f *catalog.Field) (sqlexpr.Expr, error) { return t.FieldExpr(t.Root(), f, "") }
	for i, f := range slices.Concat(step.Entity, step.Same) {
		e, err := read(f)
		if err != nil {
			return nil, err
		}
		if source := f.SourceField(); i < len(step.Entity) {
			conds = append(conds, &sqlexpr.IsNull{Not: true, X: sqlexpr.StoredTime(e)})
			names.addColumn("entity", TruncateDateFieldToDay(e, source), source.Type)
		} else {
			names.addColumn("same", TruncateDateFieldToDay(e, source), source.Type)
		}
	}
	time, err := read(step.At)
	if err != nil {
		return nil, err
	}
	conds = append(conds, &sqlexpr.IsNull{Not: true, X: sqlexpr.StoredTime(time)})
	if s := q.dataset.Sequence; s.HasPeriods() {
		names.addColumn("bucket", q.tree.tables.Clock.BucketExpr(time, step.At, s.Every, clock.TimeBounds{}), sqlexpr.TypeDate)
	}
	names.addColumn("time", plan.ComparableTimeExpr(time, step.At.Type, compared), compared)
	for _, f := range step.Key {
		e, err := t.fieldExprWithoutMatchGuard(t.Root(), f, "")
		if err != nil {
			return nil, err
		}
		names.addColumn("key", e, f.Type)
	}
	out.Cols = names.list
	chosen, err := q.conditions(t, step)
	if err != nil {
		return nil, err
	}
	rows, err := t.Plan()
	if err != nil {
		return nil, err
	}
	out.Input = &plan.Filter{Input: rows, Conds: append(conds, chosen...), Why: "step " + step.Name}
	return out, nil
}

// stepTimes returns the times of the rows of a step's dataset that the query chooses, of any kind and entity.
func (q *sequenceTable) stepTimes(at int) (plan.Node, error) {
	step, compared := q.dataset.Sequence.Steps[at], q.dataset.Sequence.ComparedType()
	t := q.tree.newSubtree(step.Dataset)
	time, err := t.FieldExpr(t.Root(), step.At, "")
	if err != nil {
		return nil, err
	}
	chosen, err := q.conditionsOfQuery(t)
	if err != nil {
		return nil, err
	}
	rows, err := t.Plan()
	if err != nil {
		return nil, err
	}
	if len(chosen) > 0 {
		rows = &plan.Filter{Input: rows, Conds: chosen, Why: "rows of " + step.Dataset.Name}
	}
	return &plan.Project{Input: rows, Cols: []plan.NamedExpr{{Name: "time", Expr: plan.ComparableTimeExpr(time, step.At.Type, compared), Type: compared}}}, nil
}

// conditions returns the conditions on the rows of a step: its own and those of the query.
func (q *sequenceTable) conditions(t *Tree, step catalog.SequenceStep) ([]sqlexpr.Expr, error) {
	var out []sqlexpr.Expr
	if step.Where != nil {
		where, err := build.RewriteRefs(step.Where, func(id int) (sqlexpr.Expr, error) { return t.FieldExpr(t.Root(), t.cat.FieldByID(id), "") })
		if err != nil {
			return nil, err
		}
		out = sqlexpr.SplitConjuncts(where)
	}
	of, err := q.conditionsOfQuery(t)
	return append(out, of...), err
}

// conditionsOfQuery returns the conditions of the query on the rows of a tree.
func (q *sequenceTable) conditionsOfQuery(t *Tree) ([]sqlexpr.Expr, error) {
	if q.tree.tables.Planner == nil {
		return nil, nil
	}
	return q.tree.tables.Planner.StepConditions(t)
}
