package sqlemit

import "github.com/semlayer/semlayer/modelspec/sqlexpr"

// regexpCountByLengthTemplate counts the matches in a string: each leaves one character more in the first of two strings in which all
// matches are replaced.
func regexpCountByLengthTemplate(length string) template {
	return parseTemplate(length + "(REGEXP_REPLACE($1, $2, 'xx')) - " + length + "(REGEXP_REPLACE($1, $2, 'x'))")
}

var (
	mysqlRegexpLikeTemplate  = parseTemplate("@1 REGEXP @2")
	mysqlRegexpCountTemplate = regexpCountByLengthTemplate("CHAR_LENGTH")
)

// caseSensitiveRegexpTemplates print a template whose argument 2 is a regular expression that begins with the switch to
// case-sensitive: else the collation of the string decides.
func caseSensitiveRegexpTemplates(f *template) []callTemplate {
	const caseSensitive = "(?-i)"
	return callTemplatesOfPrintFunc(2, func(w *writer, c *sqlexpr.Call, min precedence) {
		pattern := newConcat(newStringLiteral(caseSensitive), c.Args[1])
		if literal, ok := c.Args[1].(*sqlexpr.String); ok {
			pattern = newStringLiteral(caseSensitive + literal.Value)
		}
		w.printTemplate(f, min, c.Args[0], pattern)
	})
}
