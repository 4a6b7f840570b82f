package compile

import (
	"fmt"
	"maps"
	"slices"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/internal/cancel"
	"github.com/semlayer/semlayer/modelspec/limits"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// Fields expand into each other as trees that share their parts, so a few
// fields could expand to a text of any length. These bounds keep the result within the
// limits of engines.
const (
	maxExpandedFieldNodes = limits.FieldExpressionNodes
	maxFieldNestingLevels = limits.FieldNestingLevels
)

// expandFields replaces names of other fields by their expressions, so that a
// field's expression is over physical columns alone. Fields over several datasets wait for the join
// graph: they name fields of other datasets by the paths to them.
func (c *compiler) expandFields() {
	c.markCrossDatasetFields()
	for d := range cancel.EachUntilDone(c.ctx, c.datasets) {
		for f := range cancel.EachUntilDone(c.ctx, d.list) {
			if !f.joins && d.sequence == nil { // the fields of a sequence wait for those that its steps give it
				(&fieldExpander{compiler: c}).expandFieldIfNotVisited(f)
			}
		}
	}
}

// expandCrossDatasetFields expands the fields over several datasets.
func (c *compiler) expandCrossDatasetFields() {
	for d := range cancel.EachUntilDone(c.ctx, c.datasets) {
		for f := range cancel.EachUntilDone(c.ctx, d.list) {
			(&fieldExpander{compiler: c}).expandFieldIfNotVisited(f)
		}
	}
}

// fieldExpander follows the fields that one field expands to.
type fieldExpander struct {
	*compiler
	stack []*fieldInProgress
}

func (x *fieldExpander) expandFieldIfNotVisited(f *fieldInProgress) {
	if f.state == stateVisited {
		return
	}
	f.state = stateBeingVisited
	x.stack = append(x.stack, f)
	if f.cat.Err == nil && f.ext.LOD == nil {
		x.expandField(f)
	}
	f.cat.Type = x.inferNonLODFieldType(f)
	x.stack = x.stack[:len(x.stack)-1]
	f.state = stateVisited
}

func (x *fieldExpander) expandField(f *fieldInProgress) {
	f.cat.Expr.Default, f.cat.Err = x.expandExpression(f, f.source.Default, "")
	if f.cat.Err != nil {
		f.cat.Expr = catalog.DialectVariants[sqlexpr.Expr]{}
		return
	}
	for _, dialect := range x.dialectsToExpandFor(f) {
		if f.cat.ErrByDialect[dialect] != nil {
			continue
		}
		expr, err := x.expandExpression(f, f.source.ForDialect(dialect), dialect)
		if err != nil {
			recordDialectError(&f.cat.ErrByDialect, dialect, err)
			continue
		}
		if f.cat.Expr.ByDialect == nil {
			f.cat.Expr.ByDialect = map[string]sqlexpr.Expr{}
		}
		f.cat.Expr.ByDialect[dialect] = expr
	}
	if f.mask != nil {
		f.cat.Expr = maskVariants(f.cat.Expr, f.mask)
	}
}

// dialectsToExpandFor lists the dialects for which the field, or a field it names, has a
// separate expression.
func (x *fieldExpander) dialectsToExpandFor(f *fieldInProgress) []string {
	var set map[string]bool // most fields need none
	note := func(dialect string) {
		if set == nil {
			set = map[string]bool{}
		}
		set[dialect] = true
	}
	add := func(e sqlexpr.Expr) {
		for column := range sqlexpr.Nodes[*sqlexpr.Column](e) {
			if other := x.findReferencedFieldInAnyDataset(f, column); other != nil {
				for d := range other.cat.Expr.ByDialect {
					note(d)
				}
				for d := range other.cat.ErrByDialect {
					note(d)
				}
			}
		}
	}
	add(f.source.Default.expr)
	for d, s := range f.source.ByDialect {
		note(d)
		add(s.expr)
	}
	if set == nil {
		return nil
	}
	return slices.Sorted(maps.Keys(set))
}

// findReferencedFieldInAnyDataset returns the other field that a column of f's expression names, in any dataset; nil when it
// names a physical column or nothing.
func (x *fieldExpander) findReferencedFieldInAnyDataset(f *fieldInProgress, column *sqlexpr.Column) *fieldInProgress {
	if !f.isCrossDatasetName(column) {
		return x.findReferencedFieldInOwnDataset(f, column)
	}
	ref, err := x.resolveFieldReference(column, f.ds.cat)
	if err != nil {
		return nil
	}
	return ref.field
}

// findReferencedFieldInOwnDataset returns the other field of its dataset that a column of f's expression names, nil when it
// names a physical column.
func (x *fieldExpander) findReferencedFieldInOwnDataset(f *fieldInProgress, column *sqlexpr.Column) *fieldInProgress {
	name := column.Path[len(column.Path)-1]
	other := f.ds.findFieldByName(name.Text)
	if other == nil || other == f || name.Quoted && other.cat.Name != name.Text {
		return nil
	}
	return other
}

// typeOfNamedField types the names in a field's expression.
func (x *fieldExpander) typeOfNamedField(f *fieldInProgress, e sqlexpr.Expr) sqlexpr.Type {
	column, ok := e.(*sqlexpr.Column)
	if !ok {
		return sqlexpr.TypeUnknown
	}
	other := x.findReferencedFieldInAnyDataset(f, column)
	if other == nil || other.dropped || other.state == stateBeingVisited {
		return sqlexpr.TypeUnknown
	}
	x.expandFieldIfNotVisited(other)
	return other.cat.Type
}

// expandExpression expands one spelling of a field for a dialect ("" for the default).
// It lists every error and returns the first.
func (x *fieldExpander) expandExpression(f *fieldInProgress, src parsedDialectEntry, dialect string) (sqlexpr.Expr, *modelspec.CompileError) {
	var first *modelspec.CompileError
	note := func(e *modelspec.CompileError) {
		if first == nil {
			first = e
		}
		x.addErrorOnce(e)
	}
	location := func() string { return f.doc.MemberLocation("expression") }
	nodes, levels := 0, 0
	// Once columns replace names, the declared types are lost.
	typeOf := func(e sqlexpr.Expr) sqlexpr.Type { return x.typeOfNamedField(f, e) }
	if src.nativeDialect() == "" {
		if at, problem := findImpossibleConversion(src.expr, typeOf); problem != nil {
			e := impossibleConversionError(problem)
			e.Location, e.Position = location(), src.entry.Expression.PositionAtOffset(at.Pos())
			note(e)
		}
	}
	byType := sqlexpr.ResolveOperatorTypes(src.expr, typeOf)
	_, isName := byType.(*sqlexpr.Column)
	isDay := isName && f.cat.Datatype.LogicalType() == sqlexpr.TypeDate // the day of a day is read once, with the field
	days := false
	expr := sqlexpr.Rewrite(byType, func(e sqlexpr.Expr) sqlexpr.Expr {
		nodes++
		at := func() modelspec.Position { return src.entry.Expression.PositionAtOffset(e.Pos()) }
		switch e := e.(type) {
		case *sqlexpr.Subquery, *sqlexpr.WindowCall, *sqlexpr.Param:
			if _, ok := sqlexpr.UserAttributeName(e); ok {
				return e // of a policy, whose text alone can hold one
			}
			note(&modelspec.CompileError{Code: CodeUnparseable, Location: location(), Position: at(), Message: nonScalarPartMessage(e)})
			return e
		case *sqlexpr.Call:
			if sqlexpr.InfoOfFunction(e.Fn).Class != sqlexpr.ClassScalar {
				note(&modelspec.CompileError{Code: CodeUnparseable, Location: location(), Position: at(),
					Message: fmt.Sprintf("a field is a value of a row; %s is not", quoteExpr(e))})
				return e
			}
		case *sqlexpr.Column:
			expanded, other, err := x.resolveNameInField(f, e, dialect)
			if err != nil {
				if err.Position == (modelspec.Position{}) {
					err.Location, err.Position = location(), at()
				}
				note(err)
				return e
			}
			if other != nil {
				nodes += other.nodes
				levels = max(levels, other.levels+1)
				if other.cat.Type == sqlexpr.TypeDate && other.cat.Encoding == nil && !isDay {
					expanded, days = sqlexpr.DayOf(expanded), true
				}
			}
			return expanded
		}
		return nil
	})
	if days {
		expr = sqlexpr.NormalizeDays(expr)
	}
	if first == nil && (nodes > maxExpandedFieldNodes || levels > maxFieldNestingLevels) {
		note(&modelspec.CompileError{Code: CodeUnparseable, Location: location(), Position: src.entry.Expression.Position,
			Message: fmt.Sprintf("with the fields it names expanded, the expression has %d nodes over %d levels; at most %d and %d are accepted", nodes, levels, maxExpandedFieldNodes, maxFieldNestingLevels)})
	}
	f.nodes, f.levels = max(f.nodes, nodes), max(f.levels, levels)
	return expr, first
}

// findImpossibleConversion returns the first impossible conversion in an expression, and the part that asks for it.
func findImpossibleConversion(e sqlexpr.Expr, leaf func(sqlexpr.Expr) sqlexpr.Type) (at sqlexpr.Expr, problem *sqlexpr.ImpossibleConversion) {
	sqlexpr.Walk(e, func(x sqlexpr.Expr) bool {
		if problem == nil {
			at, problem = x, sqlexpr.FindImpossibleConversion(x, leaf)
		}
		return problem == nil
	})
	return at, problem
}

func impossibleConversionError(c *sqlexpr.ImpossibleConversion) *modelspec.CompileError {
	return &modelspec.CompileError{Code: CodeUnparseable, Message: c.Message, Hint: c.Advice, ImpossibleConversion: true}
}

func nonScalarPartMessage(e sqlexpr.Expr) string {
	switch e.(type) {
	case *sqlexpr.Subquery:
		return "a subquery cannot stand in a field's expression; put it into the dataset's source"
	case *sqlexpr.WindowCall:
		return "a window function cannot stand in a field's expression; put it into the dataset's source"
	}
	return "a parameter cannot stand in a field's expression"
}

// resolveNameInField resolves one name of a field's expression. An error without a position
// is about this name; one with a position is the other field's own.
func (x *fieldExpander) resolveNameInField(f *fieldInProgress, column *sqlexpr.Column, dialect string) (sqlexpr.Expr, *fieldInProgress, *modelspec.CompileError) {
	if f.isCrossDatasetName(column) {
		return x.resolveCrossDatasetName(f, column, dialect)
	}
	other := x.findReferencedFieldInOwnDataset(f, column)
	if other == nil {
		if len(column.Path) == 1 {
			return column, nil, nil
		}
		return &sqlexpr.Column{Position: column.Position, Path: column.Path[len(column.Path)-1:]}, nil, nil
	}
	if other.dropped {
		return nil, nil, &modelspec.CompileError{Code: CodeUnknownField,
			Message:    fmt.Sprintf("the field %s.%s aggregates without a grain and is dropped", f.ds.cat.Name, other.cat.Name),
			Candidates: x.nearestCandidates(other.cat.Name, f.ds.fieldNames)}
	}
	if err := x.expandReferencedField(other, dialect); err != nil {
		return nil, nil, err
	}
	if !slices.Contains(f.cat.Reads, other.cat) {
		f.cat.Reads = append(f.cat.Reads, other.cat)
	}
	if other.ext.LOD != nil {
		return &sqlexpr.Ref{Position: column.Position, ID: other.cat.ID}, nil, nil
	}
	return other.cat.Expr.ForDialect(dialect), other, nil
}

// fieldCycleError describes the path from a field back to itself.
func (x *fieldExpander) fieldCycleError(f *fieldInProgress) *modelspec.CompileError {
	circle := x.stack[slices.Index(x.stack, f):]
	of, name := "of "+f.ds.cat.Name, func(g *fieldInProgress) string { return g.cat.Name }
	if slices.ContainsFunc(circle, func(g *fieldInProgress) bool { return g.ds != f.ds }) {
		of, name = "of several datasets", func(g *fieldInProgress) string { return g.cat.QualifiedName() }
	}
	return &modelspec.CompileError{Code: CodeUnparseable, Location: f.doc.MemberLocation("expression"), Position: f.source.Default.entry.Expression.Position,
		Message: fmt.Sprintf("the fields %s expand into each other in a circle: %s", of, cyclePathText(circle, name))}
}
