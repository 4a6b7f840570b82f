package sqlemit

// collation is the clauses of a cast to text about its collation: within the parentheses, and
// behind them.
type collation struct{ charset, collate string }

// ByCodePoint returns the dialect of the same name whose casts to text give a text that
// compares by code points, whatever the collation of the column that it comes from. It
// reports false where there is none: texts of other dialects compare as they do.
func (d *Dialect) ByCodePoint() (*Dialect, bool) {
	if d.codePoints == "" {
		return d, false
	}
	exact := *d
	// A collation belongs to one character set, and the column may have another one.
	exact.types.text = collation{" CHARACTER SET utf8mb4", " COLLATE " + d.codePoints}
	return &exact, true
}
