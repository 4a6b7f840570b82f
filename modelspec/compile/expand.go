package compile

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/internal/cancel"
	"github.com/semlayer/semlayer/modelspec/limits"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/modelspec/suggest"
)

// Fields expand into each other as trees that share their parts, so a few
// fields could expand to a text of any length. These bounds keep the result within the
// limits of engines.
const (
	maxNodes  = limits.FieldNodes
	maxLevels = limits.FieldLevels
)

// expandFields replaces names of other fields by their expressions, so that a
// field's expression is over physical columns alone.
func (c *compiler) expandFields() {
	for d := range cancel.EachUntilDone(c.ctx, c.datasets) {
		for f := range cancel.EachUntilDone(c.ctx, d.list) {
			(&fieldExpander{compiler: c}).field(f)
		}
	}
}

// fieldExpander follows the fields that one field expands to.
type fieldExpander struct {
	*compiler
	stack []*field
}

func (x *fieldExpander) field(f *field) {
	if f.state == stateDone {
		return
	}
	f.state = stateActive
	x.stack = append(x.stack, f)
	if f.cat.Err == nil && f.ext.LOD == nil {
		x.expandField(f)
	}
	f.cat.Type = x.typeOf(f)
	x.stack = x.stack[:len(x.stack)-1]
	f.state = stateDone
}

func (x *fieldExpander) expandField(f *field) {
	f.cat.Expr.Default, f.cat.Err = x.rewrite(f, f.source.Default, "")
	if f.cat.Err != nil {
		f.cat.Expr = catalog.Variants[sqlexpr.Expr]{}
		return
	}
	for _, dialect := range x.expressionDialects(f) {
		if f.cat.ErrByDialect[dialect] != nil {
			continue
		}
		expr, err := x.rewrite(f, f.source.For(dialect), dialect)
		if err != nil {
			setDialectError(&f.cat.ErrByDialect, dialect, err)
			continue
		}
		if f.cat.Expr.ByDialect == nil {
			f.cat.Expr.ByDialect = map[string]sqlexpr.Expr{}
		}
		f.cat.Expr.ByDialect[dialect] = expr
	}
}

// expressionDialects lists the dialects for which the field, or a field it names, has a
// separate expression.
func (x *fieldExpander) expressionDialects(f *field) []string {
	var set map[string]bool // most fields need none
	note := func(dialect string) {
		if set == nil {
			set = map[string]bool{}
		}
		set[dialect] = true
	}
	add := func(e sqlexpr.Expr) {
		sqlexpr.Walk(e, func(n sqlexpr.Expr) bool {
			if column, ok := n.(*sqlexpr.Column); ok {
				if other := x.referencedField(f, column); other != nil {
					for d := range other.cat.Expr.ByDialect {
						note(d)
					}
					for d := range other.cat.ErrByDialect {
						note(d)
					}
				}
			}
			return true
		})
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

// referencedField is the other field that a column of f's expression names, nil when it
// names a physical column.
func (x *fieldExpander) referencedField(f *field, column *sqlexpr.Column) *field {
	name := column.Path[len(column.Path)-1]
	other := f.ds.fields[foldCase(name.Text)]
	if other == nil || other == f || name.Quoted && other.cat.Name != name.Text {
		return nil
	}
	return other
}

// leafType types the names in a field's expression.
func (x *fieldExpander) leafType(f *field, e sqlexpr.Expr) sqlexpr.Type {
	column, ok := e.(*sqlexpr.Column)
	if !ok {
		return sqlexpr.TypeUnknown
	}
	other := x.referencedField(f, column)
	if other == nil || other.dropped || other.state == stateActive {
		return sqlexpr.TypeUnknown
	}
	x.field(other)
	return other.cat.Type
}

// rewrite expands one spelling of a field for a dialect ("" for the default).
// It lists every error and returns the first.
func (x *fieldExpander) rewrite(f *field, src parsedSource, dialect string) (sqlexpr.Expr, *modelspec.CompileError) {
	var first *modelspec.CompileError
	note := func(e *modelspec.CompileError) {
		if first == nil {
			first = e
		}
		x.recordError(e)
	}
	location := func() string { return f.doc.At("expression") }
	nodes, levels := 0, 0
	// Once columns replace names, the declared types are lost.
	byType := sqlexpr.ResolveOperatorTypes(src.expr, func(e sqlexpr.Expr) sqlexpr.Type { return x.leafType(f, e) })
	expr := sqlexpr.Rewrite(byType, func(e sqlexpr.Expr) sqlexpr.Expr {
		nodes++
		at := func() modelspec.Position { return src.entry.Expression.Offset(e.Pos()) }
		switch e := e.(type) {
		case *sqlexpr.Subquery, *sqlexpr.Over, *sqlexpr.Param:
			note(&modelspec.CompileError{Code: CodeUnparseable, Location: location(), Position: at(), Message: nonScalarText(e)})
			return e
		case *sqlexpr.Call:
			if sqlexpr.InfoOf(e.Fn).Class != sqlexpr.Scalar {
				note(&modelspec.CompileError{Code: CodeUnparseable, Location: location(), Position: at(),
					Message: fmt.Sprintf("a field is a value of a row; %s is not", quoteExpr(e))})
				return e
			}
		case *sqlexpr.Column:
			expanded, other, err := x.column(f, e, dialect)
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
			}
			return expanded
		}
		return nil
	})
	if first == nil && (nodes > maxNodes || levels > maxLevels) {
		note(&modelspec.CompileError{Code: CodeUnparseable, Location: location(), Position: src.entry.Expression.Position,
			Message: fmt.Sprintf("with the fields it names expanded, the expression has %d nodes over %d levels; at most %d and %d are accepted", nodes, levels, maxNodes, maxLevels)})
	}
	f.nodes, f.levels = max(f.nodes, nodes), max(f.levels, levels)
	return expr, first
}

func nonScalarText(e sqlexpr.Expr) string {
	switch e.(type) {
	case *sqlexpr.Subquery:
		return "a subquery cannot stand in a field's expression; put it into the dataset's source"
	case *sqlexpr.Over:
		return "a window function cannot stand in a field's expression; put it into the dataset's source"
	}
	return "a parameter cannot stand in a field's expression"
}

// column resolves one name of a field's expression. An error without a position
// is about this name; one with a position is the other field's own.
func (x *fieldExpander) column(f *field, column *sqlexpr.Column, dialect string) (sqlexpr.Expr, *field, *modelspec.CompileError) {
	if err := x.qualifier(f, column); err != nil {
		return nil, nil, err
	}
	other := x.referencedField(f, column)
	if other == nil {
		if len(column.Path) == 1 {
			return column, nil, nil
		}
		return &sqlexpr.Column{At: column.At, Path: column.Path[len(column.Path)-1:]}, nil, nil
	}
	if other.dropped {
		return nil, nil, &modelspec.CompileError{Code: CodeUnknownField,
			Message:    fmt.Sprintf("the field %s.%s aggregates without a grain and is dropped", f.ds.cat.Name, other.cat.Name),
			Candidates: x.nearest(other.cat.Name, f.ds.fieldNames)}
	}
	if other.state == stateActive {
		return nil, nil, x.cycleError(other)
	}
	x.field(other)
	if err := other.cat.ErrFor(dialect); err != nil {
		return nil, nil, err
	}
	if other.ext.LOD != nil {
		return &sqlexpr.Ref{At: column.At, ID: other.cat.ID}, nil, nil
	}
	return other.cat.Expr.For(dialect), other, nil
}

// qualifier refuses names of other datasets: a field sees its own rows only.
func (x *fieldExpander) qualifier(f *field, column *sqlexpr.Column) *modelspec.CompileError {
	if len(column.Path) == 1 || len(column.Path) == 2 && strings.EqualFold(column.Path[0].Text, f.ds.cat.Name) {
		return nil
	}
	parts := make([]string, len(column.Path)-1)
	for i := range parts {
		parts[i] = column.Path[i].Text
	}
	qualifier := strings.Join(parts, ".")
	other := x.byName[foldCase(qualifier)]
	if other == nil {
		return &modelspec.CompileError{Code: CodeUnknownDataset,
			Message:    fmt.Sprintf("%s names %q, which is not a dataset", quoteExpr(column), qualifier),
			Candidates: suggest.Nearest(qualifier, []string{f.ds.cat.Name}, 0)}
	}
	return &modelspec.CompileError{Code: CodeUnknownField,
		Message:    fmt.Sprintf("%s belongs to another dataset; a field's expression sees the columns of %s only", quoteExpr(column), f.ds.cat.Name),
		Candidates: x.nearest(column.Path[len(column.Path)-1].Text, f.ds.fieldNames),
		Hint:       x.foreignFieldHint(f.ds, other)}
}

// cycleError describes the path from a field back to itself.
func (x *fieldExpander) cycleError(f *field) *modelspec.CompileError {
	from := slices.Index(x.stack, f)
	text := f.source.Default.entry.Expression
	return &modelspec.CompileError{Code: CodeUnparseable, Location: f.doc.At("expression"), Position: text.Position,
		Message: fmt.Sprintf("the fields of %s expand into each other in a circle: %s", f.ds.cat.Name, cyclePath(x.stack[from:], func(g *field) string { return g.cat.Name }))}
}

func (d *dataset) fieldNames() []string {
	out := make([]string, len(d.list))
	for i, f := range d.list {
		out[i] = f.cat.Name
	}
	return out
}
