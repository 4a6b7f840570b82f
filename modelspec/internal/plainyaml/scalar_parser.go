package plainyaml

import (
	"bytes"
	"strings"

	"github.com/semlayer/semlayer/modelspec/document"
)

// parseInlineValue reads a value that begins on the current line, and moves on. Scalars
// end with their line; what is indented deeper than indent would continue them.
func (p *parser) parseInlineValue(at, indent, depth int) *document.Node {
	switch p.text[at] {
	case '|':
		return p.parseLiteralBlock(at, indent)
	case '[', '{':
		f := flowReader{p, at, depth}
		n := f.readValue()
		if n == nil || !p.isLineEnd(f.at) {
			return nil
		}
		p.moveToNextLine()
		return n
	case '"', '\'':
		n, after := p.parseQuoted(at)
		if n == nil || !p.isLineEnd(after) {
			return nil
		}
		p.moveToNextLine()
		if p.indent > indent {
			return nil
		}
		return n
	}
	end := p.findPlainScalarEnd(at)
	if end == at {
		return nil
	}
	n := p.newScalarNode(at, end)
	p.moveToNextLine()
	if p.indent > indent {
		return nil // the scalar continues
	}
	return n
}

// newScalarNode makes a node of plain text, with the type that YAML gives it.
func (p *parser) newScalarNode(at, end int) *document.Node {
	n := p.newNodeAt(document.ScalarNode, "", at)
	n.Value = p.str[at:end]
	if first := n.Value[0]; isWordStart(first) && strings.IndexByte("yYnNtTfFoO", first) < 0 {
		n.Tag = "!!str" // no other type begins with this letter
	} else {
		n.Tag = document.PlainTag(n.Value)
	}
	return n
}

// findPlainScalarEnd finds the end of a plain scalar; at itself when it is not plain.
func (p *parser) findPlainScalarEnd(at int) int {
	first := p.text[at]
	if !isWordStart(first) && !isDigit(first) && strings.IndexByte("(/.+$", first) < 0 && first < 0x80 {
		if first != '-' || at+1 == p.stop || !isDigit(p.text[at+1]) {
			return at
		}
	}
	if p.indent == 0 && at == p.start {
		return at // a document of one scalar
	}
	for i := at; i < p.stop; i++ {
		switch p.text[i] {
		case ':':
			if i+1 == p.stop || p.text[i+1] == ' ' {
				return at
			}
		case '#':
			if p.text[i-1] == ' ' {
				return p.offsetBeforeTrailingSpaces(at, i)
			}
		}
	}
	return p.offsetBeforeTrailingSpaces(at, p.stop)
}

func (p *parser) offsetBeforeTrailingSpaces(at, end int) int {
	for end > at && p.text[end-1] == ' ' {
		end--
	}
	return end
}

// isLineEnd reports whether a value ends the line, but for a comment.
func (p *parser) isLineEnd(at int) bool {
	rest := bytes.TrimLeft(p.text[at:p.stop], " ")
	return len(rest) == 0 || rest[0] == '#' && len(rest) < p.stop-at
}

// parseQuoted reads a quoted scalar on one line; nil when it is not one.
func (p *parser) parseQuoted(at int) (n *document.Node, after int) {
	quote := p.text[at]
	n = p.newNodeAt(document.ScalarNode, "!!str", at)
	n.Style = document.SingleQuotedStyle
	if quote == '"' {
		n.Style = document.DoubleQuotedStyle
	}
	plain := true
	for i := at + 1; i < p.stop; i++ {
		switch {
		case p.text[i] == '\\' && quote == '"':
			if i+1 == p.stop || p.text[i+1] != '"' && p.text[i+1] != '\\' {
				return nil, 0
			}
			plain = false
			i++
		case p.text[i] != quote:
		case quote == '\'' && i+1 < p.stop && p.text[i+1] == '\'':
			plain = false
			i++
		default:
			n.Value = p.str[at+1 : i]
			if !plain && quote == '"' {
				n.Value = doubleQuotedUnescaper.Replace(n.Value)
			} else if !plain {
				n.Value = strings.ReplaceAll(n.Value, "''", "'")
			}
			return n, i + 1
		}
	}
	return nil, 0
}

var doubleQuotedUnescaper = strings.NewReplacer(`\"`, `"`, `\\`, `\`)

// parseLiteralBlock reads a block scalar: lines deeper than indent, unchanged.
func (p *parser) parseLiteralBlock(at, indent int) *document.Node {
	strip := at+1 < p.stop && p.text[at+1] == '-'
	header := at + 1
	if strip {
		header++
	}
	if p.offsetBeforeTrailingSpaces(header, p.stop) != header {
		return nil
	}
	n := p.newNodeAt(document.ScalarNode, "!!str", at)
	n.Style = document.LiteralStyle
	var b strings.Builder
	inner, blanks := -1, 0
	for p.next < len(p.text) {
		stop := len(p.text)
		if i := bytes.IndexByte(p.text[p.next:], '\n'); i >= 0 {
			stop = p.next + i
		}
		line := p.text[p.next:stop]
		spaces := len(line) - len(bytes.TrimLeft(line, " "))
		if spaces == len(line) {
			if inner < 0 || spaces > inner {
				return nil // leading blank lines, or spaces that are content
			}
			blanks++
		} else {
			if spaces <= indent {
				break
			}
			if inner < 0 {
				inner = spaces
			}
			if spaces < inner || stop == len(p.text) {
				return nil
			}
			for ; blanks > 0; blanks-- {
				b.WriteByte('\n')
			}
			b.Write(line[inner:])
			b.WriteByte('\n')
		}
		p.line++
		p.next = min(stop+1, len(p.text))
	}
	if inner < 0 {
		return nil
	}
	n.Value = b.String()
	if strip {
		n.Value = strings.TrimSuffix(n.Value, "\n")
	}
	p.moveToNextLine()
	return n
}
