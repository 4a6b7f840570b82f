package sqlemit

import "github.com/semlayer/semlayer/modelspec/sqlexpr"

// bigqueryUnion keeps the types of branches together that do not meet by themselves.
func bigqueryUnion(w *writer, arms []*selectBlock, cols []outputColumn, keys int) bool {
	return bigqueryZones(w, arms, keys) && (allNumeric(cols[keys:]) || bigqueryNulls(w, arms))
}

// bigqueryNulls wraps each block that has a window or HAVING: in such a block a NULL is an
// integer and no longer takes the type of the other branch.
func bigqueryNulls(w *writer, arms []*selectBlock) bool {
	for i, b := range arms {
		if b.windowed || len(b.having) > 0 {
			if arms[i] = w.asSubquery(b); arms[i] == nil {
				return false
			}
		}
	}
	return true
}

// bigqueryZones makes timestamps with a zone of a key that is one in some branches
// and none in others: the two do not meet.
func bigqueryZones(w *writer, arms []*selectBlock, keys int) bool {
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
			if arms[i] = w.rewriteKey(b, key, sqlexpr.TypeTimestampTZ, castToZoned); arms[i] == nil {
				return false
			}
		}
	}
	return true
}

func castToZoned(x sqlexpr.Expr) sqlexpr.Expr { return castTo(x, sqlexpr.TypeTimestampTZ) }
