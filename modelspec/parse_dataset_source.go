package modelspec

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/semlayer/semlayer/modelspec/lexical"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

func locationOfListItem(location string, i int) string { return location + "[" + strconv.Itoa(i) + "]" }

// ParseDatasetSource reads a dataset's source: a table of one to three dot-separated
// parts, each of which may be double-quoted, or the text of a query, which
// begins with SELECT or WITH. Comments before it, parentheses around all of it
// and semicolons at its end have no meaning. A query may not hold another semicolon outside of
// literals: it becomes a derived table.
func ParseDatasetSource(source string) (sqlexpr.DatasetTableOrQuery, error) {
	s, err := unwrapSource(source)
	if err != nil {
		return sqlexpr.DatasetTableOrQuery{}, err
	}
	if isQuerySource(s) {
		return sqlexpr.DatasetTableOrQuery{Query: s}, nil
	}
	var parts []sqlexpr.Name
	for rest := s; ; {
		name, after, ok := cutLeadingTableNamePart(rest)
		if !ok {
			return sqlexpr.DatasetTableOrQuery{}, fmt.Errorf("the source %q is neither table, schema.table or database.schema.table (parts may be double-quoted) nor a query that begins with SELECT or WITH", source)
		}
		parts = append(parts, name)
		if commentsEnd(after, 0) == len(after) {
			break
		}
		if after[0] != '.' {
			return sqlexpr.DatasetTableOrQuery{}, fmt.Errorf("the source %q is not a table name: unexpected %q after %q", source, after, name.Text)
		}
		rest = strings.TrimSpace(after[1:])
	}
	if len(parts) > 3 {
		return sqlexpr.DatasetTableOrQuery{}, fmt.Errorf("the source %q has %d parts; a table has at most three: database.schema.table", source, len(parts))
	}
	return sqlexpr.DatasetTableOrQuery{Table: parts}, nil
}

// isQuerySource reports whether a text is a query: SELECT or WITH is its first word, or that of a query in parentheses which
// continues, as with UNION.
func isQuerySource(s string) bool {
	for range maxOuterParentheses {
		closing := firstParenthesesEnd(s)
		if closing == 0 {
			break
		}
		after := s[commentsEnd(s, closing):]
		word := after[:lexical.WordEnd(after, 0)]
		inner, err := unwrapSource(s[:closing])
		if err != nil || !slices.ContainsFunc(wordsAfterQuery, func(known string) bool { return strings.EqualFold(word, known) }) {
			return false
		}
		s = inner
	}
	end := strings.IndexFunc(s, func(r rune) bool { return !unicode.IsLetter(r) && r != '_' && !unicode.IsDigit(r) })
	if end < 0 {
		return false
	}
	word, next := s[:end], s[end]
	return next != '.' && (strings.EqualFold(word, "select") || strings.EqualFold(word, "with"))
}

// wordsAfterQuery are the words that continue a query in parentheses.
var wordsAfterQuery = []string{"union", "intersect", "except", "minus", "order", "limit", "offset", "fetch"}

// cutLeadingTableNamePart reads one name off the front of s.
func cutLeadingTableNamePart(s string) (name sqlexpr.Name, rest string, ok bool) {
	if strings.HasPrefix(s, `"`) {
		var b strings.Builder
		for i := 1; i < len(s); i++ {
			if s[i] != '"' {
				b.WriteByte(s[i])
				continue
			}
			if i+1 < len(s) && s[i+1] == '"' {
				b.WriteByte('"')
				i++
				continue
			}
			return sqlexpr.Name{Text: b.String(), Quoted: true}, strings.TrimSpace(s[i+1:]), b.Len() > 0
		}
		return sqlexpr.Name{}, "", false
	}
	end := strings.IndexFunc(s, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' && r != '$' && r != '-'
	})
	if end < 0 {
		end = len(s)
	}
	part := s[:end]
	if part == "" || strings.Contains(part, "--") {
		return sqlexpr.Name{}, "", false
	}
	// A name with a dash (projects of BigQuery have them) is legal only quoted.
	return sqlexpr.Name{Text: part, Quoted: strings.Contains(part, "-")}, strings.TrimSpace(s[end:]), true
}
