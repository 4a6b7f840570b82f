package importer

import (
	"regexp"
	"strings"
)

// TablePathWithDoubleQuotes writes a table whose names are between backticks with double quotes. BigQuery
// takes one pair of backticks around a whole path, so that a period between them separates names.
func TablePathWithDoubleQuotes(text string) string {
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

var backtickNamePattern = regexp.MustCompile("'(?:[^']|'')*'|\"[^\"]*\"|`([^`]*)`")

// NamesWithDoubleQuotes writes the names of an SQL text that are between backticks with double quotes.
func NamesWithDoubleQuotes(sql string) string {
	if !strings.Contains(sql, "`") {
		return sql
	}
	return backtickNamePattern.ReplaceAllStringFunc(sql, func(part string) string {
		if part[0] != '`' {
			return part
		}
		return `"` + strings.ReplaceAll(part[1:len(part)-1], `"`, `""`) + `"`
	})
}
