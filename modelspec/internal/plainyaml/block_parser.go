package plainyaml

import (
	"bytes"
	"unicode/utf8"

	"github.com/semlayer/semlayer/modelspec/document"
)

// maxDepth is below what callers accept, so that the limit is theirs to report.
const maxDepth = 60

// Parse reads a text into the root node of its document. Comments, and the
// styles of collections, are not kept. ok is false when the text is not plain.
func Parse(b *document.TreeBuilder, text []byte) (root *document.Node, ok bool) {
	if !hasOnlyPlainCharacters(text) {
		return nil, false
	}
	p := &parser{TreeBuilder: b, text: text, str: string(text)}
	p.moveToNextLine()
	if p.indent == 0 && p.lineWithoutIndent() == "---" {
		p.moveToNextLine()
	}
	if p.end {
		return nil, false
	}
	root = p.parseBlock(p.indent, 0)
	if root == nil || !p.end {
		return nil, false
	}
	return root, true
}

// hasOnlyPlainCharacters reports whether a text holds nothing that YAML gives a special
// treatment: controls other than the line feed, and Unicode's line breaks.
func hasOnlyPlainCharacters(text []byte) bool {
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
	*document.TreeBuilder
	text   []byte
	str    string // the text again: values are parts of it
	start  int    // offset of the line
	stop   int    // offset of its end, the line feed excluded
	next   int    // offset of the line after
	line   int    // from 1
	indent int    // spaces before the content
	end    bool

	counted, column int // the column of an offset of the line, counted once
}

// moveToNextLine moves to the next line that is neither blank nor a comment.
func (p *parser) moveToNextLine() {
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

// lineWithoutIndent returns the line without its indentation.
func (p *parser) lineWithoutIndent() string {
	if p.end {
		return ""
	}
	return p.str[p.start+p.indent : p.stop]
}

// newNodeAt makes a node that begins at an offset of the current line.
func (p *parser) newNodeAt(kind document.Kind, tag string, at int) *document.Node {
	if at < p.counted {
		p.counted, p.column = p.start, 1
	}
	p.column += utf8.RuneCount(p.text[p.counted:at])
	p.counted = at
	return p.NewNode(kind, tag, p.line, p.column)
}

// parseBlock reads the collection whose lines are indented by indent. nil: not plain.
func (p *parser) parseBlock(indent, depth int) *document.Node {
	if depth > maxDepth || p.end {
		return nil
	}
	at := p.start + p.indent
	if p.isListItemStart(at) {
		return p.parseList(indent, depth)
	}
	return p.parseMapping(p.newNodeAt(document.MappingNode, "!!map", at), at, indent, depth)
}

// isListItemStart reports whether a list item begins at an offset of the line.
func (p *parser) isListItemStart(at int) bool {
	return p.text[at] == '-' && (at+1 == p.stop || p.text[at+1] == ' ')
}

func (p *parser) parseList(indent, depth int) *document.Node {
	list := p.newNodeAt(document.SequenceNode, "!!seq", p.start+p.indent)
	mark := p.BeginChildren()
	for !p.end && p.indent == indent && p.isListItemStart(p.start+p.indent) {
		item := p.parseListItemValue(indent, depth)
		if item == nil {
			return nil
		}
		p.AddChild(item)
	}
	p.Close(list, mark)
	if !p.end && p.indent > indent {
		return nil
	}
	return list
}

// parseListItemValue reads what follows a dash: a mapping on the same line or below, or a
// scalar.
func (p *parser) parseListItemValue(indent, depth int) *document.Node {
	at := p.start + indent + 1
	for at < p.stop && p.text[at] == ' ' {
		at++
	}
	if at == p.stop || p.text[at] == '#' {
		p.moveToNextLine()
		if p.indent <= indent {
			return nil // a null item
		}
		return p.parseBlock(p.indent, depth+1)
	}
	if p.isListItemStart(at) {
		return nil
	}
	if _, _, ok := p.findKeyEnd(at); ok {
		column := at - p.start
		return p.parseMapping(p.newNodeAt(document.MappingNode, "!!map", at), at, column, depth+1)
	}
	return p.parseInlineValue(at, indent, depth+1)
}

// parseMapping reads entries at one indentation; the first begins at an offset of the
// current line.
func (p *parser) parseMapping(n *document.Node, at, indent, depth int) *document.Node {
	if depth > maxDepth {
		return nil
	}
	mark := p.BeginChildren()
	for {
		end, value, ok := p.findKeyEnd(at)
		if !ok {
			return nil
		}
		key := p.newScalarNode(at, end)
		v := p.parseEntryValue(value, indent, depth)
		if v == nil {
			return nil
		}
		p.AddChild(key, v)
		if at = p.start + p.indent; p.end || p.indent < indent || p.indent == indent && p.isListItemStart(at) {
			p.Close(n, mark) // a list at this indentation belongs to an enclosing key
			return n
		}
		if p.indent > indent {
			return nil
		}
	}
}

// findKeyEnd finds a plain key at an offset: its end, and where its value begins.
func (p *parser) findKeyEnd(at int) (end, value int, ok bool) {
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

// parseEntryValue reads the value of a key.
func (p *parser) parseEntryValue(at, indent, depth int) *document.Node {
	if at < p.stop && p.text[at] != '#' {
		return p.parseInlineValue(at, indent, depth+1)
	}
	p.moveToNextLine()
	switch {
	case p.end || p.indent < indent:
		return nil // an empty value
	case p.indent == indent:
		// A list may have the indentation of its key.
		if p.isListItemStart(p.start + p.indent) {
			return p.parseList(indent, depth+1)
		}
		return nil
	}
	return p.parseBlock(p.indent, depth+1)
}

func isWordStart(b byte) bool { return b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b == '_' }

func isDigit(b byte) bool { return b >= '0' && b <= '9' }
