package barrier

import (
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
			b := s.guard.blockOf(n.Input)
			for _, c := range n.Conds {
				s.canFail = s.canFail || sqlexpr.CanFailAsCondition(c, b.typeOf)
			}
			isOuter = false
		}
		s.visit(n.Input, isOuter)
	case *plan.SemiJoin:
		s.check(n.Input, n.Value)
		s.visit(n.Rows, false)
		s.visit(n.Input, false)
	case *plan.Join:
		for _, e := range n.On {
			s.check(n, e.Left, e.Right)
			s.check(n.Left, e.Left)
			s.check(n.Right, e.Right)
		}
		if n.Valid != nil {
			s.check(n, n.Valid.Conditions()...)
			s.check(n.Left, n.Valid.At)
			s.check(n.Right, n.Valid.From, n.Valid.To)
		}
		s.visit(n.Left, false)
		s.visit(n.Right, false)
	case *plan.Derived:
		s.readsAdmittedRows = s.readsAdmittedRows || n.Admitted != nil
		if columns, ok := n.Input.(*plan.Project); ok && n.Admitted != nil { // what reads the columns waits in place
			s.visit(columns.Input, false)
			return
		}
		s.visit(n.Input, false)
	case *plan.Project:
		s.checkLists(n.Input, isOuter, n.Cols)
		s.visit(n.Input, isOuter)
	case *plan.Aggregate:
		s.checkLists(n.Input, isOuter, n.Keys)
		s.visit(n.Input, isOuter)
	case *plan.GroupingSets:
		s.checkLists(n.Input, false, n.Keys)
		s.visit(n.Input, false)
	case *plan.HomeRows:
		s.checkLists(n.Input, false, n.Groups, n.Key, n.Args)
		s.visit(n.Input, false)
	case *plan.Snapshots:
		s.checkLists(n.Input, false, n.Cols)
		s.visit(n.Input, false)
	case *plan.Sort:
		s.visit(n.Input, isOuter)
	case *plan.Limit:
		s.visit(n.Input, isOuter)
	case *plan.Scan:
	case *plan.Combine, *plan.Union, *plan.Window:
		s.visitInputs(n, false)
	default: // computes nothing that an engine moves
		s.visitInputs(n, isOuter)
	}
}

func (s *survey) visitInputs(n plan.Node, isOuter bool) {
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
			s.check(input, c.Expr)
		}
	}
}

// check looks at values over the rows of a node.
func (s *survey) check(rows plan.Node, list ...sqlexpr.Expr) {
	b := s.guard.blockOf(rows)
	for _, e := range list {
		s.canFail = s.canFail || sqlexpr.CanFail(e, b.typeOf)
	}
}
