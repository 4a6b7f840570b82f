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
	// limited is set where a limit ended the reading: the text has no mistake.
	limited bool
}

// parseFile reads a file of LookML. Errors are *importer.Error.
func parseFile(s importer.SourceFile, order int) ([]*block, error) {
	if bytes.IndexByte(s.Text, 0) >= 0 || !utf8.Valid(s.Text) {
		return nil, &importer.Error{File: s.Name, Message: "the file is not UTF-8 text"}
	}
	p := &parser{file: s.Name, order: order, text: strings.TrimPrefix(string(s.Text), "\uFEFF"), line: 1, left: limits.ModelNodes}
	items, err := p.parseItems(0, 0)
	if err != nil && !p.limited {
		err = mistakesOfFile(p, err)
	}
	return items, err
}

func (p *parser) newError(line int, format string, args ...any) error {
	return &importer.Error{File: p.file, Line: line, Message: fmt.Sprintf(format, args...)}
}

func (p *parser) newLimitError(format string, args ...any) error {
	p.limited = true
	return p.newError(p.line, format, args...)
}

func (p *parser) newNode(line int, text string) *importer.Node {
	return importer.NewInputTextNode(p.file, line, p.order, text)
}

// skipSpace passes over white space and comments.
func (p *parser) skipSpace() {
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

// acceptChar passes over one character, where it is the next after white space.
func (p *parser) acceptChar(c byte) bool {
	p.skipSpace()
	if p.pos < len(p.text) && p.text[p.pos] == c {
		p.pos++
		return true
	}
	return false
}

// parseWord reads a name or a value without quotes.
func (p *parser) parseWord() string {
	p.skipSpace()
	start := p.pos
	for p.pos < len(p.text) && !strings.ContainsRune(" \t\r\n:{}[],\"#;", rune(p.text[p.pos])) {
		p.pos++
	}
	return p.text[start:p.pos]
}

// parseItems reads constructs to the brace that closes the block which begins at a line; at the
// top, where the line is 0, to the end of the file.
func (p *parser) parseItems(opened, depth int) ([]*block, error) {
	if depth > limits.ModelDepth {
		return nil, p.newLimitError("the file is nested deeper than %d levels", limits.ModelDepth)
	}
	var out []*block
	for {
		p.skipSpace()
		switch {
		case p.pos == len(p.text) && opened == 0:
			return out, nil
		case p.pos == len(p.text):
			return nil, p.newError(opened, "the block that begins here is not closed: a } is missing")
		case p.text[p.pos] == '}' && opened == 0:
			return nil, p.newError(p.line, "this } closes no block")
		case p.text[p.pos] == '}':
			p.pos++
			return out, nil
		}
		b, err := p.parseConstruct(depth)
		if err != nil {
			return nil, err
		}
		out = append(out, b)
	}
}

// countConstructAgainstLimit takes a construct off the limit.
func (p *parser) countConstructAgainstLimit() error {
	if p.left--; p.left < 0 {
		return p.newLimitError("the file holds more than %d constructs", limits.ModelNodes)
	}
	return nil
}

// parseConstruct reads a key with what follows it.
func (p *parser) parseConstruct(depth int) (*block, error) {
	if err := p.countConstructAgainstLimit(); err != nil {
		return nil, err
	}
	key, line := p.parseWord(), p.line
	if key == "" {
		return nil, p.newError(line, "a key is expected, not %q", p.text[p.pos:min(len(p.text), p.pos+1)])
	}
	if !p.acceptChar(':') {
		return nil, p.newError(line, "a colon is missing after %s", key)
	}
	b := &block{key: key, node: p.newNode(line, "")}
	if isSQLKey(key) {
		return p.parseSQLValue(b)
	}
	p.skipSpace()
	switch {
	case p.pos == len(p.text):
		return nil, p.newError(line, "the value of %s is missing", key)
	case p.text[p.pos] == '[':
		p.pos++
		b.isList = true
		return b, p.parseListElements(b, line, depth+1)
	case p.text[p.pos] == '"':
		text, err := p.parseQuotedString()
		b.node = p.newNode(line, text)
		return b, err
	}
	name := p.parseWord()
	if p.acceptChar('{') {
		var err error
		b.name, b.braces = name, true
		b.items, err = p.parseItems(line, depth+1)
		return b, err
	}
	if name == "" {
		return nil, p.newError(line, "the value of %s is missing", key)
	}
	b.node = p.newNode(line, name)
	return b, nil
}

// isSQLKey reports whether the value of a key ends with two semicolons.
func isSQLKey(key string) bool {
	return strings.HasPrefix(key, "sql") || key == "html" || strings.HasPrefix(key, "expression")
}

// parseSQLValue reads a text to its two semicolons. A block of the key is read as a block.
func (p *parser) parseSQLValue(b *block) (*block, error) {
	line := p.line
	end := strings.Index(p.text[p.pos:], ";;")
	if end < 0 {
		return nil, p.newError(line, "the text of %s does not end: ;; is missing", b.key)
	}
	text := p.text[p.pos : p.pos+end]
	p.pos += end + 2
	p.line += strings.Count(text, "\n")
	b.node = p.newNode(line, strings.TrimSpace(text))
	return b, nil
}

// parseQuotedString reads a text in quotes.
func (p *parser) parseQuotedString() (string, error) {
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
	return "", p.newError(line, "the text that begins here is not closed: a quote is missing")
}

// parseListElements reads a list: values, and pairs of a key and a value.
func (p *parser) parseListElements(b *block, opened, depth int) error {
	if depth > limits.ModelDepth {
		return p.newLimitError("the file is nested deeper than %d levels", limits.ModelDepth)
	}
	p.acceptChar(',') // a list may begin with one
	for !p.acceptChar(']') {
		if err := p.countConstructAgainstLimit(); err != nil {
			return err
		}
		if p.pos == len(p.text) {
			return p.newError(opened, "the list that begins here is not closed: a ] is missing")
		}
		element, line := &block{}, p.line
		text, err := p.parseValue()
		if err != nil {
			return err
		}
		if p.acceptChar(':') {
			element.key = text
			if text, err = p.parseValue(); err != nil {
				return err
			}
		}
		element.node = p.newNode(line, text)
		b.list = append(b.list, element)
		if p.acceptChar(',') {
			continue
		}
		p.skipSpace()
		if p.pos < len(p.text) && p.text[p.pos] != ']' {
			return p.newError(p.line, "a comma or ] is expected, not %q", p.text[p.pos:p.pos+1])
		}
	}
	return nil
}

func (p *parser) parseValue() (string, error) {
	p.skipSpace()
	if p.pos < len(p.text) && p.text[p.pos] == '"' {
		return p.parseQuotedString()
	}
	word := p.parseWord()
	if word == "" {
		return "", p.newError(p.line, "a value is expected")
	}
	return word, nil
}
