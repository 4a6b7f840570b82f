package sqlemit

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/plan"
)

// buildIntegerSequence counts without recursion, which not every engine has, and without a function of one engine:
//
//	SELECT d1.n * 10 + d0.n AS n
//	FROM (SELECT 0 AS n UNION ALL SELECT 1 …) AS d0 CROSS JOIN (SELECT 0 AS n UNION ALL …) AS d1
//	WHERE d1.n * 10 + d0.n < 31
func (w *writer) buildIntegerSequence(n *plan.Numbers) *selectBlock {
	var (
		product crossJoin
		number  sqlexpr.Expr
		held    int64 = 1 // how many numbers the digits so far hold
	)
	for unit := int64(1); number == nil || held < n.Count; unit *= 10 {
		digits := w.newDigitTable(min(10, (n.Count+held-1)/held))
		product.tables = append(product.tables, digits)
		held *= int64(len(digits.arms))
		digit := sqlexpr.Expr(newColumnOfAlias(digits.alias, digitColumnName))
		if number == nil {
			number = digit
			continue
		}
		number = &sqlexpr.Binary{Op: sqlexpr.OpAdd, L: &sqlexpr.Binary{Op: sqlexpr.OpMul, L: digit, R: newIntegerConstant(unit)}, R: number}
	}
	b := &selectBlock{from: product, out: &columnScope{cols: []outputColumn{{name: n.Name, expr: number, typ: sqlexpr.TypeInt, proven: sqlexpr.TypeInt}}}}
	if held > n.Count {
		b.where = []predicate{{expr: &sqlexpr.Binary{Op: sqlexpr.OpLt, L: number, R: newIntegerConstant(n.Count)}}}
	}
	return b
}

const digitColumnName = "n"

// newDigitTable returns a table with one row for each of the first count digits.
func (w *writer) newDigitTable(count int64) *blockUnion {
	u := &blockUnion{arms: make([]*selectBlock, count), alias: w.uniqueAlias("digits")}
	for i := range u.arms {
		u.arms[i] = &selectBlock{from: noTable{}, out: &columnScope{cols: []outputColumn{{name: digitColumnName, expr: newIntegerConstant(int64(i)), typ: sqlexpr.TypeInt}}}}
	}
	return u
}

// buildRepeat joins each row to the numbers of its copies:
//
//	FROM (SELECT k, x …) AS repeated CROSS JOIN (SELECT … AS n) AS numbers
func (w *writer) buildRepeat(n *plan.Repeat) *selectBlock {
	rows := w.wrapInBlock(w.buildBlock(n.Input))
	if rows == nil {
		return nil
	}
	numbers := w.wrapInBlock(w.buildIntegerSequence(&plan.Numbers{Name: n.Name, Count: n.Count}))
	if numbers == nil {
		return nil
	}
	cols := slices.Concat(rows.out.cols, numbers.out.cols)
	return w.memory.newBlock(selectBlock{from: crossJoin{tables: []fromSource{rows.from, numbers.from}}, out: w.memory.newColumnScope(cols)})
}
