package access

import (
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec/lexical"
)

// NeededAttributes returns the attributes that the rules and masks of some roles, and of what is required, name; sorted, each once.
func (p *Policies) NeededAttributes(roles []string) []string {
	var out []string
	if p.Required != nil {
		out = appendAttributesOfGrants(out, p.Required.Datasets)
	}
	for _, name := range roles {
		if role := p.RoleNamed(name); role != nil {
			out = appendAttributesOfGrants(out, role.Datasets)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func appendAttributesOfGrants(out []string, grants []Grant) []string {
	for i := range grants {
		out = append(out, grants[i].attributes...)
	}
	return out
}

// noteAttributes keeps the attributes that a grant names, so that no request reads its texts.
func (g *Grant) noteAttributes() {
	g.attributes = attributesOfText(nil, g.Rows.Value)
	for _, m := range g.Mask {
		g.attributes = attributesOfText(g.attributes, m.Expr.Value)
	}
}

// attributesOfText appends the names behind :user. in an expression, without those in quotes and comments.
func attributesOfText(out []string, text string) []string {
	for pos := 0; pos < len(text); {
		if next := lexical.SpaceEnd(text, pos); next > pos {
			pos = next
			continue
		}
		switch c := text[pos]; {
		case c == '\'' || c == '"':
			end := lexical.QuotedEnd(text, pos)
			if end < 0 {
				return out
			}
			pos = end
		case strings.HasPrefix(text[pos:], "/*"):
			end := strings.Index(text[pos:], "*/")
			if end < 0 {
				return out
			}
			pos += end + 2
		case strings.HasPrefix(text[pos:], "::"):
			pos += 2
		case strings.HasPrefix(text[pos:], userPrefix):
			begin := pos + len(userPrefix)
			pos = lexical.WordEnd(text, begin)
			out = append(out, text[begin:pos])
		default:
			pos = max(pos+1, lexical.WordEnd(text, pos))
		}
	}
	return out
}

// userPrefix is what the name of an attribute has before it in an expression.
const userPrefix = ":user."
