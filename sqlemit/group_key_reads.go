package sqlemit

import (
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// readsOnlyKeys reports whether e reads group keys and nothing else.
func readsOnlyKeys(b *selectBlock, e sqlexpr.Expr) bool {
	return len(b.keys) > 0 && !sqlexpr.HasNode(e, func(r *sqlexpr.Ref) bool {
		return b.out.hasColumnID(r.ID) && !b.out.cols[r.ID].readsOnlyKeys(b)
	})
}

func (c *outputColumn) readsOnlyKeys(b *selectBlock) bool {
	if c.key > 0 {
		return true
	}
	if c.scope == nil || c.scope == b.out {
		return false
	}
	ok, found := true, false
	sqlexpr.Walk(c.expr, func(x sqlexpr.Expr) bool {
		switch x := x.(type) {
		case *sqlexpr.Ref:
			found = true
			ok = ok && c.scope.hasColumnID(x.ID) && c.scope.cols[x.ID].key > 0
		case *sqlexpr.Call:
			ok = ok && sqlexpr.InfoOfFunction(x.Fn).Class == sqlexpr.ClassScalar
		}
		return ok
	})
	return ok && found
}

// readsGroupKey reports whether an expression over the columns of a grouped block reads a key.
func readsGroupKey(s *columnScope, e sqlexpr.Expr) bool {
	return sqlexpr.HasNode(e, func(r *sqlexpr.Ref) bool {
		if !s.hasColumnID(r.ID) {
			return false
		}
		c := &s.cols[r.ID]
		return c.key > 0 || c.scope != nil && c.scope != s && readsGroupKey(c.scope, c.expr)
	})
}

func (s *columnScope) hasColumnID(id int) bool { return s != nil && id >= 0 && id < len(s.cols) }

// usesComputedKey reports whether an expression has a group key inside that is
// no plain column. Several engines do not recognise a key's expression within
// a larger one, nor in HAVING.
func usesComputedKey(s *columnScope, exprs ...sqlexpr.Expr) bool {
	return slices.ContainsFunc(exprs, func(e sqlexpr.Expr) bool {
		return sqlexpr.HasNode(e, func(r *sqlexpr.Ref) bool {
			if !s.hasColumnID(r.ID) {
				return false
			}
			c := &s.cols[r.ID]
			if c.key > 0 {
				return !isPlainInputColumn(c)
			}
			return c.scope != nil && c.scope != s && usesComputedKey(c.scope, c.expr)
		})
	})
}

// wrapSameNamedKeysInMax replaces each group key that is a column called like the
// column of another key by its maximum over the group, which is the key.
func wrapSameNamedKeysInMax(s *columnScope, e sqlexpr.Expr) sqlexpr.Expr {
	return sqlexpr.Rewrite(e, func(x sqlexpr.Expr) sqlexpr.Expr {
		if r, is := x.(*sqlexpr.Ref); is && sharesColumnNameWithOtherKey(s, r.ID) {
			return &sqlexpr.Call{Position: r.Position, Fn: sqlexpr.FnMax, Name: sqlexpr.Name{Text: "MAX"}, Args: []sqlexpr.Expr{r}}
		}
		return nil
	})
}

func sharesColumnNameWithOtherKey(s *columnScope, id int) bool {
	if !s.hasColumnID(id) {
		return false
	}
	c := &s.cols[id]
	if c.key == 0 {
		r, is := c.expr.(*sqlexpr.Ref)
		return is && c.scope != nil && c.scope != s && sharesColumnNameWithOtherKey(c.scope, r.ID)
	}
	name, same := plainInputColumnName(c), 0
	for i := range s.cols {
		if s.cols[i].key > 0 && name != "" && strings.EqualFold(plainInputColumnName(&s.cols[i]), name) {
			same++
		}
	}
	return same > 1
}

// isPlainInputColumn reports whether a column is a plain input column.
func isPlainInputColumn(c *outputColumn) bool { return plainInputColumnName(c) != "" }

// plainInputColumnName returns the name of the input column that a column is; "" when it is
// computed.
func plainInputColumnName(c *outputColumn) string {
	if column := plainInputColumn(c); column != nil {
		return column.Path[len(column.Path)-1].Text
	}
	return ""
}

// plainInputColumn returns the input column that a column is; nil when it is computed.
func plainInputColumn(c *outputColumn) *sqlexpr.Column {
	for {
		switch e := c.expr.(type) {
		case *sqlexpr.Column:
			return e
		case *sqlexpr.Ref:
			if !c.scope.hasColumnID(e.ID) {
				return nil
			}
			c = &c.scope.cols[e.ID]
		default:
			return nil
		}
	}
}

// isConstantKey reports whether a group key reads no column at all. GROUP BY takes
// such a key by its position only: as an expression it is an error, or, if it
// is an integer, another position.
func isConstantKey(c *outputColumn) bool {
	constant := true
	sqlexpr.Walk(c.expr, func(x sqlexpr.Expr) bool {
		switch x := x.(type) {
		case *sqlexpr.Column:
			constant = false
		case *sqlexpr.Ref:
			constant = constant && c.scope.hasColumnID(x.ID) && isConstantKey(&c.scope.cols[x.ID])
		}
		return constant
	})
	return constant
}
