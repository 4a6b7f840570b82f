package plainyaml

import (
	"bytes"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"github.com/semlayer/semlayer/modelspec/internal/nodes"
)

// maxDepth is below what callers accept, so that the limit is theirs to report.
const maxDepth = 60

// Parse reads a text into the root node of its document. Comments, and the
// styles of collections, are not kept. ok is false when the text is not plain.
func Parse(text []byte) (root *nodes.Node, ok bool) {
	if !isPrintable(text) {
		return nil, false
	}
	p := &parser{text: text, str: string(text), asked: yaml.Node{Kind: yaml.ScalarNode}}
	p.nextLine()
	if p.indent == 0 && p.content() == "---" {
		p.nextLine()
	}
	if p.end {
		return nil, false
	}
	root = p.block(p.indent, 0)
	if root == nil || !p.end {
		return nil, false
	}
	return root, true
}

// isPrintable reports whether a text holds nothing that YAML gives a special
// treatment: controls other than the line feed, and Unicode's line breaks.
func isPrintable(text []byte) bool {
	for i := 0; i < len(text); {
		b := text[i]
		if b < utf8.RuneSelf {
			if b < ' ' && b != '\n' || b == 0x7f {
				return false
			}
			i++
			continue
		}
		r, size := utf8.DecodeRune(text[i:])
		switch {
		case r == utf8.RuneError && size == 1, r < 0xA0, r == 0x2028, r == 0x2029, r == 0xFEFF, r >= 0xFFFE && r <= 0xFFFF:
			return false
		}
		i += size
	}
	return true
}

// parser is at one line that is not empty, or at the end.
type parser struct {
	nodes.Builder
	text   []byte
	str    string // the text again: values are parts of it
	start  int    // offset of the line
	stop   int    // offset of its end, the line feed excluded
	next   int    // offset of the line after
	line   int    // from 1
	indent int    // spaces before the content
	end    bool

	counted, column int // the column of an offset of the line, counted once

	asked yaml.Node // a scalar whose type the library is asked for
}

// nextLine moves to the next line that is neither blank nor a comment.
func (p *parser) nextLine() {
	for {
		if p.next >= len(p.text) {
			p.end = true
			p.indent = -1
			return
		}
		p.line++
		p.start = p.next
		p.counted, p.column = p.start, 1
		p.stop = len(p.text)
		p.next = len(p.text)
		if i := bytes.IndexByte(p.text[p.start:], '\n'); i >= 0 {
			p.stop = p.start + i
			p.next = p.stop + 1
		}
		p.indent = 0
		for p.start+p.indent < p.stop && p.text[p.start+p.indent] == ' ' {
			p.indent++
		}
		if at := p.start + p.indent; at < p.stop && p.text[at] != '#' {
			return
		}
	}
}

// content is the line without its indentation.
func (p *parser) content() string {
	if p.end {
		return ""
	}
	return p.str[p.start+p.indent : p.stop]
}

// node makes a node that begins at an offset of the current line.
func (p *parser) node(kind yaml.Kind, tag string, at int) *nodes.Node {
	if at < p.counted {
		p.counted, p.column = p.start, 1
	}
	p.column += utf8.RuneCount(p.text[p.counted:at])
	p.counted = at
	return p.New(kind, tag, p.line, p.column)
}

// block reads the collection whose lines are indented by indent. nil: not plain.
func (p *parser) block(indent, depth int) *nodes.Node {
	if depth > maxDepth || p.end {
		return nil
	}
	at := p.start + p.indent
	if p.isItem(at) {
		return p.list(indent, depth)
	}
	return p.mapping(p.node(yaml.MappingNode, "!!map", at), at, indent, depth)
}

// isItem reports whether a list item begins at an offset of the line.
func (p *parser) isItem(at int) bool {
	return p.text[at] == '-' && (at+1 == p.stop || p.text[at+1] == ' ')
}

func (p *parser) list(indent, depth int) *nodes.Node {
	list := p.node(yaml.SequenceNode, "!!seq", p.start+p.indent)
	mark := p.Mark()
	for !p.end && p.indent == indent && p.isItem(p.start+p.indent) {
		item := p.item(indent, depth)
		if item == nil {
			return nil
		}
		p.Add(item)
	}
	p.Close(list, mark)
	if !p.end && p.indent > indent {
		return nil
	}
	return list
}

// item reads what follows a dash: a mapping on the same line or below, or a
// scalar.
func (p *parser) item(indent, depth int) *nodes.Node {
	at := p.start + indent + 1
	for at < p.stop && p.text[at] == ' ' {
		at++
	}
	if at == p.stop || p.text[at] == '#' {
		p.nextLine()
		if p.indent <= indent {
			return nil // a null item
		}
		return p.block(p.indent, depth+1)
	}
	if p.isItem(at) {
		return nil
	}
	if _, _, ok := p.key(at); ok {
		column := at - p.start
		return p.mapping(p.node(yaml.MappingNode, "!!map", at), at, column, depth+1)
	}
	return p.inlineValue(at, indent, depth+1)
}

// mapping reads entries at one indentation; the first begins at an offset of the
// current line.
func (p *parser) mapping(n *nodes.Node, at, indent, depth int) *nodes.Node {
	if depth > maxDepth {
		return nil
	}
	mark := p.Mark()
	for {
		end, value, ok := p.key(at)
		if !ok {
			return nil
		}
		key := p.scalar(at, end)
		v := p.entryValue(value, indent, depth)
		if v == nil {
			return nil
		}
		p.Add(key, v)
		if at = p.start + p.indent; p.end || p.indent < indent || p.indent == indent && p.isItem(at) {
			p.Close(n, mark) // a list at this indentation belongs to an enclosing key
			return n
		}
		if p.indent > indent {
			return nil
		}
	}
}

// key finds a plain key at an offset: its end, and where its value begins.
func (p *parser) key(at int) (end, value int, ok bool) {
	if at >= p.stop || !isWordStart(p.text[at]) {
		return 0, 0, false
	}
	for end = at + 1; end < p.stop && (isWordStart(p.text[end]) || isDigit(p.text[end]) || p.text[end] == '-'); {
		end++
	}
	if end >= p.stop || p.text[end] != ':' || end-at > 1000 {
		return 0, 0, false
	}
	value = end + 1
	if value < p.stop && p.text[value] != ' ' {
		return 0, 0, false
	}
	for value < p.stop && p.text[value] == ' ' {
		value++
	}
	return end, value, true
}

// entryValue reads the value of a key.
func (p *parser) entryValue(at, indent, depth int) *nodes.Node {
	if at < p.stop && p.text[at] != '#' {
		return p.inlineValue(at, indent, depth+1)
	}
	p.nextLine()
	switch {
	case p.end || p.indent < indent:
		return nil // an empty value
	case p.indent == indent:
		// A list may have the indentation of its key.
		if p.isItem(p.start + p.indent) {
			return p.list(indent, depth+1)
		}
		return nil
	}
	return p.block(p.indent, depth+1)
}

func isWordStart(b byte) bool { return b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b == '_' }

func isDigit(b byte) bool { return b >= '0' && b <= '9' }
