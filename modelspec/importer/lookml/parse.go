package lookml

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/semlayer/semlayer/modelspec/importer"
	"github.com/semlayer/semlayer/modelspec/limits"
)

// block is one construct: key: name { items }, key: value, or key: [list].
type block struct {
	node   *importer.Node // the place, with the text of a value
	key    string
	name   string   // of a block in braces
	braces bool     // a block in braces
	items  []*block // of a block in braces
	list   []*block // of a list; an element is a value, or a pair with its key
	isList bool
}

// parser reads one file.
type parser struct {
	file  string
	order int
	text  string
	pos   int
	line  int
	left  int // of the limit of constructs
}

// parse reads a file of LookML. Errors are *importer.Error.
func parse(s importer.Source, order int) ([]*block, error) {
	if bytes.IndexByte(s.Text, 0) >= 0 || !utf8.Valid(s.Text) {
		return nil, &importer.Error{File: s.Name, Message: "the file is not UTF-8 text"}
	}
	p := &parser{file: s.Name, order: order, text: strings.TrimPrefix(string(s.Text), "\uFEFF"), line: 1, left: limits.ModelNodes}
	items, err := p.items(0, 0)
	if err != nil {
		return nil, err
	}
	return items, nil
}

func (p *parser) fail(line int, format string, args ...any) error {
	return &importer.Error{File: p.file, Line: line, Message: fmt.Sprintf(format, args...)}
}

func (p *parser) node(line int, text string) *importer.Node {
	return importer.NewNode(p.file, line, p.order, text)
}

// space passes over white space and comments.
func (p *parser) space() {
	for p.pos < len(p.text) {
		switch c := p.text[p.pos]; c {
		case '\n':
			p.line++
			p.pos++
		case ' ', '\t', '\r':
			p.pos++
		case '#':
			end := strings.IndexByte(p.text[p.pos:], '\n')
			if end < 0 {
				end = len(p.text) - p.pos
			}
			p.pos += end
		default:
			return
		}
	}
}

// take passes over one character, where it is the next after white space.
func (p *parser) take(c byte) bool {
	p.space()
	if p.pos < len(p.text) && p.text[p.pos] == c {
		p.pos++
		return true
	}
	return false
}

// word reads a name or a value without quotes.
func (p *parser) word() string {
	p.space()
	start := p.pos
	for p.pos < len(p.text) && !strings.ContainsRune(" \t\r\n:{}[],\"#;", rune(p.text[p.pos])) {
		p.pos++
	}
	return p.text[start:p.pos]
}

// items reads constructs to the brace that closes the block which begins at a line; at the
// top, where the line is 0, to the end of the file.
func (p *parser) items(opened, depth int) ([]*block, error) {
	if depth > limits.ModelDepth {
		return nil, p.fail(p.line, "the file is nested deeper than %d levels", limits.ModelDepth)
	}
	var out []*block
	for {
		p.space()
		switch {
		case p.pos == len(p.text) && opened == 0:
			return out, nil
		case p.pos == len(p.text):
			return nil, p.fail(opened, "the block that begins here is not closed: a } is missing")
		case p.text[p.pos] == '}' && opened == 0:
			return nil, p.fail(p.line, "this } closes no block")
		case p.text[p.pos] == '}':
			p.pos++
			return out, nil
		}
		b, err := p.construct(depth)
		if err != nil {
			return nil, err
		}
		out = append(out, b)
	}
}

// count takes a construct off the limit.
func (p *parser) count() error {
	if p.left--; p.left < 0 {
		return p.fail(p.line, "the file holds more than %d constructs", limits.ModelNodes)
	}
	return nil
}

// construct reads a key with what follows it.
func (p *parser) construct(depth int) (*block, error) {
	if err := p.count(); err != nil {
		return nil, err
	}
	key, line := p.word(), p.line
	if key == "" {
		return nil, p.fail(line, "a key is expected, not %q", p.text[p.pos:min(len(p.text), p.pos+1)])
	}
	if !p.take(':') {
		return nil, p.fail(line, "a colon is missing after %s", key)
	}
	b := &block{key: key, node: p.node(line, "")}
	if isSQL(key) {
		return p.sql(b)
	}
	p.space()
	switch {
	case p.pos == len(p.text):
		return nil, p.fail(line, "the value of %s is missing", key)
	case p.text[p.pos] == '[':
		p.pos++
		b.isList = true
		return b, p.elements(b, line, depth+1)
	case p.text[p.pos] == '"':
		text, err := p.quoted()
		b.node = p.node(line, text)
		return b, err
	}
	name := p.word()
	if p.take('{') {
		var err error
		b.name, b.braces = name, true
		b.items, err = p.items(line, depth+1)
		return b, err
	}
	if name == "" {
		return nil, p.fail(line, "the value of %s is missing", key)
	}
	b.node = p.node(line, name)
	return b, nil
}

// isSQL reports whether the value of a key ends with two semicolons.
func isSQL(key string) bool {
	return strings.HasPrefix(key, "sql") || key == "html" || strings.HasPrefix(key, "expression")
}

// sql reads a text to its two semicolons. A block of the key is read as a block.
func (p *parser) sql(b *block) (*block, error) {
	line := p.line
	end := strings.Index(p.text[p.pos:], ";;")
	if end < 0 {
		return nil, p.fail(line, "the text of %s does not end: ;; is missing", b.key)
	}
	text := p.text[p.pos : p.pos+end]
	p.pos += end + 2
	p.line += strings.Count(text, "\n")
	b.node = p.node(line, strings.TrimSpace(text))
	return b, nil
}

// quoted reads a text in quotes.
func (p *parser) quoted() (string, error) {
	line := p.line
	var out strings.Builder
	for p.pos++; p.pos < len(p.text); p.pos++ {
		switch c := p.text[p.pos]; {
		case c == '"':
			p.pos++
			return out.String(), nil
		case c == '\\' && p.pos+1 < len(p.text) && (p.text[p.pos+1] == '"' || p.text[p.pos+1] == '\\'):
			p.pos++
			out.WriteByte(p.text[p.pos])
		default:
			if c == '\n' {
				p.line++
			}
			out.WriteByte(c)
		}
	}
	return "", p.fail(line, "the text that begins here is not closed: a quote is missing")
}

// elements reads a list: values, and pairs of a key and a value.
func (p *parser) elements(b *block, opened, depth int) error {
	if depth > limits.ModelDepth {
		return p.fail(p.line, "the file is nested deeper than %d levels", limits.ModelDepth)
	}
	for !p.take(']') {
		if err := p.count(); err != nil {
			return err
		}
		if p.pos == len(p.text) {
			return p.fail(opened, "the list that begins here is not closed: a ] is missing")
		}
		element, line := &block{}, p.line
		text, err := p.value()
		if err != nil {
			return err
		}
		if p.take(':') {
			element.key = text
			if text, err = p.value(); err != nil {
				return err
			}
		}
		element.node = p.node(line, text)
		b.list = append(b.list, element)
		if p.take(',') {
			continue
		}
		p.space()
		if p.pos < len(p.text) && p.text[p.pos] != ']' {
			return p.fail(p.line, "a comma or ] is expected, not %q", p.text[p.pos:p.pos+1])
		}
	}
	return nil
}

func (p *parser) value() (string, error) {
	p.space()
	if p.pos < len(p.text) && p.text[p.pos] == '"' {
		return p.quoted()
	}
	word := p.word()
	if word == "" {
		return "", p.fail(p.line, "a value is expected")
	}
	return word, nil
}
