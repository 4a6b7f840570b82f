package importer

import (
	"regexp"
	"strings"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// SourceWithPrefix returns the source of a dataset from the table or the query of another tool. The prefix comes before a table without
// a schema, unless it is "".
func SourceWithPrefix(text, prefix string) string {
	if source, err := modelspec.ParseDatasetSource(text); err == nil && source.Query != "" {
		return strings.TrimSpace(text)
	}
	text = BacktickPathToDoubleQuotes(strings.TrimSpace(text))
	if source, err := modelspec.ParseDatasetSource(text); err == nil && len(source.Table) == 1 && prefix != "" {
		return prefix + "." + sqlexpr.Format(&sqlexpr.Column{Path: source.Table})
	}
	return text
}

// BacktickPathToDoubleQuotes writes a table whose names are between backticks with double quotes. BigQuery
// takes one pair of backticks around a whole path, so that a period between them separates names.
func BacktickPathToDoubleQuotes(text string) string {
	parts := strings.Split(text, "`")
	if len(parts)%2 == 0 {
		return text // a backtick is not closed
	}
	var out strings.Builder
	for i, part := range parts {
		if i%2 == 0 {
			out.WriteString(part)
			continue
		}
		out.WriteString(`"` + strings.ReplaceAll(part, ".", `"."`) + `"`)
	}
	return out.String()
}

var quotedPartPattern = regexp.MustCompile("'(?:[^']|'')*'|\"[^\"]*\"|`([^`]*)`")

// BacktickNamesToDoubleQuotes writes the names of an SQL text that are between backticks with double quotes.
func BacktickNamesToDoubleQuotes(sql string) string {
	if !strings.Contains(sql, "`") {
		return sql
	}
	return quotedPartPattern.ReplaceAllStringFunc(sql, func(part string) string {
		if part[0] != '`' {
			return part
		}
		return `"` + strings.ReplaceAll(part[1:len(part)-1], `"`, `""`) + `"`
	})
}
