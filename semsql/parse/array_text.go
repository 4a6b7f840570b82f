package parse

import "strings"

// ArrayElement is an element of an array in text form.
type ArrayElement struct {
	Text string
	Null bool
}

// ParseArrayText reads PostgreSQL's text form of an array of one dimension without bounds: {a,"b c",NULL}.
func ParseArrayText(text string) (elements []ArrayElement, ok bool) {
	const blanks = " \t\n\r\v\f"
	text = strings.Trim(text, blanks)
	if len(text) < 2 || text[0] != '{' || text[len(text)-1] != '}' {
		return nil, false
	}
	text = strings.Trim(text[1:len(text)-1], blanks)
	if text == "" {
		return nil, true
	}
	for {
		element, rest, ok := parseArrayElement(strings.TrimLeft(text, blanks))
		if !ok {
			return nil, false
		}
		elements = append(elements, element)
		rest = strings.TrimLeft(rest, blanks)
		if rest == "" {
			return elements, true
		}
		if rest[0] != ',' {
			return nil, false
		}
		text = rest[1:]
	}
}

// parseArrayElement reads one element; rest begins after it.
func parseArrayElement(text string) (e ArrayElement, rest string, ok bool) {
	quoted := strings.HasPrefix(text, `"`)
	var b strings.Builder
	i, end, escaped := 0, 0, quoted // end is after the last byte that is not a blank
	if quoted {
		i = 1
	}
scan:
	for ; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\\':
			if i++; i == len(text) {
				return e, "", false
			}
			escaped = true
		case quoted && c == '"':
			return ArrayElement{Text: b.String()}, text[i+1:], true
		case quoted:
		case c == ',':
			break scan
		case c == '{', c == '}', c == '"':
			return e, "", false
		case strings.IndexByte(" \t\n\r\v\f", c) >= 0:
			b.WriteByte(c)
			continue
		}
		b.WriteByte(text[i])
		end = b.Len()
	}
	e.Text = b.String()[:end]
	e.Null = !escaped && strings.EqualFold(e.Text, "null")
	return e, text[i:], !quoted && end > 0
}
