package compositions

import (
	"strings"
	"testing"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/compose"
)

// relation is rows with the names that expressions of tests have for their columns.
type relation struct {
	*shop
	tb    testing.TB
	rows  *compose.Rows
	names []string // table.column, as far as a test names the table
}

// from returns a part, as one common table however often it is read.
func (s *shop) from(tb testing.TB, name string) relation {
	tb.Helper()
	rows := s.tables[name]
	if rows == nil {
		part, ok := parts()[name]
		if !ok {
			tb.Fatalf("no part %s", name)
		}
		planned := s.plan(tb, part)
		rows = s.composer.MakeCommonTable(s.composer.RowsOfQuery(planned, s.planner.ResultTypes(planned)))
		s.tables[name] = rows
	}
	return s.relation(tb, rows)
}

func (s *shop) relation(tb testing.TB, rows *compose.Rows) relation {
	r := relation{shop: s, tb: tb, rows: rows}
	for _, c := range rows.Columns() {
		r.names = append(r.names, c.Name)
	}
	return r
}

// as names the table of the columns.
func (r relation) as(table string) relation {
	names := make([]string, len(r.names))
	for i, n := range r.names {
		names[i] = table + "." + n
	}
	r.names = names
	return r
}

// expr reads an expression over the columns, and over the scalar subqueries as scalar_1, scalar_2.
func (r relation) expr(text string) sqlexpr.Expr {
	r.tb.Helper()
	e, err := sqlexpr.Parse(text)
	if err != nil {
		r.tb.Fatalf("%s: %v", text, err)
	}
	return r.resolve(e)
}

func (r relation) resolve(e sqlexpr.Expr) sqlexpr.Expr {
	var replace func(sqlexpr.Expr) sqlexpr.Expr
	replace = func(x sqlexpr.Expr) sqlexpr.Expr {
		switch x := x.(type) {
		case *sqlexpr.WindowCall:
			out := *x
			call := *x.Call
			call.Args = nil
			for _, a := range x.Call.Args {
				call.Args = append(call.Args, sqlexpr.Rewrite(a, replace))
			}
			out.Call, out.Partition, out.Order = &call, nil, nil
			for _, p := range x.Partition {
				out.Partition = append(out.Partition, sqlexpr.Rewrite(p, replace))
			}
			for _, o := range x.Order {
				out.Order = append(out.Order, sqlexpr.OrderItem{X: sqlexpr.Rewrite(o.X, replace), Desc: o.Desc})
			}
			return &out
		case *sqlexpr.Column:
			return &sqlexpr.Ref{ID: r.column(x)}
		}
		return nil
	}
	return sqlexpr.Rewrite(e, replace)
}

func (r relation) column(c *sqlexpr.Column) int {
	parts := make([]string, len(c.Path))
	for i, n := range c.Path {
		parts[i] = n.Text
	}
	name := strings.Join(parts, ".")
	for i, n := range r.names {
		if n == name || len(parts) == 1 && strings.HasSuffix(n, "."+name) {
			return i
		}
	}
	if digit, ok := strings.CutPrefix(name, "scalar_"); ok {
		return len(r.names) + int(digit[0]-'1')
	}
	r.tb.Fatalf("no column %s in %v", name, r.names)
	return 0
}

// statement is a SELECT as tests write it, clause by clause.
type statement struct {
	relation
	s compose.Select
}

// scalar begins a SELECT with a scalar subquery; selecting selects.
func (r relation) scalar(sub relation) *statement {
	return (&statement{relation: r, s: compose.Select{From: r.rows}}).scalar(sub)
}

// items begins a SELECT: "name = expression", or a column alone.
func (r relation) items(items ...string) *statement {
	return (&statement{relation: r, s: compose.Select{From: r.rows}}).selecting(items...)
}

func (st *statement) selecting(items ...string) *statement {
	for _, text := range items {
		name, e, named := strings.Cut(text, " := ")
		if !named {
			e = text
			name = text[strings.LastIndexByte(text, '.')+1:]
		}
		st.s.Items = append(st.s.Items, compose.SelectItem{Name: name, Expr: st.expr(e)})
	}
	return st
}

func (st *statement) where(text string) *statement {
	st.s.Where = st.expr(text)
	return st
}

func (st *statement) in(value string, not bool, rows relation) *statement {
	st.s.WhereIn = append(st.s.WhereIn, compose.InCondition{Value: st.expr(value), Not: not, Rows: rows.rows})
	return st
}

func (st *statement) havingIn(value string, not bool, rows relation) *statement {
	st.s.HavingIn = append(st.s.HavingIn, compose.InCondition{Value: st.expr(value), Not: not, Rows: rows.rows})
	return st
}

func (st *statement) scalar(rows relation) *statement {
	st.s.Scalars = append(st.s.Scalars, rows.rows)
	return st
}

func (st *statement) group(by ...string) *statement {
	st.s.Grouped = true
	for _, text := range by {
		st.s.GroupBy = append(st.s.GroupBy, st.expr(text))
	}
	return st
}

// sets groups by sets of the groups; grouping is an item with the value of GROUPING over some of them.
func (st *statement) sets(sets ...[]int) *statement {
	st.s.Sets = sets
	return st
}

func (st *statement) grouping(name string, groups ...int) *statement {
	value := &sqlexpr.Ref{ID: len(st.rows.Columns()) + len(st.s.Scalars) + len(st.s.Groupings)}
	st.s.Items = append(st.s.Items, compose.SelectItem{Name: name, Expr: value})
	st.s.Groupings = append(st.s.Groupings, groups)
	return st
}

func (st *statement) having(text string) *statement {
	st.s.Having = st.expr(text)
	return st
}

func (st *statement) distinct() *statement {
	st.s.Distinct = true
	return st
}

// order takes keys: an item's name, or an expression in parentheses, with DESC and NULLS FIRST.
func (st *statement) order(keys ...string) *statement {
	for _, text := range keys {
		var k compose.OrderKey
		text, k.NullsFirst = strings.CutSuffix(text, " NULLS FIRST")
		text, k.Desc = strings.CutSuffix(text, " DESC")
		if strings.HasPrefix(text, "(") {
			k.Expr = st.expr(text)
		} else {
			k.Item = st.item(text)
		}
		st.s.OrderBy = append(st.s.OrderBy, k)
	}
	return st
}

func (st *statement) item(name string) int {
	for i, item := range st.s.Items {
		if item.Name == name {
			return i
		}
	}
	st.tb.Fatalf("no item %s", name)
	return 0
}

func (st *statement) limit(n, offset int64) *statement {
	st.s.Limit, st.s.Offset = &n, offset
	return st
}

// done returns the rows of the SELECT.
func (st *statement) done() relation {
	st.tb.Helper()
	rows, err := st.composer.Select(&st.s)
	if err != nil {
		st.tb.Fatal(err)
	}
	return st.relation.shop.relation(st.tb, rows)
}

// join joins on equalities "left = right".
func (r relation) join(kind compose.JoinKind, right relation, on ...string) relation {
	r.tb.Helper()
	var pairs []compose.JoinEquality
	for _, text := range on {
		left, other, _ := strings.Cut(text, " = ")
		pairs = append(pairs, compose.JoinEquality{Left: r.expr(left), Right: right.expr(other)})
	}
	rows, err := r.composer.JoinRows(kind, r.rows, right.rows, pairs)
	if err != nil {
		r.tb.Fatal(err)
	}
	out := r.shop.relation(r.tb, rows)
	out.names = append(append([]string(nil), r.names...), right.names...)
	return out
}

func (r relation) combine(op compose.SetOperation, right relation) relation {
	r.tb.Helper()
	rows, err := r.composer.ApplySetOperation(op, r.rows, right.rows)
	if err != nil {
		r.tb.Fatal(err)
	}
	return r.shop.relation(r.tb, rows)
}
