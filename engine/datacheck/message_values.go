package datacheck

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"github.com/semlayer/semlayer/modelspec/catalog"
)

// maxQuotedLength is how many characters of a value or a source a message repeats.
const maxQuotedLength = 80

// quoteText shows a text of the model or of the data in a message: one line without control characters, and not too long.
func quoteText(s string) string {
	if cut := 8 * maxQuotedLength; len(s) > cut {
		s = s[:cut] // the rest is not read either
	}
	s = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, "�"))
	s = strings.Join(strings.Fields(s), " ")
	if r := []rune(s); len(r) > maxQuotedLength {
		s = string(r[:maxQuotedLength]) + "…"
	}
	return "`" + s + "`"
}

// formatValues shows one value of the data, or the values of several columns.
func formatValues(values []any) string {
	texts := make([]string, len(values))
	for i, v := range values {
		texts[i] = quoteText(fmt.Sprint(v))
	}
	if len(texts) == 1 {
		return texts[0]
	}
	return "(" + strings.Join(texts, ", ") + ")"
}

// fieldNamesText lists the names of fields as a message shows a key.
func fieldNamesText(fields []*catalog.Field) string {
	names := make([]string, len(fields))
	for i, f := range fields {
		names[i] = f.Name
	}
	return "(" + strings.Join(names, ", ") + ")"
}

// columnsDescription names the columns of fields of one dataset, whose values a message is about.
func columnsDescription(fields []*catalog.Field) string {
	if len(fields) == 1 {
		return fields[0].QualifiedName()
	}
	return fieldNamesText(fields) + " of " + fields[0].Dataset.Name
}

// formatCountWithNoun returns a number with its noun.
func formatCountWithNoun(n int64, singular, plural string) string {
	if n == 1 {
		return "1 " + singular
	}
	return strconv.FormatInt(n, 10) + " " + plural
}

func formatRowCount(n int64) string { return formatCountWithNoun(n, "row", "rows") }

// formatPercentOf is n of total in percent.
func formatPercentOf(n, total int64) string {
	if total == 0 {
		return "0 %"
	}
	percent := 100 * float64(n) / float64(total)
	digits := 1
	if percent < 0.1 {
		digits = 4
	}
	return strings.TrimSuffix(strconv.FormatFloat(percent, 'f', digits, 64), ".0") + " %"
}

// maxCandidates is how many nearest names a finding lists.
const maxCandidates = 5
