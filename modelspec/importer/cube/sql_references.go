package cube

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/semlayer/semlayer/modelspec/importer"
	"github.com/semlayer/semlayer/modelspec/limits"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

var referencePattern = regexp.MustCompile(`\{\s*([A-Za-z_][A-Za-z0-9_]*)(?:\.([A-Za-z_][A-Za-z0-9_]*))?\s*\}(?:\.([A-Za-z_][A-Za-z0-9_]*))?`)

// maxMemberNesting bounds members that are made of members.
const maxMemberNesting = 20

// checkNoTemplateMarks rejects what is not SQL with references.
func checkNoTemplateMarks(text string) error {
	for _, mark := range []string{"{%", "{{", "{#", "COMPILE_CONTEXT", "SECURITY_CONTEXT", "FILTER_PARAMS", "FILTER_GROUP", "SQL_UTILS"} {
		if strings.Contains(text, mark) {
			return errors.New("its SQL has " + mark + ", which is not read")
		}
	}
	return nil
}

// tableReferencePattern matches the prefix of a column of a cube's table: {CUBE}. or the cube by its name.
func tableReferencePattern(name string) *regexp.Regexp {
	return regexp.MustCompile(`\{\s*(?:CUBE|` + regexp.QuoteMeta(name) + `)\s*\}\s*\.\s*`)
}

// referenceResolver returns the SQL of a reference: its cube or member, its member, and the text behind its braces.
type referenceResolver func(first, member, column string) (r resolvedSQL, found bool)

// resolveReferences replaces the references of an SQL text by expressions over the columns of the
// cube's table. References that a resolver finds are replaced by its text.
func (c *cube) resolveReferences(text string, depth int, resolvers ...referenceResolver) (resolvedSQL, error) {
	if err := checkNoTemplateMarks(text); err != nil {
		return resolvedSQL{}, err
	}
	if depth > maxMemberNesting {
		return resolvedSQL{}, errors.New("its members are made of themselves, or nested deeper than 20 levels")
	}
	text = c.ownTablePattern.ReplaceAllString(importer.BacktickNamesToDoubleQuotes(c.project.withBracedReferences(text)), "")
	var out, written resolvedSQL // written has the text of each reference in parentheses
	end := 0
	for _, at := range referencePattern.FindAllStringSubmatchIndex(text, -1) {
		before := unreferencedSQL(text[end:at[0]])
		end = at[1]
		inner, inPlace, err := c.resolveReference(text, at, depth, resolvers)
		if err != nil {
			return resolvedSQL{}, err
		}
		bracketed := inner
		if inner.bracketed = "(" + inner.bracketed + ")"; !inPlace {
			bracketed.text = "(" + inner.text + ")"
		}
		out.append(before, inner)
		written.append(before, bracketed)
		if len(out.text) > limits.ExpressionBytes {
			return resolvedSQL{}, errors.New("written out it is too long")
		}
		if len(out.bracketed) > limits.ExpressionBytes {
			out = resolvedSQL{text: out.text, unknown: true}
		}
	}
	out.append(unreferencedSQL(text[end:]))
	written.append(unreferencedSQL(text[end:]))
	if !isSameExpression(written.text, out.text) {
		out.text = withNeededParentheses(written.text)
	}
	if strings.ContainsAny(removeStringLiterals(out.text), "{}") {
		return resolvedSQL{}, errors.New("its SQL has braces that are not a reference")
	}
	return out, nil
}

// withNeededParentheses removes the parentheses that have no effect.
func withNeededParentheses(text string) string {
	e, err := sqlexpr.Parse(text)
	if err != nil {
		return text
	}
	return sqlexpr.Format(e)
}

// resolveReference returns the SQL of the reference at a match of referencePattern. inPlace is set where its text is one name.
func (c *cube) resolveReference(text string, at []int, depth int, resolvers []referenceResolver) (r resolvedSQL, inPlace bool, err error) {
	group := func(i int) string {
		if at[2*i] < 0 {
			return ""
		}
		return text[at[2*i]:at[2*i+1]]
	}
	first, member, column := group(1), group(2), group(3)
	for _, resolve := range resolvers {
		if r, found := resolve(first, member, column); found {
			return r, true, nil
		}
	}
	own := first == "CUBE" || first == c.name
	switch {
	case !own && member == "" && column == "":
		member = first
	case !own:
		r, err = c.resolveJoinedReference(group(0), first, member, column)
		return r, true, err
	case member == "", column != "":
		return resolvedSQL{}, false, fmt.Errorf("it refers to %s, which is not a member of the cube", group(0))
	}
	n := c.members[member]
	if n == nil {
		return resolvedSQL{}, false, fmt.Errorf("it refers to %s, which is not a dimension of the cube", group(0))
	}
	r, err = c.dimensionSQL(n, depth+1)
	return r, false, err
}

var stringLiteralPattern = regexp.MustCompile(`'(?:[^']|'')*'`)

func removeStringLiterals(text string) string { return stringLiteralPattern.ReplaceAllString(text, "") }
