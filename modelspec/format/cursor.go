package format

import (
	"strings"
	"unicode/utf8"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/internal/layout"
)

// cursor is a place in the text that only goes forward.
type cursor struct {
	text  string
	pos   int
	blank bool // an empty line since the last token or comment

	// The last place that a line and a column were turned into.
	line, lineStart, column, columnPos int

	counted, nowStart int // the offset up to which lines are counted, and where the last begins
}

func newCursor(text string) cursor { return cursor{text: text, line: 1, column: 1} }

// offset turns a line and a column, which begin at 1, into an offset. Lines only grow.
func (c *cursor) offset(line, column int) int {
	for c.line < line {
		end := strings.IndexByte(c.text[c.lineStart:], '\n')
		if end < 0 {
			return len(c.text)
		}
		c.lineStart += end + 1
		c.line++
		c.column, c.columnPos = 1, c.lineStart
	}
	if column < c.column {
		c.column, c.columnPos = 1, c.lineStart
	}
	for c.column < column && c.columnPos < len(c.text) {
		_, size := utf8.DecodeRuneInString(c.text[c.columnPos:])
		c.columnPos += size
		c.column++
	}
	return c.columnPos
}

// columnOf counts the characters before an offset in its line.
func (c *cursor) columnOf(pos int) int {
	return utf8.RuneCountInString(c.text[strings.LastIndexByte(c.text[:pos], '\n')+1 : pos])
}

func (c *cursor) atLineStart() bool { return c.pos == 0 || c.text[c.pos-1] == '\n' }

// atMarker reports whether a line with --- or ... begins here.
func (c *cursor) atMarker(marker string) bool {
	rest := c.text[c.pos:]
	return c.atLineStart() && strings.HasPrefix(rest, marker) && (len(rest) == 3 || strings.IndexByte(" \t\n", rest[3]) >= 0)
}

// skipSpace passes over spaces and line ends up to an offset, and notes empty lines.
func (c *cursor) skipSpace(until int) {
	for c.pos < until {
		switch c.text[c.pos] {
		case '\n':
			// The line that ends here is empty if only spaces are before it.
			start := strings.LastIndexByte(c.text[:c.pos], '\n') + 1
			if strings.Trim(c.text[start:c.pos], " \t") == "" {
				c.blank = true
			}
		case ' ', '\t':
		default:
			return
		}
		c.pos++
	}
}

// takeBlank returns whether an empty line was passed, and forgets it.
func (c *cursor) takeBlank() bool {
	blank := c.blank
	c.blank = false
	return blank
}

// restOfLine returns the rest of the line and passes over it.
func (c *cursor) restOfLine() string {
	end := strings.IndexByte(c.text[c.pos:], '\n')
	if end < 0 {
		end = len(c.text) - c.pos
	}
	rest := c.text[c.pos : c.pos+end]
	c.pos += end
	return rest
}

func (c *cursor) unexpected() *modelspec.LoadError {
	line := strings.Count(c.text[:c.pos], "\n") + 1
	what := "the end of the text"
	if r, size := utf8.DecodeRuneInString(c.text[c.pos:]); size > 0 {
		what = string(r)
	}
	return failure(line, c.columnOf(c.pos)+1, "the text cannot be formatted: %q is not expected here", what)
}

// token notes that a part of an entry ends here.
func (b *builder) token(owner *layout.Entry) {
	b.last, b.lastLine = owner, b.lineNow()
	b.takeBlank()
}

// lineNow is the offset of the beginning of the line, which identifies it.
func (c *cursor) lineNow() int {
	if end := strings.LastIndexByte(c.text[c.counted:c.pos], '\n'); end >= 0 {
		c.nowStart = c.counted + end + 1
	}
	c.counted = c.pos
	return c.nowStart
}

// takeComment reads the comment that begins here. One on the line of a token belongs to the
// token's entry.
func (b *builder) takeComment() {
	line, column := b.lineNow(), b.columnOf(b.pos)
	text := strings.TrimRight(b.restOfLine(), " \t")
	blank := b.takeBlank()
	if b.last != nil && b.lastLine == line {
		b.last.Tail = append(b.last.Tail, text)
		return
	}
	b.pending = append(b.pending, pending{layout.Comment{Text: text, Blank: blank}, column})
}

// gap passes over what is between two values, up to the offset at which the second begins.
func (b *builder) gap(until int) error {
	for {
		b.skipSpace(until)
		if b.pos >= until {
			if b.pos > until {
				return b.unexpected()
			}
			return nil
		}
		switch {
		case b.text[b.pos] == '#':
			b.takeComment()
		case b.atMarker("..."):
			b.pos += 3
			b.last = nil
		case strings.IndexByte("-?:,", b.text[b.pos]) >= 0:
			b.pos++
		default:
			return b.unexpected()
		}
	}
}

// skipComments passes over spaces and comments.
func (b *builder) skipComments() {
	for b.skipSpace(len(b.text)); b.pos < len(b.text) && b.text[b.pos] == '#'; b.skipSpace(len(b.text)) {
		b.takeComment()
	}
}

// gapToBracket passes over what is between the last value and the bracket that closes its
// collection.
func (b *builder) gapToBracket() {
	b.skipComments()
	for b.pos < len(b.text) && strings.IndexByte("?:,", b.text[b.pos]) >= 0 {
		b.pos++
		b.skipComments()
	}
}
