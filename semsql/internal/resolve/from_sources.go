package resolve

import (
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/modelspec/suggest"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/semsql/parse"
	"github.com/semlayer/semlayer/semsql/relations"
	"github.com/semlayer/semlayer/semsql/sqlerror"
)

// publicSchema is the schema of all relations.
const publicSchema = "public"

// NewScope resolves what a select is over. Every relation of FROM comes to a relation of the model.
func (s *Statement) NewScope(tables *CommonTables, syntax *parse.Select) (*Scope, error) {
	return s.newScope(tables, syntax, 0)
}

func (s *Statement) newScope(tables *CommonTables, syntax *parse.Select, depth int) (*Scope, error) {
	scope, from := &Scope{Statement: s, Tables: tables, syntax: syntax, where: SplitConjuncts(syntax.Where)}, syntax.From
	if len(from) == 1 {
		if _, join := from[0].(*parse.Join); !join {
			source, err := scope.newSource(from[0], depth)
			if err != nil {
				return nil, err
			}
			scope.Sources = []*Source{source}
			scope.Root = source.Relation.Dataset
			return scope, scope.addConditionsOfInlinedTables(depth)
		}
	}
	if err := scope.resolveJoins(from, depth); err != nil {
		return nil, err
	}
	return scope, scope.addConditionsOfInlinedTables(depth)
}

// newSource resolves one relation of FROM. The conditions of tables that are merged into it are the scope's.
func (s *Scope) newSource(relation parse.Relation, depth int) (*Source, error) {
	switch r := relation.(type) {
	case *parse.Table:
		return s.newTableSource(r, depth)
	case *parse.DerivedTable:
		if r.Lateral {
			return nil, sqlerror.New(sqlerror.CodeUnsupported, r.Pos(), "LATERAL has no meaning over the model")
		}
		return s.newInlinedTableSource(r, r.Query, s.Tables, r.Alias, depth)
	default:
		return nil, sqlerror.New(sqlerror.CodeUnsupported, relation.Pos(), "this relation has no meaning in this place")
	}
}

func (s *Scope) newTableSource(t *parse.Table, depth int) (*Source, error) {
	if len(t.Path) == 1 {
		if common, visible := s.Tables.FindCommonTable(t.Path[0]); common != nil {
			alias := t.Alias
			if alias == nil {
				alias = &parse.TableAlias{Position: t.Position, Name: t.Path[0]}
			}
			if len(alias.Columns) == 0 && len(common.Columns) > 0 {
				alias = &parse.TableAlias{Position: alias.Position, Name: alias.Name, Columns: common.Columns}
			}
			return s.newInlinedTableSource(t, common.Query, visible, alias, depth)
		}
	}
	relation, err := s.findModelRelationOfTable(t)
	if err != nil {
		return nil, err
	}
	source := &Source{Relation: relation, path: t.Path, table: t}
	if t.Alias != nil {
		source.Alias = t.Alias.Name
		if len(t.Alias.Columns) > 0 {
			return renameSourceColumns(s, source, t.Alias)
		}
	}
	return source, nil
}

// renameSourceColumns gives the first columns of a relation other names.
func renameSourceColumns(s *Scope, source *Source, alias *parse.TableAlias) (*Source, error) {
	columns := source.Relation.FieldColumns()
	if len(alias.Columns) > len(columns) {
		return nil, tooManyAliasColumnsError(alias)
	}
	inner := &Scope{Statement: s.Statement, Tables: s.Tables, Sources: []*Source{{Relation: source.Relation, path: source.path}}, Root: source.Relation.Dataset}
	m := &inlinedDerivedTable{names: alias.Columns, scope: inner, source: inner.Sources[0]}
	for _, c := range columns {
		m.items = append(m.items, &parse.SelectItem{Position: alias.Position, X: &parse.Column{Position: sqlexpr.Position(alias.Position), Path: []parse.Name{{Text: c.Name, Quoted: true}}}})
	}
	return &Source{Alias: alias.Name, Relation: source.Relation, merged: m}, nil
}

func tooManyAliasColumnsError(alias *parse.TableAlias) error {
	return sqlerror.New(planerr.CodeBadRequest, alias.Pos(), "the alias "+planerr.ClipText(alias.Name.Text)+" gives more names than the table has columns").WithSQLState("42P10")
}

// findModelRelationOfTable finds the relation of the model that a table names.
func (s *Scope) findModelRelationOfTable(t *parse.Table) (*relations.Relation, error) {
	name := t.Path[len(t.Path)-1]
	known := true
	switch len(t.Path) {
	case 3:
		known = MatchesName(parse.Name{Text: s.Cat.Name, Quoted: true}, t.Path[0]) && MatchesName(parse.Name{Text: publicSchema}, t.Path[1])
	case 2:
		known = MatchesName(parse.Name{Text: publicSchema}, t.Path[0])
	}
	found := s.Schema.FindRelations(name)
	switch {
	case known && len(found) == 1:
		return found[0], nil
	case known && len(found) > 1:
		return nil, sqlerror.New(planerr.CodeAmbiguousDimension, t.Pos(), "several relations are named "+planerr.ClipText(name.Text)+" but for case: put the name in quotes")
	}
	e := sqlerror.New(planerr.CodeUnknownDataset, t.Pos(), "the relation "+planerr.ClipText(pathText(t.Path))+" does not exist")
	names := s.Schema.Names()
	e = e.WithCandidates(suggest.Nearest(name.Text, names, sqlerror.MaxCandidates))
	if better, ok := suggest.Respelling(name.Text, names); ok {
		e = e.WithSuggestedStatement(s.FormatWithReplacedPart(t, func() parse.Node {
			return &parse.Table{Position: t.Position, Path: []parse.Name{{Text: better}}, Alias: t.Alias}
		}))
	}
	return nil, e
}

// newInlinedTableSource merges a derived or common table that only projects and filters one relation.
func (s *Scope) newInlinedTableSource(at parse.Node, q *parse.Query, tables *CommonTables, alias *parse.TableAlias, depth int) (*Source, error) {
	if depth++; depth > maxMergeDepth {
		return nil, sqlerror.New(planerr.CodeBadRequest, at.Pos(), "derived tables are more than 16 levels deep").WithSQLState(sqlerror.SQLStateTooComplex)
	}
	body, ok := q.Body.(*parse.Select)
	if !ok || !CanInlineDerivedTable(q) {
		return nil, sqlerror.New(sqlerror.CodeUnsupported, at.Pos(), "a derived table that groups, limits or combines rows has no meaning in this place")
	}
	inner, err := s.newScope(tables.WithCommonTables(q.With), body, depth)
	if err != nil {
		return nil, err
	}
	m := &inlinedDerivedTable{items: body.Items, scope: inner, source: inner.Sources[0]}
	out := &Source{Relation: m.source.Relation, merged: m}
	if alias != nil {
		out.Alias, m.names = alias.Name, alias.Columns
	}
	if len(m.names) > 0 && m.starItem() != nil {
		return nil, sqlerror.New(sqlerror.CodeUnsupported, alias.Pos(), "an alias with names of columns over a star has no meaning here: name the columns in the derived table")
	}
	if len(m.names) > len(m.items) {
		return nil, tooManyAliasColumnsError(alias)
	}
	return out, nil
}

// addConditionsOfInlinedTables lowers the conditions of the merged tables, once it is known which path leads to each.
func (s *Scope) addConditionsOfInlinedTables(depth int) error {
	if depth > 0 {
		return nil // the outermost scope collects all
	}
	for _, source := range s.Sources {
		for m := source.merged; m != nil; m = m.source.merged {
			conds, err := m.scope.LowerConditions(m.scope.where)
			if err != nil {
				return err
			}
			s.Conditions = append(s.Conditions, conds...)
		}
	}
	return nil
}

// LowerWhere lowers the conditions of WHERE, but those that join relations.
func (s *Scope) LowerWhere() ([]sqlexpr.Expr, error) { return s.LowerConditions(s.where) }

// LowerConditions lowers conditions.
func (s *Scope) LowerConditions(conds []parse.Expr) ([]sqlexpr.Expr, error) {
	var out []sqlexpr.Expr
	for _, c := range conds {
		e, err := s.LowerExpr(c)
		if err != nil {
			return nil, err
		}
		out = append(out, e)
	}
	return out, nil
}

// SplitConjuncts splits a condition at its outermost ANDs.
func SplitConjuncts(e parse.Expr) []parse.Expr {
	if e == nil {
		return nil
	}
	if b, ok := e.(*parse.Binary); ok && b.Op == sqlexpr.OpAnd {
		return append(SplitConjuncts(b.L), SplitConjuncts(b.R)...)
	}
	return []parse.Expr{e}
}

// AndConditions joins two conditions with AND. One of them may be nil.
func AndConditions(a, b parse.Expr) parse.Expr {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	}
	return &parse.Binary{Op: sqlexpr.OpAnd, L: a, R: b}
}
