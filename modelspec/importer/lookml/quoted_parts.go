package lookml

import (
	"regexp"
	"strings"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// quotedPartPattern finds texts in single quotes, and names or texts in double quotes with the period before them.
var quotedPartPattern = regexp.MustCompile(`'(?:[^']|'')*'|(\.\s*)?"((?:[^"\\]|\\.)*)"`)

// resolveDoubleQuotedParts reads the parts of an SQL text in double quotes that are not after a period: a text in
// BigQuery, MySQL and Databricks, whose tables have names between backticks, and a column elsewhere. loss is
// the assumption of the reading, "" without such a part or with a dialect.
func resolveDoubleQuotedParts(sql string, hasBackticks bool, dialect string) (read, loss string) {
	if !strings.Contains(sql, `"`) {
		return sql, ""
	}
	read = quotedPartPattern.ReplaceAllStringFunc(sql, func(part string) string {
		m := quotedPartPattern.FindStringSubmatch(part)
		isText := sqlexpr.HasDoubleQuotedTexts(dialect)
		switch {
		case part[0] == '\'' || m[1] != "" || dialect != "" && !isText:
			return part
		case isText:
			return quoteStringLiteral(strings.ReplaceAll(m[2], `\"`, `"`))
		case hasBackticks:
			loss = part + " is read as a text, as BigQuery and MySQL do"
			return quoteStringLiteral(strings.ReplaceAll(m[2], `\"`, `"`))
		}
		loss = part + " is read as a column; in BigQuery and MySQL it is a text"
		return part
	})
	return read, loss
}
