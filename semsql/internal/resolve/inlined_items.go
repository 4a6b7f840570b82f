package resolve

import (
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/semsql/parse"
)

// starItem returns the item * of the table; nil without one.
func (m *inlinedDerivedTable) starItem() *parse.Star {
	for _, item := range m.items {
		if star, ok := item.X.(*parse.Star); ok {
			return star
		}
	}
	return nil
}

// itemColumnName returns the name of the column of an item.
func (m *inlinedDerivedTable) itemColumnName(i int) string {
	if i < len(m.names) {
		return AliasColumnName(m.names[i])
	}
	item := m.items[i]
	if item.Alias.Text != "" {
		return AliasColumnName(item.Alias)
	}
	if c, ok := item.X.(*parse.Column); ok {
		if found, err := m.scope.resolveColumn(c); err == nil {
			return found.name
		}
		return c.Path[len(c.Path)-1].Text
	}
	return parse.ColumnName(item.X)
}

// findMeanings lists what a name means: the item of that name, else a column after *.
func (m *inlinedDerivedTable) findMeanings(name parse.Name, at int) ([]columnMeaning, error) {
	var out []columnMeaning
	for i, item := range m.items {
		if _, star := item.X.(*parse.Star); star || !m.itemHasName(i, name) {
			continue
		}
		e, err := m.scope.LowerExpr(item.X)
		if err != nil {
			return nil, err
		}
		out = append(out, columnMeaning{exprWithErrorPosition(at, e), m.itemColumnName(i)})
	}
	if len(out) == 0 && m.starItem() != nil {
		return m.scope.meaningsInSource(m.source, name, at)
	}
	return out, nil
}

// itemHasName reports whether a name means an item of the table.
func (m *inlinedDerivedTable) itemHasName(i int, name parse.Name) bool {
	if i < len(m.names) {
		return MatchesName(m.names[i], name)
	}
	if alias := m.items[i].Alias; alias.Text != "" {
		return MatchesName(alias, name)
	}
	return MatchesName(parse.Name{Text: m.itemColumnName(i), Quoted: true}, name)
}

// exprWithErrorPosition returns an expression whose errors point to where the statement names it.
func exprWithErrorPosition(at int, e sqlexpr.Expr) sqlexpr.Expr {
	if ref, ok := e.(*sqlexpr.Ref); ok {
		return &sqlexpr.Ref{Position: sqlexpr.Position(at), ID: ref.ID}
	}
	return e
}
