package sqlemit

import (
	"strconv"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/plan"
)

// unionTypingStyle is how an engine finds the column types of a UNION.
type unionTypingStyle struct {
	// typedPairwise: branches are typed two by two, and a NULL that meets a NULL
	// becomes text.
	typedPairwise bool
	// prepare gives the first columns of the branches, which are keys, and the others
	// types that meet; it reports false after an error, and is nil where they do.
	prepare func(w *writer, branches []*selectBlock, cols []outputColumn, keys int) bool
}

// Branches meet on their keys without a join:
//
//	SELECT k, MAX(m1), MAX(m2)
//	FROM (SELECT k, m1, NULL AS m2 … UNION ALL SELECT k, NULL, m2 …)
//	GROUP BY 1
//
// A branch has one row for a key, so MAX only picks it. Grouping treats NULL
// like any other key, needs no FULL JOIN, and is a hash or sort on every
// engine.
func (w *writer) buildCombine(n *plan.Combine) *selectBlock {
	arms := make([]*selectBlock, len(n.Branches))
	for i, branch := range n.Branches {
		b := w.buildBlock(branch)
		if b != nil && b.isLimitedOrOrdered() {
			b = w.wrapInBlock(b)
		}
		if b == nil {
			return nil
		}
		if b.out == nil || len(b.out.cols) < n.Keys {
			w.recordInternalError("a branch has fewer columns than keys")
			return nil
		}
		arms[i] = b
	}
	switch {
	case len(arms) == 0:
		w.recordInternalError("a combine without branches")
		return nil
	case len(arms) == 1:
		return arms[0]
	case n.Keys == 0:
		return w.crossJoinBranches(arms)
	}
	return w.groupBranchUnion(arms, n)
}

// crossJoinBranches combines branches of one row each.
func (w *writer) crossJoinBranches(arms []*selectBlock) *selectBlock {
	p := crossJoin{tables: make([]fromSource, len(arms))}
	out := w.memory.newColumnScope(nil)
	for i, b := range arms {
		alias := w.uniqueAlias("branch_" + strconv.Itoa(i+1))
		makeColumnNamesUnique(b.out.cols)
		p.tables[i] = w.memory.newDerivedTable(b, alias)
		out.cols = append(out.cols, w.outerColumnsOfDerived(alias, b.out.cols)...)
	}
	return w.memory.newBlock(selectBlock{from: p, out: out})
}

// groupBranchUnion combines branches on their first keys columns.
func (w *writer) groupBranchUnion(arms []*selectBlock, n *plan.Combine) *selectBlock {
	keys := n.Keys
	// The columns of the union, named once over all branches: the keys, then
	// what each branch adds.
	width := keys
	for _, b := range arms {
		width += len(b.out.cols) - keys
	}
	cols := append(w.memory.newColumns(width), arms[0].out.cols...)
	for _, b := range arms[1:] {
		cols = append(cols, b.out.cols[keys:]...)
	}
	if len(n.Zero) != width-keys {
		w.recordInternalError("a combine marks another number of columns than it has")
		return nil
	}
	names := make([]string, len(cols))
	for i := range cols {
		names[i] = cols[i].name
	}
	makeColumnNamesUnique(cols)

	if w.d.union.prepare != nil && !w.d.union.prepare(w, arms, cols, keys) {
		return nil
	}
	u := w.newUnionOfBranches(arms, cols, keys)
	out := w.outerColumnsOfDerived(u.alias, cols)
	for i := range out {
		out[i].name = names[i]
	}
	for i := range out[keys:] {
		c := &out[keys+i]
		c.expr = newCall(sqlexpr.FnMax, c.expr)
		if n.Zero[i] {
			c.expr = newCall(sqlexpr.FnCoalesce, c.expr, newIntegerConstant(0))
		}
	}
	for i := range keys {
		out[i].key = i + 1
	}
	return w.memory.newBlock(selectBlock{from: u, grouped: true, keys: out[:keys], out: w.memory.newColumnScope(out)})
}

// newUnionOfBranches pads each branch with NULL for the other branches' columns.
//
// An engine that types a union pair by pair makes text of a NULL that meets a
// NULL, and rejects a number in the third branch. Where every column is a number
// the NULLs are given the smallest numeric type, which widens to any other;
// else the union is nested, so that in every pair one side is the branch that
// has the column.
func (w *writer) newUnionOfBranches(arms []*selectBlock, cols []outputColumn, keys int) *blockUnion {
	pairwise := w.d.union.typedPairwise && len(arms) > 2
	null := sqlexpr.Expr(&sqlexpr.Null{})
	nested := pairwise && !allNumeric(cols[keys:])
	if pairwise && !nested {
		null = &sqlexpr.Cast{X: null, To: sqlexpr.TypeName{Name: "SMALLINT"}}
	}
	if !nested {
		from := keys
		for _, b := range arms {
			from = w.padToUnionColumns(b, cols, keys, from, null)
		}
		return &blockUnion{arms: arms, alias: w.uniqueAlias("branches")}
	}
	done := len(arms[0].out.cols)
	acc := arms[0]
	for i, b := range arms[1:] {
		if i > 0 {
			alias := w.uniqueAlias("branches")
			acc = w.memory.newBlock(selectBlock{
				from: &blockUnion{arms: []*selectBlock{acc, arms[i]}, alias: alias},
				out:  w.memory.newColumnScope(w.outerColumnsOfDerived(alias, cols[:done])),
			})
		}
		next := done + len(b.out.cols) - keys
		w.padToUnionColumns(acc, cols[:next], keys, keys, null)
		w.padToUnionColumns(b, cols[:next], keys, done, null)
		done = next
	}
	return &blockUnion{arms: []*selectBlock{acc, arms[len(arms)-1]}, alias: w.uniqueAlias("branches")}
}

// padToUnionColumns gives a block the columns of the union; its own ones begin at position
// from. It returns the position after them.
func (w *writer) padToUnionColumns(b *selectBlock, cols []outputColumn, keys, from int, null sqlexpr.Expr) int {
	own := b.out.cols
	out := w.memory.newColumns(len(cols))
	for i := range cols {
		c := outputColumn{expr: null}
		switch {
		case i < keys:
			c = own[i]
		case i >= from && i < from+len(own)-keys:
			c = own[keys+i-from]
		}
		c.name = cols[i].name
		out = append(out, c)
	}
	b.out = w.memory.newColumnScope(out)
	return from + len(own) - keys
}

// allNumeric reports whether every column is certainly a number.
func allNumeric(cols []outputColumn) bool {
	for i := range cols {
		if !cols[i].reliableType().IsNumeric() && !isSumColumn(&cols[i]) {
			return false
		}
	}
	return true
}

// isSumColumn reports whether a column is a SUM, which is a number for all the types
// that a warehouse adds up.
func isSumColumn(c *outputColumn) bool {
	for {
		switch e := c.expr.(type) {
		case *sqlexpr.Call:
			return e.Fn == sqlexpr.FnSum && typeInScope(c.scope, e.Args[0]) != sqlexpr.TypeInterval
		case *sqlexpr.Ref:
			if !c.scope.hasColumnID(e.ID) {
				return false
			}
			c = &c.scope.cols[e.ID]
		default:
			return false
		}
	}
}

// wrapWithConvertedUnionKey puts a block around another that makes a value of a type of one of its
// columns.
func (w *writer) wrapWithConvertedUnionKey(b *selectBlock, key int, t sqlexpr.Type, value func(sqlexpr.Expr) sqlexpr.Expr) *selectBlock {
	out := w.wrapInBlock(b)
	if out != nil {
		c := &out.out.cols[key]
		c.expr, c.typ, c.proven = value(c.expr), t, t
	}
	return out
}
