package sqlemit

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxBigqueryColumnNameLength is how many characters the name of a column has at most.
const maxBigqueryColumnNameLength = 300

// bigqueryColumnLabel returns a name that BigQuery accepts for a column of a result. Inside a
// statement it accepts any name; the table that holds the result has stricter rules. A
// name that has to change ends in a hash of the original.
func bigqueryColumnLabel(name string) string {
	label := strings.Map(func(r rune) rune {
		if unicode.In(r, unicode.L, unicode.N, unicode.M, unicode.Pc, unicode.Pd) || strings.ContainsRune("&%=+:'<>#| ", r) {
			return r
		}
		return '_'
	}, name)
	upper := strings.ToUpper(label)
	for _, prefix := range []string{"_TABLE_", "_FILE_", "_PARTITION", "_ROW_TIMESTAMP", "__ROOT__", "_COLIDENTIFIER"} {
		if strings.HasPrefix(upper, prefix) {
			label = "x" + label
			break
		}
	}
	if label == name && utf8.RuneCountInString(label) <= maxBigqueryColumnNameLength {
		return name
	}
	mark := "_" + nameHashSuffix(name)
	if runes := []rune(label); len(runes) > maxBigqueryColumnNameLength-len(mark) {
		label = string(runes[:maxBigqueryColumnNameLength-len(mark)])
	}
	return label + mark
}
