package selection

import (
	"context"
	"slices"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/compose"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/semsql/internal/resolve"
	"github.com/semlayer/semlayer/semsql/parse"
	"github.com/semlayer/semlayer/semsql/sqlerror"
)

// fromMapper maps the relations of FROM of a select over results.
type fromMapper struct {
	ctx       context.Context // of one call
	statement *resolve.Statement
	tables    *resolve.CommonTables
	in        PlanningContext
}

// mapFromList maps a list of relations: a comma joins every row with every row.
func (f fromMapper) mapFromList(list []parse.Relation) (*compose.Rows, *resolve.ResultSources, error) {
	rows, sources, err := f.mapRelation(list[0])
	if err != nil {
		return nil, nil, err
	}
	for _, r := range list[1:] {
		next, more, err := f.mapRelation(r)
		if err != nil {
			return nil, nil, err
		}
		if rows, err = f.in.Composer.JoinRows(compose.CrossJoin, rows, next, nil); err != nil {
			return nil, nil, locateComposeError(err, r.Pos())
		}
		sources = sources.Concat(more)
	}
	return rows, sources, nil
}

func (f fromMapper) mapRelation(r parse.Relation) (*compose.Rows, *resolve.ResultSources, error) {
	switch r := r.(type) {
	case *parse.Table:
		return f.mapCommonTable(r)
	case *parse.DerivedTable:
		if r.Lateral {
			return nil, nil, sqlerror.New(sqlerror.CodeUnsupported, r.Pos(), "LATERAL has no meaning over results")
		}
		rows, err := mapSubquery(f.ctx, f.statement, f.tables, r.Query, f.in)
		if err != nil {
			return nil, nil, err
		}
		return f.newAliasedSource(rows, r.Alias, r)
	case *parse.SemanticView:
		bare := *r
		bare.Alias = nil
		all := &parse.Query{Position: r.Position, Body: &parse.Select{Position: r.Position, Items: []*parse.SelectItem{{Position: r.Position, X: &parse.Star{Position: sqlexpr.Position(r.Position)}}}, From: []parse.Relation{&bare}}}
		rows, err := mapSubquery(f.ctx, f.statement, f.tables, all, f.in)
		if err != nil {
			return nil, nil, err
		}
		return f.newAliasedSource(rows, r.Alias, r)
	case *parse.Join:
		return f.mapJoin(r)
	default: // a relation of the catalogue, which the parser of these statements does not make
		return nil, nil, sqlerror.New(planerr.CodeInternal, r.Pos(), "no mapping of this relation exists")
	}
}

// mapCommonTable returns a common table, mapped once.
func (f fromMapper) mapCommonTable(t *parse.Table) (*compose.Rows, *resolve.ResultSources, error) {
	var common *parse.CommonTable
	var before *resolve.CommonTables
	if len(t.Path) == 1 {
		common, before = f.tables.FindCommonTable(t.Path[0])
	}
	if common == nil {
		return nil, nil, sqlerror.New(sqlerror.CodeUnsupported, t.Pos(), "a relation of the model and a result are not joined").
			WithHint("filter the relation with IN (SELECT …), or select from it in a derived table that groups")
	}
	rows, known := f.in.shared[common]
	if !known {
		var err error
		if rows, err = mapSubquery(f.ctx, f.statement, before, common.Query, f.in); err != nil {
			return nil, nil, err
		}
		if f.in.repeated[common] {
			rows = f.in.Composer.MakeCommonTable(rows)
		}
		f.in.shared[common] = rows
	}
	alias := &parse.TableAlias{Position: t.Position, Name: common.Name, Columns: common.Columns}
	if t.Alias != nil {
		alias.Name = t.Alias.Name
		if len(t.Alias.Columns) > 0 {
			alias.Columns = t.Alias.Columns
		}
	}
	return f.newAliasedSource(rows, alias, t)
}

// newAliasedSource returns rows as a source with the names of an alias.
func (f fromMapper) newAliasedSource(rows *compose.Rows, alias *parse.TableAlias, syntax parse.Relation) (*compose.Rows, *resolve.ResultSources, error) {
	out := resolve.ResultSource{Columns: resultColumns(rows), Syntax: syntax}
	if alias == nil {
		return rows, resolve.NewResultSources(out), nil
	}
	out.Alias = alias.Name
	if len(alias.Columns) > len(out.Columns) {
		return nil, nil, sqlerror.New(planerr.CodeBadRequest, syntax.Pos(), "the alias "+planerr.ClipText(alias.Name.Text)+" gives more names than the table has columns").WithSQLState(sqlerror.SQLStateInvalidColumnReference)
	}
	for i, name := range alias.Columns {
		out.Columns[i].Name = resolve.AliasColumnName(name)
	}
	return rows, resolve.NewResultSources(out), nil
}

func (f fromMapper) mapJoin(j *parse.Join) (*compose.Rows, *resolve.ResultSources, error) {
	if j.Kind == parse.RightJoin {
		swapped := *j
		swapped.Kind, swapped.Left, swapped.Right = parse.LeftJoin, j.Right, j.Left
		j = &swapped
	}
	kinds := map[parse.JoinKind]compose.JoinKind{parse.InnerJoin: compose.InnerJoin, parse.LeftJoin: compose.LeftJoin, parse.CrossJoin: compose.CrossJoin}
	kind, ok := kinds[j.Kind]
	if !ok {
		return nil, nil, sqlerror.New(sqlerror.CodeUnsupported, j.Pos(), "results are joined by INNER, LEFT and CROSS JOIN, with equalities in ON, or USING")
	}
	left, leftSources, err := f.mapRelation(j.Left)
	if err != nil {
		return nil, nil, err
	}
	right, rightSources, err := f.mapRelation(j.Right)
	if err != nil {
		return nil, nil, err
	}
	if j.Natural {
		return nil, nil, f.naturalJoinUnsupportedError(j, left, right)
	}
	sources := leftSources.Concat(rightSources)
	scope := f.statement.StatementForOtherSelect().NewResultScope(f.tables, sources, nil)
	o, width := selectOverResultRows{selectClauses: &selectClauses{Scope: scope}}, len(left.Columns())
	on, err := o.readJoinOnEqualities(j, width)
	if len(j.Using) > 0 {
		on, err = o.readUsingEqualities(j, leftSources.Len(), width)
	}
	if err != nil {
		return nil, nil, err
	}
	rows, err := f.in.Composer.JoinRows(kind, left, right, on)
	if err != nil {
		return nil, nil, locateComposeError(err, j.Pos())
	}
	return rows, sources.WithUsing(j.Using, leftSources.Len()), nil
}

// naturalJoinUnsupportedError rejects NATURAL, which depends on every name of both sides. The retry names those that they have in common.
func (f fromMapper) naturalJoinUnsupportedError(j *parse.Join, left, right *compose.Rows) error {
	e := sqlerror.New(sqlerror.CodeUnsupported, j.Pos(), "a NATURAL JOIN of results is not supported").WithHint("name the columns with USING")
	var common []parse.Name
	for _, c := range left.Columns() {
		if slices.ContainsFunc(right.Columns(), func(o compose.Column) bool { return o.Name == c.Name }) {
			common = append(common, parse.Name{Text: c.Name})
		}
	}
	if len(common) == 0 {
		return e
	}
	return e.WithSuggestedStatement(f.statement.FormatWithReplacedPart(j, func() parse.Node {
		using := *j
		using.Natural, using.Using = false, common
		return &using
	}))
}

// readUsingEqualities reads USING: each name is a column of each side. The first sources are the left side, whose rows have
// so many columns.
func (o selectOverResultRows) readUsingEqualities(j *parse.Join, leftSources, width int) ([]compose.JoinEquality, error) {
	var out []compose.JoinEquality
	for _, name := range j.Using {
		l, r, err := o.FindUsingColumns(name, leftSources, j.Pos())
		if err != nil {
			return nil, err
		}
		out = append(out, compose.JoinEquality{Left: o.rewriteOverRows(l), Right: shiftToRightSide(o.rewriteOverRows(r), width)})
	}
	return out, nil
}

// readJoinOnEqualities reads ON: a conjunction of equalities between the two sides.
func (o selectOverResultRows) readJoinOnEqualities(j *parse.Join, width int) ([]compose.JoinEquality, error) {
	var out []compose.JoinEquality
	for _, cond := range resolve.SplitConjuncts(j.On) {
		e, err := o.LowerExpr(cond)
		if err != nil {
			return nil, err
		}
		equal, ok := o.rewriteOverRows(e).(*sqlexpr.Binary)
		if !ok || equal.Op != sqlexpr.OpEq {
			return nil, joinNotEqualityError(cond)
		}
		l, okL := readsOnlyLeftSide(equal.L, width)
		r, okR := readsOnlyLeftSide(equal.R, width)
		switch {
		case !okL || !okR || l == r:
			return nil, joinNotEqualityError(cond)
		case l:
			out = append(out, compose.JoinEquality{Left: equal.L, Right: shiftToRightSide(equal.R, width)})
		default:
			out = append(out, compose.JoinEquality{Left: equal.R, Right: shiftToRightSide(equal.L, width)})
		}
	}
	return out, nil
}

func joinNotEqualityError(at parse.Expr) error {
	return sqlerror.New(sqlerror.CodeUnsupported, at.Pos(), "results are joined on equalities between the two sides")
}

// readsOnlyLeftSide reports whether an expression reads the left side alone; ok is false for one that reads both or none.
func readsOnlyLeftSide(e sqlexpr.Expr, width int) (left, ok bool) {
	sides := map[bool]bool{}
	for ref := range sqlexpr.Refs(e) {
		sides[ref.ID < width] = true
	}
	return sides[true], len(sides) == 1
}

// shiftToRightSide returns an expression over both sides as one over the right side.
func shiftToRightSide(e sqlexpr.Expr, width int) sqlexpr.Expr {
	return sqlexpr.RewriteRefs(e, func(ref *sqlexpr.Ref) sqlexpr.Expr { return &sqlexpr.Ref{Position: ref.Position, ID: ref.ID - width} })
}
