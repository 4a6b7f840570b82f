package compose

import (
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/coerce"
	"github.com/semlayer/semlayer/planner/internal/members"
	"github.com/semlayer/semlayer/planner/plan"
)

// JoinKind is how two relations are joined.
type JoinKind uint8

// The kinds. A cross join has no equalities.
const (
	InnerJoin JoinKind = iota
	LeftJoin
	CrossJoin
)

// JoinEquality is one equality of a join: Left is over the columns of the left rows, Right over those of the right.
type JoinEquality struct {
	Left, Right sqlexpr.Expr
	integers    bool
}

// JoinRows returns the columns of two relations side by side, those of left first: for each pair of rows that meets all
// equalities, of a left join also for each left row without a partner.
func (c *Composer) JoinRows(kind JoinKind, left, right *Rows, on []JoinEquality) (*Rows, error) {
	if (kind == CrossJoin) != (len(on) == 0) {
		return nil, unsupportedFunctionError(nil, "a join has equalities, and a cross join has none")
	}
	pairs := make([]JoinEquality, len(on))
	for i, e := range on {
		pair, err := c.coerceEqualitySides(e, left.visibleColumns(), right.visibleColumns())
		if err != nil {
			return nil, err
		}
		pairs[i] = pair
	}
	if kind == CrossJoin {
		return c.crossJoin([]*Rows{left, right}), nil
	}
	l, r := c.newDerivedTable(left), c.newDerivedTable(right)
	n := &plan.Join{Left: l, Right: r, Kind: plan.InnerJoin}
	if kind == LeftJoin {
		n.Kind = plan.LeftJoin
	}
	for _, p := range pairs {
		n.On = append(n.On, plan.JoinEquality{Left: rewriteRefsOverTable(p.Left, l), Right: rewriteRefsOverTable(p.Right, r), Integers: p.integers})
	}
	return joinedRows(n, []*plan.Derived{l, r}, []*Rows{left, right}), nil
}

// coerceEqualitySides gives the sides of an equality types that compare with each other.
func (c *Composer) coerceEqualitySides(e JoinEquality, left, right []sizedColumn) (JoinEquality, error) {
	s := selectScope{columns: left, scalars: right, zonesApart: c.caps.ZonesApart}
	shifted := shiftRefs(e.Right, len(left))
	for _, side := range []sqlexpr.Expr{e.Left, shifted} {
		if err := s.checkExpressionAllowedInClause(side, clauseWithoutAggregates); err != nil {
			return JoinEquality{}, err
		}
	}
	whole := &sqlexpr.Binary{Op: sqlexpr.OpEq, L: e.Left, R: shifted}
	fitted, err := coerce.CoerceCondition("the join condition", whole, s.typeOfRef, s.zonesApart)
	if err != nil {
		return JoinEquality{}, err
	}
	if b, ok := fitted.(*sqlexpr.Binary); ok {
		whole = b
	}
	leftType, rightType := s.logicalTypeOf(whole.L), s.logicalTypeOf(whole.R)
	l, r := members.CoerceToCommonType(whole.L, leftType, whole.R, rightType)
	return JoinEquality{Left: l, Right: shiftRefs(r, -len(left)), integers: leftType == sqlexpr.TypeInt && rightType == sqlexpr.TypeInt}, nil
}

func shiftRefs(e sqlexpr.Expr, by int) sqlexpr.Expr {
	return sqlexpr.RewriteRefs(e, func(r *sqlexpr.Ref) sqlexpr.Expr { return &sqlexpr.Ref{Position: r.Position, ID: r.ID + by} })
}

// newDerivedTable returns rows as a table in FROM, under a new alias.
func (c *Composer) newDerivedTable(r *Rows) *plan.Derived {
	if d, ok := r.node.(*plan.Derived); ok && r.isWholeNode() {
		again := *d
		again.Alias = c.newAlias()
		return &again
	}
	return c.newDerivedRows(r, c.newAlias(), "").node.(*plan.Derived)
}

// rewriteRefsOverTable returns an expression over the columns of a table.
func rewriteRefsOverTable(e sqlexpr.Expr, t *plan.Derived) sqlexpr.Expr {
	schema := t.Schema()
	return sqlexpr.RewriteRefs(e, func(r *sqlexpr.Ref) sqlexpr.Expr { return derivedColumnRef(t, schema[r.ID].Name) })
}

func derivedColumnRef(t *plan.Derived, name string) sqlexpr.Expr {
	return sqlexpr.NewTwoPartColumn(t.Alias, sqlexpr.Name{Text: name, Quoted: true})
}

// crossJoin returns the columns of several relations side by side.
func (c *Composer) crossJoin(all []*Rows) *Rows {
	tables := make([]*plan.Derived, len(all))
	for i, r := range all {
		tables[i] = c.newDerivedTable(r)
	}
	var n plan.Node = tables[0]
	for _, t := range tables[1:] {
		n = &plan.Join{Left: n, Right: t, Kind: plan.InnerJoin}
	}
	return joinedRows(n, tables, all)
}

// joinedRows returns the columns of joined tables.
func joinedRows(n plan.Node, tables []*plan.Derived, all []*Rows) *Rows {
	out := &Rows{oneRow: exactlyOneRow}
	var exprs []sqlexpr.Expr
	for i, r := range all {
		for at, col := range tables[i].Schema() {
			exprs = append(exprs, derivedColumnRef(tables[i], col.Name))
			out.columns = append(out.columns, sizedColumn{Column: r.columns[at].Column, size: 1, textBytes: r.columns[at].textBytes})
		}
		out.oneRow = min(out.oneRow, r.oneRow)
	}
	if j, ok := n.(*plan.Join); ok && len(j.On) > 0 {
		out.oneRow = min(out.oneRow, oneRowAtMost)
	}
	out.visible = len(out.columns)
	out.node = &plan.Project{Input: n, Cols: newNamedExprs(exprs, out.columns)}
	return out
}
