package importer

import (
	"errors"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// AggregateExpressionRewriter is the SQL of a measure that aggregates itself, as other tools write it: arithmetic over
// aggregates of columns, and over other measures.
type AggregateExpressionRewriter struct {
	// Member returns the metric of a name that stands for a measure, nil for a column.
	Member func(*sqlexpr.Column) sqlexpr.Expr
	// Field returns the path of a field with an expression over columns, which an aggregate reads.
	Field func(expression string) (path string, err error)
	// CountsRows is set where an aggregate names no column, such as COUNT(*).
	CountsRows bool
	// Dialect is the dialect of the SQL, "" where it is portable.
	Dialect string

	failed error
}

// RewriteForMetric puts metrics in the places of measures, and fields in the places of what aggregates read.
func (a *AggregateExpressionRewriter) RewriteForMetric(text string) (string, error) {
	e, err := ParseSQL(text, a.Dialect)
	if err != nil {
		return "", errors.New("its SQL cannot be read: " + err.Error())
	}
	out := sqlexpr.Rewrite(e, a.rewrite)
	return sqlexpr.Format(out), a.failed
}

// recordFirstFailure keeps the first reason why the measure has no counterpart.
func (a *AggregateExpressionRewriter) recordFirstFailure(reason string) sqlexpr.Expr {
	if a.failed == nil {
		a.failed = errors.New(reason)
	}
	return &sqlexpr.Null{}
}

func (a *AggregateExpressionRewriter) rewrite(x sqlexpr.Expr) sqlexpr.Expr {
	switch x := x.(type) {
	case *sqlexpr.Call:
		if sqlexpr.InfoOfFunction(x.Fn).Class == sqlexpr.ClassAggregate {
			return a.replaceAggregateArgumentsByFields(x)
		}
	case *sqlexpr.WindowCall:
		return a.recordFirstFailure("a window function has no counterpart")
	case *sqlexpr.Column:
		if member := a.Member(x); member != nil {
			return member
		}
		return a.recordFirstFailure("it names " + sqlexpr.Format(x) + " outside of an aggregate, which is not a measure")
	}
	return nil
}

// replaceAggregateArgumentsByFields puts fields in the places of the arguments of an aggregate.
func (a *AggregateExpressionRewriter) replaceAggregateArgumentsByFields(call *sqlexpr.Call) sqlexpr.Expr {
	copied := *call
	copied.Args = make([]sqlexpr.Expr, len(call.Args))
	names := 0
	for i, arg := range call.Args {
		copied.Args[i] = arg
		columns := sqlexpr.ColumnReferences(arg)
		if names += len(columns); len(columns) == 0 {
			continue
		}
		for _, column := range columns {
			if a.Member(column) != nil {
				return a.recordFirstFailure("an aggregate of a measure has no counterpart")
			}
		}
		if sqlexpr.HasAggregate(arg) {
			return a.recordFirstFailure("an aggregate of an aggregate has no counterpart")
		}
		path, err := a.Field(sqlexpr.Format(arg))
		if err != nil {
			return a.recordFirstFailure(err.Error())
		}
		if copied.Args[i], err = sqlexpr.Parse(path); err != nil {
			return a.recordFirstFailure(err.Error())
		}
	}
	a.CountsRows = a.CountsRows || names == 0
	return &copied
}
