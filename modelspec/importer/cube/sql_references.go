package cube

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec/draft"
	"github.com/semlayer/semlayer/modelspec/importer"
	"github.com/semlayer/semlayer/modelspec/limits"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

var referencePattern = regexp.MustCompile(`\{\s*([A-Za-z_][A-Za-z0-9_]*)(?:\.([A-Za-z_][A-Za-z0-9_]*))?\s*\}(?:\.([A-Za-z_][A-Za-z0-9_]*))?`)

// maxMemberNesting bounds members that are made of members.
const maxMemberNesting = 20

// checkNoTemplateMarks rejects what is not SQL with references.
func checkNoTemplateMarks(text string) error {
	for _, mark := range []string{"{%", "{{", "{#", "COMPILE_CONTEXT", "SECURITY_CONTEXT", "FILTER_PARAMS", "FILTER_GROUP", "SQL_UTILS", "${"} {
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

// resolveReferences replaces the references of an SQL text by expressions over the columns of the
// cube's table.
func (c *cube) resolveReferences(text string, depth int) (string, error) {
	if err := checkNoTemplateMarks(text); err != nil {
		return "", err
	}
	if depth > maxMemberNesting {
		return "", errors.New("its members are made of themselves, or nested deeper than 20 levels")
	}
	var failure error
	text = c.ownTablePattern.ReplaceAllString(importer.BacktickNamesToDoubleQuotes(text), "")
	size := len(text)
	out := referencePattern.ReplaceAllStringFunc(text, func(match string) string {
		if failure != nil {
			return ""
		}
		m := referencePattern.FindStringSubmatch(match)
		first, member, column := m[1], m[2], m[3]
		own := first == "CUBE" || first == c.name
		switch {
		case !own && member == "" && column == "":
			member = first
		case !own, member == "", column != "":
			failure = fmt.Errorf("it refers to %s, which is not a member of the cube", match)
			return ""
		}
		n := c.members[member]
		if n == nil {
			failure = fmt.Errorf("it refers to %s, which is not a dimension of the cube", match)
			return ""
		}
		inner, err := c.dimensionSQL(n, depth+1)
		if size += len(inner); err == nil && size > limits.ExpressionBytes {
			err = errors.New("written out it is too long")
		}
		if err != nil {
			failure = err
			return ""
		}
		return "(" + inner + ")"
	})
	if failure == nil && strings.ContainsAny(removeStringLiterals(out), "{}") {
		failure = errors.New("its SQL has braces that are not a reference")
	}
	return out, failure
}

// resolveJoinedDimensions replaces the dimensions of the cubes of which a row has one by their fields, each behind
// the relationship that leads there. Other references stay, also those to a dimension that has a value
// over no row: in Cube the rows without a partner have it.
func (c *cube) resolveJoinedDimensions(text string) string {
	return referencePattern.ReplaceAllStringFunc(text, func(match string) string {
		m := referencePattern.FindStringSubmatch(match)
		if m[1] == "CUBE" || m[1] == c.name || m[2] == "" || m[3] != "" {
			return match
		}
		found := ""
		for _, j := range c.joins {
			hasField := j.target.dataset != nil && slices.ContainsFunc(j.target.dataset.Fields, func(f *draft.Field) bool { return f.Name == m[2] && importer.IsNullForNullColumns(f) })
			switch {
			case j.target.name != m[1] || !hasField:
			case found != "":
				return match // several relationships lead there
			default:
				found = sqlexpr.FormatPath(j.relationship, m[2])
			}
		}
		if found == "" {
			return match
		}
		return found
	})
}

var stringLiteralPattern = regexp.MustCompile(`'(?:[^']|'')*'`)

func removeStringLiterals(text string) string { return stringLiteralPattern.ReplaceAllString(text, "") }
