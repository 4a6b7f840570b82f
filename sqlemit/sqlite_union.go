package sqlemit

import "github.com/semlayer/semlayer/modelspec/sqlexpr"

// fitSqliteUnionTimestamps converts a key that is a timestamp in one branch to a timestamp in all
// branches: a midnight may be stored as the day alone, even in a field declared as timestamp.
func fitSqliteUnionTimestamps(w *writer, arms []*selectBlock, _ []outputColumn, keys int) bool {
	for key := range keys {
		timestamps := false
		for _, b := range arms {
			t := b.out.cols[key].typ
			timestamps = timestamps || t == sqlexpr.TypeTimestamp || t == sqlexpr.TypeTimestampTZ
		}
		if !timestamps {
			continue
		}
		for i, b := range arms {
			if arms[i] = w.wrapWithConvertedUnionKey(b, key, sqlexpr.TypeTimestamp, castToTimestamp); arms[i] == nil {
				return false
			}
		}
	}
	return true
}

func castToTimestamp(x sqlexpr.Expr) sqlexpr.Expr { return newCast(x, sqlexpr.TypeTimestamp) }
