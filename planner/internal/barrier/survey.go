package barrier

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/plan"
)

// survey looks for expressions on which demands may be, and that can fail. Most plans have none, and their conditions need no rule.
type survey struct {
	guard             guard
	canFail           bool
	demandsLists      bool // an engine may compute the columns of a list before the rules
	readsAdmittedRows bool // a dataset is a table of the rows that its rule admits
}

// visit looks at a node and what it reads. Nothing is demanded of the lists of the outermost SELECT below which no condition is computed.
func (s *survey) visit(n plan.Node, isOuter bool) {
	switch n := n.(type) {
	case *plan.Filter:
		if !n.Rule {
			s.check(n.Input, sqlexpr.CanFailAsCondition, n.Conds...)
			isOuter = false
		}
	case *plan.SemiJoin:
		s.check(n.Input, sqlexpr.CanFail, n.Value)
		s.visit(n.Rows, false)
		s.visit(n.Input, false)
		return
	case *plan.Join:
		for _, e := range n.On {
			s.check(n, sqlexpr.CanFail, e.Left, e.Right)
			s.check(n.Left, sqlexpr.CanFail, e.Left)
			s.check(n.Right, sqlexpr.CanFail, e.Right)
		}
		if n.Valid != nil {
			s.check(n, sqlexpr.CanFail, n.Valid.Conditions()...)
			s.check(n.Left, sqlexpr.CanFail, n.Valid.At)
			s.check(n.Right, sqlexpr.CanFail, n.Valid.From, n.Valid.To)
		}
		isOuter = false
	case *plan.Derived:
		s.readsAdmittedRows = s.readsAdmittedRows || n.Admitted != nil
		if columns, ok := n.Input.(*plan.Project); ok && n.Admitted != nil { // what reads the columns waits in place
			s.visit(columns.Input, false)
			return
		}
		isOuter = false
	case *plan.Project:
		s.checkLists(n.Input, isOuter, n.Cols)
	case *plan.Aggregate:
		s.checkLists(n.Input, isOuter, n.Keys)
	case *plan.GroupingSets:
		s.checkLists(n.Input, false, n.Keys)
		isOuter = false
	case *plan.HomeRows:
		s.checkLists(n.Input, false, n.Groups, n.Key, n.Args)
		isOuter = false
	case *plan.Snapshots:
		s.checkLists(n.Input, false, n.Cols)
		isOuter = false
	case *plan.Combine, *plan.Union, *plan.Window:
		isOuter = false
	default: // computes nothing that an engine moves
	}
	for _, in := range n.Inputs() {
		s.visit(in, isOuter)
	}
}

func (s *survey) checkLists(input plan.Node, isOuter bool, lists ...[]plan.NamedExpr) {
	if isOuter {
		return
	}
	s.demandsLists = true
	for _, list := range lists {
		for _, c := range list {
			s.check(input, sqlexpr.CanFail, c.Expr)
		}
	}
}

// check looks at expressions over the rows of a node. Where none fails with columns of any type, it looks up no type.
func (s *survey) check(rows plan.Node, canFail func(sqlexpr.Expr, func(sqlexpr.Expr) sqlexpr.Type) bool, list ...sqlexpr.Expr) {
	if s.canFail || !slices.ContainsFunc(list, func(e sqlexpr.Expr) bool { return canFail(e, nil) }) {
		return
	}
	b := s.guard.blockOf(rows)
	s.canFail = slices.ContainsFunc(list, func(e sqlexpr.Expr) bool { return canFail(e, b.typeOf) })
}
