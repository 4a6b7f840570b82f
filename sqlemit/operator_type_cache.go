package sqlemit

import "github.com/semlayer/semlayer/modelspec/sqlexpr"

// typeCacheMinChainLength is the length of a chain of operators from which its types are kept.
const typeCacheMinChainLength = 8

// operatorTypeCache keeps the types of the operators of long chains. Each operator requests the
// types of its operands when it is printed; without this a chain of n operators would be
// walked n times.
type operatorTypeCache struct {
	in *columnScope
	of map[*sqlexpr.Binary]sqlexpr.Type
}

// typeOfBinary returns the type of e in a scope.
func (d *operatorTypeCache) typeOfBinary(in *columnScope, e *sqlexpr.Binary) sqlexpr.Type {
	if !isLongChain(e) {
		return typeInScope(in, e)
	}
	if d.of == nil || d.in != in {
		d.in, d.of = in, map[*sqlexpr.Binary]sqlexpr.Type{}
	}
	if t, ok := d.of[e]; ok {
		return t
	}
	t := sqlexpr.TypeOfBinary(e, func(x sqlexpr.Expr) sqlexpr.Type {
		if b, ok := x.(*sqlexpr.Binary); ok {
			return d.typeOfBinary(in, b)
		}
		return typeInScope(in, x)
	})
	d.of[e] = t
	return t
}

// isLongChain reports whether a chain of left or of right operands is long.
func isLongChain(e *sqlexpr.Binary) bool {
	left, right := e, e
	for range typeCacheMinChainLength {
		if left != nil {
			left, _ = left.L.(*sqlexpr.Binary)
		}
		if right != nil {
			right, _ = right.R.(*sqlexpr.Binary)
		}
		if left == nil && right == nil {
			return false
		}
	}
	return true
}

// typeOf infers the type of an expression in the current scope. A declared
// type counts only where it could not mislead: a field may be declared Integer
// over a column of doubles.
func (w *writer) typeOf(e sqlexpr.Expr) sqlexpr.Type {
	switch e := e.(type) {
	case *sqlexpr.Column, *sqlexpr.Number, *sqlexpr.String:
		return sqlexpr.TypeOf(e, nil)
	case *sqlexpr.DeclaredTypeExpr:
		if w.d.time.timestampsKeepZones && e.ReadsClock && e.Type == sqlexpr.TypeTimestampTZ {
			return sqlexpr.TypeTimestamp
		}
		return w.typeOf(e.X)
	case *sqlexpr.Binary:
		return w.types.typeOfBinary(w.scope, e)
	}
	return typeInScope(w.scope, e)
}

func typeInScope(s *columnScope, e sqlexpr.Expr) sqlexpr.Type {
	switch e := e.(type) { // the columns of derived tables are one of these
	case *sqlexpr.Column:
		return sqlexpr.TypeUnknown
	case *sqlexpr.Ref:
		return s.typeOfRef(e)
	}
	return sqlexpr.TypeOf(e, func(leaf sqlexpr.Expr) sqlexpr.Type {
		if r, ok := leaf.(*sqlexpr.Ref); ok {
			return s.typeOfRef(r)
		}
		return sqlexpr.TypeUnknown
	})
}

func (s *columnScope) typeOfRef(r *sqlexpr.Ref) sqlexpr.Type {
	if s == nil || r.ID < 0 || r.ID >= len(s.cols) {
		return sqlexpr.TypeUnknown
	}
	return s.cols[r.ID].reliableType()
}
