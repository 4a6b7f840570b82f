package sqlemit

import "github.com/semlayer/semlayer/modelspec/sqlexpr"

// fitBigqueryUnionTypes keeps the types of branches together that do not meet by themselves.
func fitBigqueryUnionTypes(w *writer, arms []*selectBlock, cols []outputColumn, keys int) bool {
	return addBigqueryKeyZones(w, arms, keys) && (allNumeric(cols[keys:]) || wrapBigqueryUnionArmsWithNull(w, arms))
}

// wrapBigqueryUnionArmsWithNull wraps each block that has a window or HAVING: in such a block a NULL is an
// integer and no longer takes the type of the other branch.
func wrapBigqueryUnionArmsWithNull(w *writer, arms []*selectBlock) bool {
	for i, b := range arms {
		if b.windowed || len(b.having) > 0 {
			if arms[i] = w.wrapInBlock(b); arms[i] == nil {
				return false
			}
		}
	}
	return true
}

// addBigqueryKeyZones makes timestamps with a zone of a key that is one in some branches
// and none in others: the two do not meet.
func addBigqueryKeyZones(w *writer, arms []*selectBlock, keys int) bool {
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
			if arms[i] = w.wrapWithConvertedUnionKey(b, key, sqlexpr.TypeTimestampTZ, castToZonedTimestamp); arms[i] == nil {
				return false
			}
		}
	}
	return true
}

func castToZonedTimestamp(x sqlexpr.Expr) sqlexpr.Expr { return newCast(x, sqlexpr.TypeTimestampTZ) }
