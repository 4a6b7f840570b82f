package compile

import (
	"fmt"
	"sync"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/extension"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// metricLowering turns one spelling of an expression into a form: aggregates become
// measures, names outside of them other metrics.
type metricLowering struct {
	*compiler
	owner  modelspec.Place // of the metric or field
	src    parsedSource
	table  *measureTable
	home   *dataset      // of aggregates that name no column; nil when not declared
	homeOf extension.Ref // the payload's word on home
	field  *field        // the level-of-detail field being lowered; nil for a metric
	form   *catalog.Form
	first  *modelspec.CompileError
	starry bool // an aggregate without columns took home
	seen   map[catalog.Operand]int
}

// lowerForm lists every error and returns the first.
func (l *metricLowering) lowerForm() (*catalog.Form, *modelspec.CompileError) {
	if !l.checkShape() {
		return nil, l.first
	}
	l.form.Expr = sqlexpr.Rewrite(l.src.expr, l.visit)
	l.checkHome()
	if l.first != nil {
		return nil, l.first
	}
	return l.form, nil
}

// addError lists an error at a node of the expression. An error that has a place
// already is another object's and is shared.
func (l *metricLowering) fail(e sqlexpr.Expr, err *modelspec.CompileError) {
	if err.Location == "" {
		err.Location = l.owner.At("expression")
		err.Position = l.src.entry.Expression.Offset(e.Pos())
	}
	if l.first == nil {
		l.first = err
	}
	l.recordError(err)
}

func (l *metricLowering) failf(e sqlexpr.Expr, code, hint, format string, args ...any) {
	l.fail(e, &modelspec.CompileError{Code: code, Hint: hint, Message: fmt.Sprintf(format, args...)})
}

// checkShape rejects what no metric may hold, before names are resolved.
func (l *metricLowering) checkShape() bool {
	aggregates, names := 0, 0
	sqlexpr.Walk(l.src.expr, func(e sqlexpr.Expr) bool {
		switch e := e.(type) {
		case *sqlexpr.Subquery:
			l.failf(e, CodeSubqueryInMetric, "aggregate fields, or let the source of the dataset select the value", "a subquery cannot stand in a metric: %s", quoteExpr(e))
			return false
		case *sqlexpr.Over:
			l.failf(e, CodeWindowInMetric, "declare a window on a plain metric, or let the source of the dataset select the value", "a window function cannot stand in a metric: %s", quoteExpr(e))
			return false
		case *sqlexpr.Param:
			l.failf(e, CodeUnparseable, "declare a derived metric; parameters stand in its where or expr", "a parameter cannot stand in a metric's own expression: %s", quoteExpr(e))
		case *sqlexpr.Column:
			names++
		case *sqlexpr.Call:
			switch sqlexpr.InfoOf(e.Fn).Class {
			case sqlexpr.Window:
				l.failf(e, CodeWindowInMetric, "declare a window on a plain metric, or let the source of the dataset select the value", "a window function cannot stand in a metric: %s", quoteExpr(e))
				return false
			case sqlexpr.Aggregate:
				aggregates++
				l.checkNesting(e)
				return false
			}
		}
		return true
	})
	if l.first == nil && aggregates == 0 && !l.namesMetric() {
		hint := "wrap it in SUM(...) or another aggregate"
		if names == 0 {
			hint = "a metric aggregates fields: SUM(dataset.field)"
		}
		l.failf(l.src.expr, CodeNotAnAggregate, hint, "the expression %s does not aggregate", quoteExcerpt(l.src.entry.Expression.Value))
	}
	return l.first == nil
}

// namesMetric reports whether a name in the expression is a metric's.
func (l *metricLowering) namesMetric() bool {
	found := false
	sqlexpr.Walk(l.src.expr, func(e sqlexpr.Expr) bool {
		if column, ok := e.(*sqlexpr.Column); ok && len(column.Path) == 1 && l.byMetric[foldCase(column.Path[0].Text)] != nil {
			found = true
		}
		return !found
	})
	return found
}

// checkNesting looks for what an aggregate's arguments may not hold.
func (l *metricLowering) checkNesting(outer *sqlexpr.Call) {
	shown := sync.OnceValue(func() string { return quoteExpr(outer) }) // many calls may be inside
	for _, arg := range outer.Args {
		sqlexpr.Walk(arg, func(e sqlexpr.Expr) bool {
			switch e := e.(type) {
			case *sqlexpr.Subquery:
				l.failf(e, CodeSubqueryInMetric, "aggregate fields, or let the source of the dataset select the value", "a subquery cannot stand in a metric: %s", quoteExpr(e))
				return false
			case *sqlexpr.Over:
				l.failf(e, CodeWindowInMetric, "let the source of the dataset select the value", "a window function cannot stand in a metric: %s", quoteExpr(e))
				return false
			case *sqlexpr.Param:
				l.failf(e, CodeUnparseable, "declare a derived metric; parameters stand in its where or expr", "a parameter cannot stand in a metric's own expression: %s", quoteExpr(e))
			case *sqlexpr.Call:
				switch sqlexpr.InfoOf(e.Fn).Class {
				case sqlexpr.Aggregate:
					l.failf(e, CodeNestedAggregate, "compute the inner value per row in a field with an lod grain", "%s is inside of the aggregate %s", quoteExpr(e), shown())
					return false
				case sqlexpr.Window:
					l.failf(e, CodeWindowInMetric, "let the source of the dataset select the value", "a window function cannot stand in a metric: %s", quoteExpr(e))
					return false
				}
			}
			return true
		})
	}
}

// visit replaces aggregates and metric names by operands.
func (l *metricLowering) visit(e sqlexpr.Expr) sqlexpr.Expr {
	switch e := e.(type) {
	case *sqlexpr.Call:
		if sqlexpr.InfoOf(e.Fn).Class == sqlexpr.Aggregate {
			if measure := l.aggregate(e); measure != nil {
				return l.operand(e.At, measure)
			}
			return e
		}
	case *sqlexpr.Column:
		if other := l.findMetric(e); other != nil {
			return l.operand(e.At, other.cat)
		}
		return e
	}
	return nil
}

// operand refers to an operand; a generated expression may have very many.
func (l *metricLowering) operand(at sqlexpr.At, o catalog.Operand) sqlexpr.Expr {
	i, ok := l.seen[o]
	if !ok {
		if l.seen == nil {
			l.seen = map[catalog.Operand]int{}
		}
		i = len(l.form.Operands)
		l.seen[o] = i
		l.form.Operands = append(l.form.Operands, o)
	}
	return &sqlexpr.Ref{At: at, ID: i}
}

// findMetric resolves a name outside of aggregates, where only metrics are
// allowed.
func (l *metricLowering) findMetric(column *sqlexpr.Column) *metric {
	if len(column.Path) == 1 && l.field == nil {
		name := column.Path[0]
		if other := l.byMetric[foldCase(name.Text)]; other != nil && (!name.Quoted || other.cat.Name == name.Text) {
			return other
		}
	}
	f, err := l.resolveField(column)
	if f == nil && err.Code != CodeAmbiguousColumn {
		if err.Code == CodeUnknownColumn {
			err.Message = fmt.Sprintf("%s is neither a metric nor a field", quoteExpr(column))
		}
		l.fail(column, err)
		return nil
	}
	l.failf(column, CodeBareColumn, "aggregate it: SUM(...), MIN(...), …", "the field %s is outside of any aggregate", quoteExpr(column))
	return nil
}

// checkHome refuses a declared home that no aggregate has.
func (l *metricLowering) checkHome() {
	if l.home == nil || l.starry || l.first != nil {
		return
	}
	for _, o := range l.form.Operands {
		if m, ok := o.(*catalog.Measure); ok && m.Home == l.home.cat {
			return
		}
	}
	l.fail(l.src.expr, invalidReference(l.homeOf, "dataset",
		"the payload gives the home %s, and no aggregate of the metric is at home there", l.homeOf.Name).CompileError)
}
