package resolve

import (
	"errors"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/planner/sqltype"
	"github.com/semlayer/semlayer/semsql/parse"
	"github.com/semlayer/semlayer/semsql/sqlerror"
)

// SelectItem is one column of a select: what it shows and its name.
type SelectItem struct {
	Expr   sqlexpr.Expr
	Name   string
	Syntax parse.Node // the expression of the statement, or the star that it comes from
}

// ResolveSelectItems resolves the list of a select: a star is the fields of its relations.
func (s *Scope) ResolveSelectItems(list []*parse.SelectItem) ([]SelectItem, error) {
	var out []SelectItem
	for _, item := range list {
		if star, ok := item.X.(*parse.Star); ok {
			columns, err := s.expandStar(star)
			if err != nil {
				return nil, err
			}
			out = append(out, columns...)
			continue
		}
		e, err := s.LowerExpr(item.X)
		if err != nil {
			return nil, err
		}
		out = append(out, SelectItem{Expr: e, Name: s.selectItemColumnName(item, e), Syntax: item.X})
	}
	return out, nil
}

// selectItemColumnName returns the name of an item's column: its alias, else the name of the column or measure, else that of PostgreSQL.
func (s *Scope) selectItemColumnName(item *parse.SelectItem, e sqlexpr.Expr) string {
	if item.Alias.Text != "" {
		return AliasColumnName(item.Alias)
	}
	switch x := item.X.(type) {
	case *parse.Column:
		if m, err := s.resolveColumn(x); err == nil {
			return m.name
		}
	case *parse.MeasureCall:
		if ref, ok := e.(*sqlexpr.Ref); ok {
			return s.Refs.ReferenceOf(ref).Column
		}
	}
	return parse.ColumnName(item.X)
}

// expandStar lists the columns of * or t.*.
func (s *Scope) expandStar(star *parse.Star) ([]SelectItem, error) {
	if len(s.from) > 0 && len(star.Qualifier) == 0 {
		return s.expandStarOverJoins(star)
	}
	var out []SelectItem
	found := false
	for _, source := range s.Sources {
		if len(star.Qualifier) > 0 && !source.isMeantByQualifier(star.Qualifier) {
			continue
		}
		found = true
		columns, err := s.sourceColumnItems(source, star)
		if err != nil {
			return nil, err
		}
		out = append(out, columns...)
	}
	if !found {
		return nil, s.unknownQualifierError(&parse.Column{Position: star.Position, Path: append(append([]parse.Name(nil), star.Qualifier...), parse.Name{Text: "*"})})
	}
	return out, nil
}

func (s *Scope) sourceColumnItems(source *Source, star *parse.Star) ([]SelectItem, error) {
	switch {
	case s.results:
		return s.resultColumnItems(source, star), nil
	case source.merged != nil:
		return source.merged.columnItems(star)
	}
	var out []SelectItem
	if source.Relation.IsWide() {
		if !s.withoutRows {
			return nil, s.wideStarError(star)
		}
		for _, c := range source.Relation.Columns {
			out = append(out, SelectItem{Expr: NullOfType(c.Type), Name: c.Name, Syntax: star})
		}
		return out, nil
	}
	for _, c := range source.Relation.FieldColumns() {
		m := s.meaningOfColumn(c, source, star.Pos())
		out = append(out, SelectItem{Expr: m.expr, Name: m.name, Syntax: star})
	}
	return out, nil
}

// columnItems lists the columns of a merged table.
func (m *inlinedDerivedTable) columnItems(star *parse.Star) ([]SelectItem, error) {
	var out []SelectItem
	for i, item := range m.items {
		if inner, ok := item.X.(*parse.Star); ok {
			columns, err := m.scope.expandStar(inner)
			if err != nil {
				return nil, err
			}
			out = append(out, columns...)
			continue
		}
		e, err := m.scope.LowerExpr(item.X)
		if err != nil {
			return nil, err
		}
		out = append(out, SelectItem{Expr: exprWithErrorPosition(star.Pos(), e), Name: m.itemColumnName(i), Syntax: star})
	}
	return out, nil
}

// wideStarError rejects * over the wide relation, which has no rows.
func (s *Scope) wideStarError(star *parse.Star) error {
	e := sqlerror.New(sqlerror.CodeUnsupported, star.Pos(), "the relation "+s.wideRelation().Name+" has no rows: name the columns to group by, and metrics").WithOssieCode("E1208")
	return e.WithSuggestedStatement(parse.Format(s.firstDimensionAndMetricQuery()))
}

// firstDimensionAndMetricQuery selects the first dimension and the first metric of the wide relation.
func (s *Scope) firstDimensionAndMetricQuery() *parse.Query {
	wide := s.wideRelation()
	out := &parse.Select{From: []parse.Relation{&parse.Table{Path: []parse.Name{{Text: wide.Name}}}}}
	for _, c := range wide.Columns {
		column := &parse.Column{Path: []parse.Name{{Text: c.Name}}}
		switch {
		case c.Field != nil && len(out.Items) == 0 && s.isDimensionTrueOrUnset(c.Field.IsDimension) && len(c.Path) == 0:
			if dimension, _ := c.Field.DimensionRoleAndSource(); dimension && c.Field.Err == nil {
				out.Items, out.GroupBy = []*parse.SelectItem{{X: column}}, []parse.Expr{column}
			}
		case c.Metric != nil && c.Metric.Err == nil && len(out.Items) < 2 && !c.Metric.NeedsTimeAxis(s.Dialect):
			out.Items = append(out.Items, &parse.SelectItem{X: &parse.MeasureCall{Metric: column}})
			return &parse.Query{Body: out}
		}
	}
	return &parse.Query{Body: out}
}

func (s *Scope) isDimensionTrueOrUnset(isDimension *bool) bool {
	return isDimension == nil || *isDimension
}

// FindItemByColumnName finds an item by the name of its column, as GROUP BY and ORDER BY do; it fails where several items of that
// name differ.
func FindItemByColumnName(items []SelectItem, name parse.Name, at int) (found int, err error) {
	found = -1
	for i, item := range items {
		if !MatchesName(parse.Name{Text: item.Name, Quoted: true}, name) {
			continue
		}
		if found >= 0 && !sqlexpr.Equal(items[found].Expr, item.Expr) {
			return -1, sqlerror.New(planerr.CodeAmbiguousDimension, at, "several columns are named "+planerr.ClipText(name.Text))
		}
		if found < 0 {
			found = i
		}
	}
	return found, nil
}

// IsUnknownColumn reports whether an error is that of a name without a meaning.
func IsUnknownColumn(err error) bool {
	var e *sqlerror.Error
	return errors.As(err, &e) && e.Code == codeUnknownColumn
}

// SetWithoutRows makes a star over the wide relation stand for its columns, of which a select without rows shows the types.
func (s *Scope) SetWithoutRows() {
	s.withoutRows = true
	for _, source := range s.Sources {
		if source.merged != nil {
			source.merged.scope.SetWithoutRows()
		}
	}
}

// castNameByType are the types that NULL is cast to, where they have another name than the type.
var castNameByType = map[sqltype.Type]string{sqltype.Unknown: "varchar", sqltype.Text: "varchar"}

// NullOfType returns NULL of a type of columns.
func NullOfType(t sqltype.Type) sqlexpr.Expr {
	name, ok := castNameByType[t]
	if !ok {
		name = t.String()
	}
	cast, err := sqlexpr.NewCast(0, &sqlexpr.Null{}, name)
	if err != nil {
		return &sqlexpr.Null{}
	}
	return cast
}
