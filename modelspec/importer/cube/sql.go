package cube

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/semlayer/semlayer/modelspec/limits"
)

var reference = regexp.MustCompile(`\{\s*([A-Za-z_][A-Za-z0-9_]*)(?:\.([A-Za-z_][A-Za-z0-9_]*))?\s*\}(?:\.([A-Za-z_][A-Za-z0-9_]*))?`)

// maxNesting bounds members that are made of members.
const maxNesting = 20

// checkSQL refuses what is not SQL with references.
func checkSQL(text string) error {
	for _, mark := range []string{"{%", "{{", "{#", "COMPILE_CONTEXT", "SECURITY_CONTEXT", "FILTER_PARAMS", "FILTER_GROUP", "SQL_UTILS", "${"} {
		if strings.Contains(text, mark) {
			return errors.New("its SQL has " + mark + ", which is not read")
		}
	}
	return nil
}

// resolve replaces the references of an SQL text by expressions over the columns of the
// cube's table.
func (c *cube) resolve(text string, depth int) (string, error) {
	if err := checkSQL(text); err != nil {
		return "", err
	}
	if depth > maxNesting {
		return "", errors.New("its members are made of themselves, or nested deeper than 20 levels")
	}
	var failure error
	size := len(text)
	out := reference.ReplaceAllStringFunc(text, func(match string) string {
		if failure != nil {
			return ""
		}
		m := reference.FindStringSubmatch(match)
		first, member, column := m[1], m[2], m[3]
		own := first == "CUBE" || first == c.name
		switch {
		case own && column != "" && member == "":
			return column
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
		inner, err := c.expression(n, depth+1)
		if size += len(inner); err == nil && size > limits.ExpressionBytes {
			err = errors.New("written out it is too long")
		}
		if err != nil {
			failure = err
			return ""
		}
		return "(" + inner + ")"
	})
	if failure == nil && strings.ContainsAny(withoutTexts(out), "{}") {
		failure = errors.New("its SQL has braces that are not a reference")
	}
	return out, failure
}

var quotedText = regexp.MustCompile(`'(?:[^']|'')*'`)

func withoutTexts(text string) string { return quotedText.ReplaceAllString(text, "") }
