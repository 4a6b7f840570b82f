package importer

import "strings"

// TablePathWithDoubleQuotes writes a table whose names stand between backticks with double quotes. BigQuery
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
