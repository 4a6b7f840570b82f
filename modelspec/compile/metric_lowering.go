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
	owner  modelspec.Place  // of the metric or field
	place  *modelspec.Place // of the expression, where that is not the one of the owner; nil otherwise
	level  *catalog.AtLevel // of a metric at another level; nil for any other
	src    parsedDialectEntry
	table  *uniqueMeasureTable
	home   *datasetInProgress  // of aggregates that name no column; nil when not declared
	homeOf extension.ObjectRef // the payload's word on home
	field  *fieldInProgress    // the level-of-detail field being lowered; nil for a metric
	form   *catalog.ArithmeticOverOperands
	first  *modelspec.CompileError
	starry bool  // an aggregate without columns took home
	moves  *bool // see declaredHomeHasNoAggregate; nil until it is asked
	seen   map[catalog.Operand]int
}

// lowerToArithmeticForm lists every error and returns the first.
func (l *metricLowering) lowerToArithmeticForm() (*catalog.ArithmeticOverOperands, *modelspec.CompileError) {
	if !l.checkNodesAllowedInMetric() {
		return nil, l.first
	}
	l.form.Expr = sqlexpr.Rewrite(l.src.expr, l.replaceWithOperandRefs)
	if l.first == nil && l.hasOuterAggregates() && len(l.form.Operands) == 0 {
		l.addErrorf(l.src.expr, CodeNotAnAggregate, "name a metric, or an aggregate over fields, inside of an aggregate", "the expression %s names no metric whose rows it counts", quoteExcerpt(l.src.entry.Expression.Value))
	}
	l.checkDeclaredHome()
	l.rejectImpossibleConversion(l.form.Expr, operandTyper(l.form))
	if l.first != nil {
		return nil, l.first
	}
	return l.form, nil
}

// addErrorAt lists an error at a node of the expression. An error that has a place
// already is another object's and is shared.
func (l *metricLowering) addErrorAt(e sqlexpr.Expr, err *modelspec.CompileError) {
	if err.Location == "" {
		err.Location = l.owner.MemberLocation("expression")
		err.Position = l.src.entry.Expression.PositionAtOffset(e.Pos())
		if l.place != nil {
			err.Location, err.Position = l.place.Location, l.place.Position
		}
	}
	if l.first == nil {
		l.first = err
	}
	l.addErrorOnce(err)
}

func (l *metricLowering) addErrorf(e sqlexpr.Expr, code, hint, format string, args ...any) {
	l.addErrorAt(e, &modelspec.CompileError{Code: code, Hint: hint, Message: fmt.Sprintf(format, args...)})
}

// rejectImpossibleConversion lists the first impossible conversion in a portable expression, and reports whether there is one.
func (l *metricLowering) rejectImpossibleConversion(e sqlexpr.Expr, leaf func(sqlexpr.Expr) sqlexpr.Type) bool {
	if l.src.nativeDialect() != "" {
		return false
	}
	at, problem := findImpossibleConversion(e, leaf)
	if problem != nil {
		l.addErrorAt(at, impossibleConversionError(problem))
	}
	return problem != nil
}

// checkNodesAllowedInMetric rejects what no metric may hold, before names are resolved.
func (l *metricLowering) checkNodesAllowedInMetric() bool {
	aggregates, names := 0, 0
	sqlexpr.Walk(l.src.expr, func(e sqlexpr.Expr) bool {
		switch e := e.(type) {
		case *sqlexpr.Subquery:
			l.addErrorf(e, CodeSubqueryInMetric, "aggregate fields, or let the source of the dataset select the value", "a subquery cannot stand in a metric: %s", quoteExpr(e))
			return false
		case *sqlexpr.WindowCall:
			l.addErrorf(e, CodeWindowInMetric, "declare a window on a plain metric, or let the source of the dataset select the value", "a window function cannot stand in a metric: %s", quoteExpr(e))
			return false
		case *sqlexpr.Param:
			l.addErrorf(e, CodeUnparseable, "declare a derived metric; parameters stand in its where or expr", "a parameter cannot stand in a metric's own expression: %s", quoteExpr(e))
		case *sqlexpr.Column:
			names++
		case *sqlexpr.Call:
			switch sqlexpr.InfoOfFunction(e.Fn).Class {
			case sqlexpr.ClassWindow:
				l.addErrorf(e, CodeWindowInMetric, "declare a window on a plain metric, or let the source of the dataset select the value", "a window function cannot stand in a metric: %s", quoteExpr(e))
				return false
			case sqlexpr.ClassAggregate:
				aggregates++
				l.checkNestedInAggregate(e, l.hasOuterAggregates())
				return false
			}
		}
		return true
	})
	if l.first == nil && aggregates == 0 && l.hasOuterAggregates() {
		l.addErrorf(l.src.expr, CodeNotAnAggregate, "aggregate over the rows of the included groups: AVG(metric), COUNT(*), …", "the expression %s does not aggregate the rows of its included groups", quoteExcerpt(l.src.entry.Expression.Value))
	}
	if l.first == nil && aggregates == 0 && !l.expressionNamesMetric() {
		hint := "wrap it in SUM(...) or another aggregate"
		if names == 0 {
			hint = "a metric aggregates fields: SUM(dataset.field)"
		}
		l.addErrorf(l.src.expr, CodeNotAnAggregate, hint, "the expression %s does not aggregate", quoteExcerpt(l.src.entry.Expression.Value))
	}
	return l.first == nil
}

// expressionNamesMetric reports whether a name in the expression is a metric's.
func (l *metricLowering) expressionNamesMetric() bool {
	return sqlexpr.HasNode(l.src.expr, func(c *sqlexpr.Column) bool {
		return len(c.Path) == 1 && l.findMetricByName(c.Path[0].Text) != nil
	})
}

// hintOfNestedAggregate names what computes an aggregate of aggregates.
const hintOfNestedAggregate = "compute the inner value for other groups with the key at, or per row in a field with an lod grain"

// checkNestedInAggregate looks for what an aggregate's arguments may not hold. Those of an aggregate over the rows of included groups
// may hold one aggregate in another.
func (l *metricLowering) checkNestedInAggregate(outer *sqlexpr.Call, isOverGroups bool) {
	shown := sync.OnceValue(func() string { return quoteExpr(outer) }) // many calls may be inside
	for _, arg := range outer.Args {
		sqlexpr.Walk(arg, func(e sqlexpr.Expr) bool {
			switch e := e.(type) {
			case *sqlexpr.Subquery:
				l.addErrorf(e, CodeSubqueryInMetric, "aggregate fields, or let the source of the dataset select the value", "a subquery cannot stand in a metric: %s", quoteExpr(e))
				return false
			case *sqlexpr.WindowCall:
				l.addErrorf(e, CodeWindowInMetric, "let the source of the dataset select the value", "a window function cannot stand in a metric: %s", quoteExpr(e))
				return false
			case *sqlexpr.Param:
				l.addErrorf(e, CodeUnparseable, "declare a derived metric; parameters stand in its where or expr", "a parameter cannot stand in a metric's own expression: %s", quoteExpr(e))
			case *sqlexpr.Call:
				switch sqlexpr.InfoOfFunction(e.Fn).Class {
				case sqlexpr.ClassAggregate:
					if isOverGroups {
						l.checkNestedInAggregate(e, false)
						return false
					}
					l.addErrorf(e, CodeNestedAggregate, hintOfNestedAggregate, "%s is inside of the aggregate %s", quoteExpr(e), shown())
					return false
				case sqlexpr.ClassWindow:
					l.addErrorf(e, CodeWindowInMetric, "let the source of the dataset select the value", "a window function cannot stand in a metric: %s", quoteExpr(e))
					return false
				}
			}
			return true
		})
	}
}

// replaceWithOperandRefs replaces aggregates and metric names by operands.
func (l *metricLowering) replaceWithOperandRefs(e sqlexpr.Expr) sqlexpr.Expr {
	switch e := e.(type) {
	case *sqlexpr.Call:
		if sqlexpr.InfoOfFunction(e.Fn).Class == sqlexpr.ClassAggregate {
			if l.hasOuterAggregates() {
				if outer := l.lowerOuterAggregate(e); outer != nil {
					return outer
				}
				return e
			}
			if measure := l.lowerAggregate(e); measure != nil {
				return l.newOperandRef(e.Position, measure)
			}
			return e
		}
	case *sqlexpr.Column:
		if other := l.findMetric(e); other != nil {
			return l.newOperandRef(e.Position, other.cat)
		}
		return e
	}
	return nil
}

// newOperandRef refers to an operand; a generated expression may have very many.
func (l *metricLowering) newOperandRef(at sqlexpr.Position, o catalog.Operand) sqlexpr.Expr {
	i, ok := l.seen[o]
	if !ok {
		if l.seen == nil {
			l.seen = map[catalog.Operand]int{}
		}
		i = len(l.form.Operands)
		l.seen[o] = i
		l.form.Operands = append(l.form.Operands, o)
	}
	return &sqlexpr.Ref{Position: at, ID: i}
}

// findMetric resolves a name outside an aggregate, which must be the name of a
// metric.
func (l *metricLowering) findMetric(column *sqlexpr.Column) *metricInProgress {
	if len(column.Path) == 1 && l.field == nil {
		name := column.Path[0]
		if other := l.findMetricByName(name.Text); other != nil && (!name.Quoted || other.cat.Name == name.Text) {
			return other
		}
	}
	f, err := l.resolveQualifiedOrBareField(column)
	if f == nil && err.Code != CodeAmbiguousColumn {
		if err.Code == CodeUnknownColumn {
			err.Message = fmt.Sprintf("%s is neither a metric nor a field", quoteExpr(column))
			if l.extends && len(column.Path) == 1 {
				err = l.unknownMetricError(column.Path[0].Text, "")
			}
		}
		l.addErrorAt(column, err)
		return nil
	}
	l.addErrorf(column, CodeBareColumn, "aggregate it: SUM(...), MIN(...), …", "the field %s is outside of any aggregate", quoteExpr(column))
	return nil
}

// checkDeclaredHome rejects a declared home that no aggregate has.
func (l *metricLowering) checkDeclaredHome() {
	if l.home == nil || l.starry || l.first != nil {
		return
	}
	for _, o := range l.form.Operands {
		if m, ok := o.(*catalog.Measure); ok && m.Home == l.home.cat {
			return
		}
	}
	l.addErrorAt(l.src.expr, invalidReferenceError(l.homeOf, "dataset",
		"dataset names %s, and the metric has no aggregate over that dataset", l.homeOf.Name).CompileError)
}
