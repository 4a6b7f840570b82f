package lookml

import (
	"regexp"
	"strings"
)

// quotedPartPattern finds texts in single quotes, and names or texts in double quotes with the period before them.
var quotedPartPattern = regexp.MustCompile(`'(?:[^']|'')*'|(\.\s*)?"((?:[^"\\]|\\.)*)"`)

// resolveDoubleQuotedParts reads the parts of an SQL text in double quotes that are not after a period: a text in
// BigQuery, MySQL and Databricks, whose tables have names between backticks, and a column elsewhere. loss is
// the assumption of the reading, "" without such a part.
func resolveDoubleQuotedParts(sql string, hasBackticks bool) (read, loss string) {
	if !strings.Contains(sql, `"`) {
		return sql, ""
	}
	read = quotedPartPattern.ReplaceAllStringFunc(sql, func(part string) string {
		m := quotedPartPattern.FindStringSubmatch(part)
		switch {
		case part[0] == '\'' || m[1] != "":
			return part
		case hasBackticks:
			loss = part + " is read as a text, as BigQuery and MySQL do"
			return quoteStringLiteral(strings.ReplaceAll(m[2], `\"`, `"`))
		}
		loss = part + " is read as a column; in BigQuery and MySQL it is a text"
		return part
	})
	return read, loss
}
