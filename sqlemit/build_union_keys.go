package sqlemit

import "github.com/semlayer/semlayer/modelspec/sqlexpr"

// momentKeys spells alike, in all branches, a key that is a moment in one of them: a
// midnight may be stored as the day alone, whatever the model declares.
func (w *writer) momentKeys(arms []*block, keys int) bool {
	for key := range keys {
		moments := false
		for _, b := range arms {
			t := b.out.cols[key].typ
			moments = moments || t == sqlexpr.TypeTimestamp || t == sqlexpr.TypeTimestampTZ
		}
		if !moments {
			continue
		}
		for i, b := range arms {
			if arms[i] = w.rewriteKey(b, key, sqlexpr.TypeTimestamp, w.d.union.moment); arms[i] == nil {
				return false
			}
		}
	}
	return true
}

// zonedKeys makes moments with a zone of a key that is one in some branches and none
// in others.
func (w *writer) zonedKeys(arms []*block, keys int) bool {
	for key := range keys {
		zoned, plain := false, false
		for _, b := range arms {
			t := b.out.cols[key].typ
			zoned = zoned || t == sqlexpr.TypeTimestampTZ
			plain = plain || t == sqlexpr.TypeDate || t == sqlexpr.TypeTimestamp
		}
		if !zoned || !plain {
			continue
		}
		for i, b := range arms {
			if arms[i] = w.castKey(b, key, sqlexpr.TypeTimestampTZ); arms[i] == nil {
				return false
			}
		}
	}
	return true
}

// castKey puts a block around another that casts one of its columns.
func (w *writer) castKey(b *block, key int, t sqlexpr.Type) *block {
	return w.rewriteKey(b, key, t, func(x sqlexpr.Expr) sqlexpr.Expr { return castTo(x, t) })
}

// rewriteKey puts a block around another that makes a value of a type of one of its
// columns.
func (w *writer) rewriteKey(b *block, key int, t sqlexpr.Type, value func(sqlexpr.Expr) sqlexpr.Expr) *block {
	out := w.wrap(b)
	if out != nil {
		c := &out.out.cols[key]
		c.expr, c.typ, c.proven = value(c.expr), t, t
	}
	return out
}
