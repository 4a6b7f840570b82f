package compile

import (
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/internal/cancel"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/modelspec/suggest"
)

// markCrossDatasetFields marks the fields whose expressions name fields of other datasets, and those that
// name such a field.
func (c *compiler) markCrossDatasetFields() {
	var open []*fieldInProgress
	for f := range c.rowLevelFields() {
		if f.joins = slices.ContainsFunc(f.columnReferences(), f.isCrossDatasetName); f.joins {
			open = append(open, f)
		}
	}
	if len(open) == 0 {
		return
	}
	users := map[*fieldInProgress][]*fieldInProgress{}
	for f := range c.rowLevelFields() {
		for _, column := range f.columnReferences() {
			if own := f.ds.findFieldByName(column.Path[len(column.Path)-1].Text); own != nil && own != f && !f.isCrossDatasetName(column) {
				users[own] = append(users[own], f)
			}
		}
	}
	for ; len(open) > 0; open = open[1:] {
		for _, user := range users[open[0]] {
			if !user.joins {
				user.joins = true
				open = append(open, user)
			}
		}
	}
}

// rowLevelFields yields the fields of all datasets that are values of a row.
func (c *compiler) rowLevelFields() iter.Seq[*fieldInProgress] {
	return func(yield func(*fieldInProgress) bool) {
		for d := range cancel.EachUntilDone(c.ctx, c.datasets) {
			for _, f := range d.list {
				if f.ext.LOD == nil && !yield(f) {
					return
				}
			}
		}
	}
}

// columnReferences lists the names in the expressions of the field.
func (f *fieldInProgress) columnReferences() []*sqlexpr.Column {
	if own, plain := f.source.Default.expr.(*sqlexpr.Column); plain && len(f.source.ByDialect) == 0 {
		return []*sqlexpr.Column{own}
	}
	out := sqlexpr.ColumnReferences(f.source.Default.expr)
	for _, src := range f.source.ByDialect {
		out = append(out, sqlexpr.ColumnReferences(src.expr)...)
	}
	return out
}

// isCrossDatasetName reports whether a name in the field's expression is of another dataset, or of a relationship.
func (f *fieldInProgress) isCrossDatasetName(column *sqlexpr.Column) bool {
	return len(column.Path) > 2 || len(column.Path) == 2 && !strings.EqualFold(column.Path[0].Text, f.ds.cat.Name)
}

// resolveCrossDatasetName resolves a name of another dataset or of a relationship in a field's expression: the
// field is read through the joins that lead to it from the rows of f.
func (x *fieldExpander) resolveCrossDatasetName(f *fieldInProgress, column *sqlexpr.Column, dialect string) (sqlexpr.Expr, *fieldInProgress, *modelspec.CompileError) {
	ref, err := x.findCrossDatasetField(f, column)
	if err != nil {
		return nil, nil, err
	}
	if err := x.expandReferencedField(ref.field, dialect); err != nil {
		return nil, nil, err
	}
	id, err := x.fieldIDOfReference(f.ds.cat, ref, x.safePaths)
	if err != nil {
		return nil, nil, err
	}
	return &sqlexpr.Ref{Position: column.Position, ID: id}, ref.field, nil
}

// findCrossDatasetField finds the field that a name of another dataset or of a relationship refers to.
func (x *fieldExpander) findCrossDatasetField(f *fieldInProgress, column *sqlexpr.Column) (resolvedFieldReference, *modelspec.CompileError) {
	parts := column.Path[:len(column.Path)-1]
	if len(x.relationshipsInNamePrefix(column)) == 0 && !x.isDatasetQualifier(parts) {
		qualifier := dottedQualifierText(parts)
		return resolvedFieldReference{}, &modelspec.CompileError{Code: CodeUnknownDataset,
			Message:    fmt.Sprintf("%s names %q, which is not a dataset", quoteExpr(column), qualifier),
			Candidates: suggest.Nearest(qualifier, []string{f.ds.cat.Name}, 0)}
	}
	return x.resolveFieldReference(column, f.ds.cat)
}

// expandReferencedField expands a field that another one names.
func (x *fieldExpander) expandReferencedField(other *fieldInProgress, dialect string) *modelspec.CompileError {
	if other.state == stateBeingVisited {
		return x.fieldCycleError(other)
	}
	x.expandFieldIfNotVisited(other)
	return other.cat.ErrorForDialect(dialect)
}
