package sqlemit

import "github.com/semlayer/semlayer/modelspec/sqlexpr"

// sqliteUnion spells alike, in all branches, a key that is a timestamp in one of them:
// a midnight may be stored as the day alone, whatever the model declares.
func sqliteUnion(w *writer, arms []*block, _ []col, keys int) bool {
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
			if arms[i] = w.rewriteKey(b, key, sqlexpr.TypeTimestamp, sqliteTimestamp); arms[i] == nil {
				return false
			}
		}
	}
	return true
}
