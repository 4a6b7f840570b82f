package selection

import (
	"slices"
	"strconv"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/semsql/internal/resolve"
	"github.com/semlayer/semlayer/semsql/parse"
)

// rewriteJoinsAsSemiJoins returns a select in which every INNER JOIN of relations of the model with a result, on one column that is
// unique there, is the condition IN (SELECT …). Further conditions of ON that do not read the result are conditions of WHERE. ok is false
// where it has none.
func rewriteJoinsAsSemiJoins(statement *resolve.Statement, tables *resolve.CommonTables, s *parse.Select) (out *parse.Select, ok bool) {
	if len(s.From) != 1 {
		return s, false
	}
	j, isJoin := s.From[0].(*parse.Join)
	if !isJoin || j.Kind != parse.InnerJoin || j.Natural || len(j.Using) > 0 || isModelRelation(tables, j.Right) || !isModelRelation(tables, j.Left) {
		return s, false
	}
	result := joinedResult{alias: aliasOfRelation(j.Right), rows: subselectOfRelation(tables, j.Right)}
	if result.alias.Text == "" || result.rows == nil {
		return s, false
	}
	result.hasOther = func(c *parse.Column) bool {
		scope, err := statement.StatementForOtherSelect().NewScope(tables, &parse.Select{From: []parse.Relation{j.Left}})
		return err != nil || scope.HasColumn(c)
	}
	var among *parse.InQuery
	var rest parse.Expr
	for _, cond := range resolve.SplitConjuncts(j.On) {
		field, column, isEquality := result.equality(cond)
		switch {
		case isEquality && among == nil:
			among = &parse.InQuery{Position: sqlexpr.Position(cond.Pos()), X: field, Query: &parse.Query{Position: j.Position, Body: &parse.Select{
				Position: j.Position, Items: []*parse.SelectItem{{Position: j.Position, X: column}}, From: []parse.Relation{j.Right},
			}}}
		case result.mayBeReadBy(cond):
			return s, false
		default:
			rest = resolve.AndConditions(rest, cond)
		}
	}
	if among == nil || mayOtherClausesReadTable(s, result.alias, result.rows) {
		return s, false
	}
	filtered := *s
	filtered.From, filtered.Where = []parse.Relation{j.Left}, resolve.AndConditions(among, resolve.AndConditions(rest, s.Where))
	return &filtered, true
}

// joinedResult is a result that a select over the model joins.
type joinedResult struct {
	alias    parse.Name
	rows     *parse.Select
	hasOther func(*parse.Column) bool // the other side has the column, too, or may have it
}

// equality returns the two sides of an equality between a value of the other side and a column of the result that has each value once.
func (r joinedResult) equality(cond parse.Expr) (field parse.Expr, column *parse.Column, ok bool) {
	on, isEquality := cond.(*parse.Binary)
	if !isEquality || on.Op != sqlexpr.OpEq {
		return nil, nil, false
	}
	field = on.L
	column, ok = r.columnOf(on.R)
	if !ok {
		field = on.R
		column, ok = r.columnOf(on.L)
	}
	if !ok || r.mayBeReadBy(field) || !resultColumnHasDistinctValues(r.rows, column.Path[len(column.Path)-1]) {
		return nil, nil, false
	}
	return field, column, true
}

// columnOf returns the column of the result that an expression is: by the name of the result, or by a name that it alone has.
func (r joinedResult) columnOf(e parse.Expr) (*parse.Column, bool) {
	c, ok := e.(*parse.Column)
	switch {
	case !ok:
		return nil, false
	case len(c.Path) == 1:
		named := slices.ContainsFunc(r.rows.Items, func(item *parse.SelectItem) bool { return itemHasName(item, c.Path[0]) })
		return c, named && !r.hasOther(c)
	}
	return c, len(c.Path) == 2 && resolve.MatchesName(r.alias, c.Path[0])
}

// mayBeReadBy reports whether an expression may read a column of the result.
func (r joinedResult) mayBeReadBy(e parse.Expr) bool {
	return mayOtherClausesReadTable(&parse.Select{Where: e}, r.alias, r.rows)
}

// aliasOfRelation returns the name of a relation in FROM.
func aliasOfRelation(r parse.Relation) parse.Name {
	switch r := r.(type) {
	case *parse.Table:
		if r.Alias != nil {
			return r.Alias.Name
		}
		return r.Path[len(r.Path)-1]
	case *parse.DerivedTable:
		if r.Alias != nil && len(r.Alias.Columns) == 0 {
			return r.Alias.Name
		}
	default: // without a name
	}
	return parse.Name{}
}

// mayOtherClausesReadTable reports whether a clause beside FROM may read a result: a column that names it, a bare name that one of its
// columns may have, or a star. COUNT(*) counts rows of either side.
func mayOtherClausesReadTable(s *parse.Select, table parse.Name, result *parse.Select) bool {
	for _, item := range s.Items {
		if star, ok := item.X.(*parse.Star); ok && len(star.Qualifier) == 0 {
			return true
		}
	}
	outside := *s
	outside.From = nil
	reads := false
	parse.Walk(&outside, func(n parse.Node) bool {
		switch n := n.(type) {
		case *parse.Column:
			if len(n.Path) == 1 {
				reads = reads || selectMayHaveColumn(result, n.Path[0])
			} else {
				reads = reads || resolve.MatchesName(table, n.Path[0])
			}
		case *parse.Star:
			reads = reads || len(n.Qualifier) > 0 && resolve.MatchesName(table, n.Qualifier[0])
		}
		return !reads
	})
	return reads
}

// selectMayHaveColumn reports whether a select has a column of a name, or one whose name is not written.
func selectMayHaveColumn(s *parse.Select, name parse.Name) bool {
	return slices.ContainsFunc(s.Items, func(item *parse.SelectItem) bool {
		_, isColumn := item.X.(*parse.Column)
		return item.Alias.Text == "" && !isColumn || itemHasName(item, name)
	})
}

// subselectOfRelation returns the select of a derived or common table; nil for other relations.
func subselectOfRelation(tables *resolve.CommonTables, r parse.Relation) *parse.Select {
	var q *parse.Query
	switch r := r.(type) {
	case *parse.DerivedTable:
		q = r.Query
	case *parse.Table:
		if common, _ := tables.FindCommonTable(r.Path[0]); common != nil && len(r.Path) == 1 && len(common.Columns) == 0 {
			q = common.Query
		}
	default: // has no select
	}
	if q == nil {
		return nil
	}
	s, _ := q.Body.(*parse.Select)
	return s
}

// resultColumnHasDistinctValues reports whether a column of a result has each value once: it is the only group, or the only column of a
// DISTINCT.
func resultColumnHasDistinctValues(s *parse.Select, column parse.Name) bool {
	if s.Distinct {
		return len(s.Items) == 1 && itemHasName(s.Items[0], column)
	}
	if len(s.GroupBy) != 1 {
		return false
	}
	for i, item := range s.Items {
		if itemHasName(item, column) {
			return groupNamesItem(s.GroupBy[0], i, item)
		}
	}
	return false
}

// itemHasName reports whether an item has a name.
func itemHasName(item *parse.SelectItem, name parse.Name) bool {
	if item.Alias.Text != "" {
		return resolve.MatchesName(item.Alias, name)
	}
	c, ok := item.X.(*parse.Column)
	return ok && resolve.MatchesName(c.Path[len(c.Path)-1], name)
}

// groupNamesItem reports whether an item of GROUP BY is an item of the list: its number, its column or its alias.
func groupNamesItem(group parse.Expr, number int, item *parse.SelectItem) bool {
	switch g := group.(type) {
	case *parse.Number:
		return g.Text == strconv.Itoa(number+1)
	case *parse.Column:
		if len(g.Path) == 1 && item.Alias.Text != "" && resolve.MatchesName(item.Alias, g.Path[0]) {
			_, column := item.X.(*parse.Column)
			return !column
		}
		c, ok := item.X.(*parse.Column)
		return ok && len(c.Path) == len(g.Path) && resolve.MatchesName(c.Path[len(c.Path)-1], g.Path[len(g.Path)-1])
	}
	return false
}
