package resolve

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/sqltype"
	"github.com/semlayer/semlayer/semsql/parse"
	"github.com/semlayer/semlayer/semsql/relations"
	"github.com/semlayer/semlayer/semsql/sqlerror"
)

// ResultColumn is a column of the result of a select.
type ResultColumn struct {
	Name string
	Type sqltype.Type
}

// ResultSource is the result of a select in FROM.
type ResultSource struct {
	Alias   parse.Name // "" without one
	Columns []ResultColumn
	Syntax  parse.Relation // nil where the text has none
}

// ResultSources are the results of a FROM, those that an outer join keeps first.
type ResultSources struct {
	list  []ResultSource
	using []mergedUsingColumn
}

// NewResultSources returns the sources of one relation.
func NewResultSources(one ResultSource) *ResultSources {
	return &ResultSources{list: []ResultSource{one}}
}

// Concat returns the sources of two sides of a join.
func (r *ResultSources) Concat(right *ResultSources) *ResultSources {
	out := &ResultSources{list: slices.Concat(r.list, right.list), using: slices.Clone(r.using)}
	for _, u := range right.using {
		u.left, u.right = u.left.shiftedBy(len(r.list)), u.right.shiftedBy(len(r.list))
		out.using = append(out.using, u)
	}
	return out
}

// WithUsing returns the sources of a join with USING, of which the first are the left side: a column of each name is one of both sides.
func (r *ResultSources) WithUsing(names []parse.Name, first int) *ResultSources {
	out := &ResultSources{list: r.list, using: slices.Clone(r.using)}
	for _, name := range names {
		out.using = append(out.using, mergedUsingColumn{name: name, left: sourceIndexRange{0, first}, right: sourceIndexRange{first, len(r.list)}})
	}
	return out
}

// Len returns the number of sources.
func (r *ResultSources) Len() int { return len(r.list) }

// NewResultScope returns the scope of the names of a select over results. The columns are numbered through all sources. from are the
// relations in the order of the text, which a RIGHT JOIN changes; nil for one result.
func (s *Statement) NewResultScope(tables *CommonTables, sources *ResultSources, from []parse.Relation) *Scope {
	out := &Scope{Statement: s, Tables: tables, results: true, using: sources.using, from: from}
	for _, source := range sources.list {
		name := source.Alias.Text
		if name == "" {
			name = "subquery"
		}
		placeholder := &relations.Relation{Name: name, Dataset: &catalog.Dataset{Name: name}}
		out.Sources = append(out.Sources, &Source{Alias: source.Alias, Relation: placeholder, columns: source.Columns, syntax: source.Syntax})
	}
	return out
}

// meaningsInResult lists what a bare name means in one result.
func (s *Scope) meaningsInResult(source *Source, name parse.Name, at int) []columnMeaning {
	var out []columnMeaning
	for i, c := range source.columns {
		if MatchesName(parse.Name{Text: c.Name, Quoted: true}, name) {
			out = append(out, s.resultColumnMeaning(source, i, at))
		}
	}
	return out
}

func (s *Scope) resultColumnMeaning(source *Source, i, at int) columnMeaning {
	first := 0
	for _, other := range s.Sources {
		if other == source {
			break
		}
		first += len(other.columns)
	}
	c := source.columns[i]
	return columnMeaning{s.Refs.Add(at, Reference{Kind: ResultColumnReferenceKind, Column: c.Name, Index: first + i, ResultType: c.Type}), c.Name}
}

// resultColumnItems lists the columns of a result.
func (s *Scope) resultColumnItems(source *Source, star *parse.Star) []SelectItem {
	var out []SelectItem
	for i := range source.columns {
		m := s.resultColumnMeaning(source, i, star.Pos())
		out = append(out, SelectItem{Expr: m.expr, Name: m.name, Syntax: star})
	}
	return out
}

// lowerScalarSubquery returns the value of a scalar subquery.
func (s *Scope) lowerScalarSubquery(e *parse.ScalarSubquery) (sqlexpr.Expr, error) {
	if constant := constantOfSubquery(e.Query); constant != nil {
		return s.LowerExpr(constant)
	}
	if s.Subquery == nil {
		return nil, sqlerror.New(sqlerror.CodeUnsupported, e.Pos(), "a subquery has no meaning in this place")
	}
	index, t, err := s.Subquery(e.Query)
	if err != nil {
		return nil, err
	}
	return s.Refs.Add(e.Pos(), Reference{Kind: ScalarSubqueryReferenceKind, Column: parse.ColumnName(e), Index: index, ResultType: t}), nil
}

// InSubquery is a condition that a value is, or is not, among the rows of a subquery.
type InSubquery struct {
	X     parse.Expr
	Not   bool
	Query *parse.Query
}

// ExtractInSubqueryConditions takes the conjuncts that are IN with a subquery.
func ExtractInSubqueryConditions(conds []parse.Expr) (rest []parse.Expr, members []InSubquery) {
	for _, cond := range conds {
		not, x := false, cond
		for {
			u, ok := x.(*parse.Unary)
			if !ok || u.Op != sqlexpr.OpNot {
				break
			}
			not, x = !not, u.X
		}
		if in, ok := x.(*parse.InQuery); ok {
			members = append(members, InSubquery{X: in.X, Not: in.Not != not, Query: in.Query})
		} else {
			rest = append(rest, cond)
		}
	}
	return rest, members
}

// ExtractWhereInSubqueryConditions takes the conjuncts of WHERE that are IN with a subquery.
func (s *Scope) ExtractWhereInSubqueryConditions() []InSubquery {
	rest, members := ExtractInSubqueryConditions(s.where)
	s.where = rest
	return members
}
