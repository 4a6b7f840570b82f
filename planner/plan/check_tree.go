package plan

import (
	"fmt"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// CheckTree verifies the invariants of a tree: references stay inside the input's
// schema, column names appear only where a scan is in reach, branches agree on
// their keys, nothing is empty that must not be. A violation is a defect of the
// planner, never of a query. The input of shared derived tables is checked once.
func CheckTree(root Node) error { return checkNode(root, map[Node]bool{}) }

// checkNode checks a node and its inputs. shared has the inputs of shared derived tables that are checked.
func checkNode(root Node, shared map[Node]bool) error {
	for _, in := range root.Inputs() {
		if d, ok := root.(*Derived); ok && d.Shared {
			if shared[in] {
				continue
			}
			shared[in] = true
		}
		if err := checkNode(in, shared); err != nil {
			return err
		}
	}
	switch n := root.(type) {
	case *Scan:
		return requireThat(n.Alias != "", "a scan of %s without an alias", n.Dataset)
	case *Numbers:
		return requireThat(n.Name != "" && n.Count > 0, "%d numbers in a column called %q", n.Count, n.Name)
	case *Repeat:
		return checkRepeat(n)
	case *Derived:
		return requireThat(n.Alias != "" && len(n.Input.Schema()) > 0, "derived table %q without alias or columns", n.Alias)
	case *Join:
		return checkJoin(n)
	case *Filter:
		return checkExprs(n.Input, n.Conds)
	case *Aggregate:
		if err := requireThat(len(n.Keys)+len(n.Measures) > 0, "an aggregate computes nothing"); err != nil {
			return err
		}
		return checkNamedExprs(n.Input, append(append([]NamedExpr(nil), n.Keys...), n.Measures...))
	case *GroupingSets:
		return checkGroupingSets(n)
	case *Snapshots:
		return checkSnapshots(n)
	case *HomeRows:
		return checkDistinctHomeRows(n)
	case *Window:
		if err := requireThat(n.Input.Schema() != nil, "a window is directly over a scan"); err != nil {
			return err
		}
		return checkNamedExprs(n.Input, n.Funcs)
	case *Project:
		return checkNamedExprs(n.Input, n.Cols)
	case *Combine:
		return checkCombine(n)
	case *Sort:
		for _, k := range n.Keys {
			if k.Col < 0 || k.Col >= len(n.Input.Schema()) {
				return fmt.Errorf("sort key %d outside %d columns", k.Col, len(n.Input.Schema()))
			}
		}
		return nil
	case *FirstColumns:
		return checkFirstColumnCount(n)
	case *SemiJoin:
		return checkSemiJoin(n)
	case *Union:
		return checkUnion(n)
	case *Offset:
		return requireThat(n.N > 0, "an offset of %d", n.N)
	case *Limit:
		return requireThat(n.N >= 0, "a negative limit")
	default:
		return fmt.Errorf("unknown plan node %T", root)
	}
}

func requireThat(ok bool, format string, args ...any) error {
	if ok {
		return nil
	}
	return fmt.Errorf(format, args...)
}

func checkJoin(n *Join) error {
	switch n.Right.(type) {
	case *Scan, *Derived:
	default:
		return fmt.Errorf("the right side of a join is a %T", n.Right)
	}
	if n.Valid != nil {
		return n.Valid.checkJoinEquality(n)
	}
	return requireThat(len(n.On) > 0 || n.Relationship == "", "join %s has no condition", n.Relationship)
}

func checkCombine(n *Combine) error {
	if len(n.Branches) < 2 {
		return fmt.Errorf("a combine of %d branches", len(n.Branches))
	}
	first := n.Branches[0].Schema()
	for _, b := range n.Branches {
		s := b.Schema()
		if len(s) < n.Keys {
			return fmt.Errorf("a branch has %d columns, fewer than its %d keys", len(s), n.Keys)
		}
		for i := range n.Keys {
			if s[i].Name != first[i].Name {
				return fmt.Errorf("branches disagree on key %d: %s and %s", i, first[i].Name, s[i].Name)
			}
		}
	}
	return requireThat(len(n.Zero) == len(n.Schema())-n.Keys, "combine marks %d of %d columns", len(n.Zero), len(n.Schema())-n.Keys)
}

func checkNamedExprs(in Node, cols []NamedExpr) error {
	seen := make(map[string]bool, len(cols))
	for _, c := range cols {
		if c.Name == "" || seen[c.Name] {
			return fmt.Errorf("column name %q is empty or appears twice", c.Name)
		}
		seen[c.Name] = true
		if err := checkExpr(in, c.Expr); err != nil {
			return err
		}
	}
	return nil
}

func checkExprs(in Node, es []sqlexpr.Expr) error {
	for _, e := range es {
		if err := checkExpr(in, e); err != nil {
			return err
		}
	}
	return nil
}

// aliasOfDerivedRows returns the alias under which the columns of a derived table that is read by itself are read; "" for other rows.
func aliasOfDerivedRows(n Node) string {
	switch n := n.(type) {
	case *Derived:
		return n.Alias
	case *Filter:
		return aliasOfDerivedRows(n.Input)
	case *SemiJoin:
		return aliasOfDerivedRows(n.Input)
	default:
		return ""
	}
}

func checkExpr(in Node, e sqlexpr.Expr) (err error) {
	schema := in.Schema()
	sqlexpr.Walk(e, func(x sqlexpr.Expr) bool {
		switch x := x.(type) {
		case *sqlexpr.Ref:
			if x.ID < 0 || x.ID >= len(schema) {
				err = fmt.Errorf("reference %d outside %d columns", x.ID, len(schema))
			}
		case *sqlexpr.Column:
			if len(x.Path) != 2 || schema != nil && x.Path[0].Text != aliasOfDerivedRows(in) {
				err = fmt.Errorf("column %s above an aggregate or without its alias", sqlexpr.Format(x))
			}
		case *sqlexpr.Param:
			err = fmt.Errorf("parameter :%s was never bound", x.Name)
		}
		return err == nil
	})
	return err
}
