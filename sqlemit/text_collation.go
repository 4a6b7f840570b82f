package sqlemit

// textCastCollation is the clauses of a cast to text about its collation: within the parentheses, and
// after them.
type textCastCollation struct{ charset, collate string }

// WithCodePointCollation returns the dialect of the same name whose casts to text give a string that
// compares by code points, independent of the collation of its column. It reports false
// for a dialect without such a variant: its strings compare by their collation.
func (d *Dialect) WithCodePointCollation() (*Dialect, bool) {
	if d.codePoints == "" {
		return d, false
	}
	exact := *d
	// A collation belongs to one character set, and the column may have another one.
	exact.types.text = textCastCollation{" CHARACTER SET utf8mb4", " COLLATE " + d.codePoints}
	return &exact, true
}
