package format

import (
	"strings"
	"unicode/utf8"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/document"
	"github.com/semlayer/semlayer/modelspec/internal/layout"
)

// textCursor is a place in the text that only goes forward.
type textCursor struct {
	text  string
	pos   int
	blank bool // an empty line since the last token or comment

	// The last place that a line and a column were turned into.
	line, lineStart, column, columnPos int

	counted, nowStart int // the offset up to which lines are counted, and where the last begins
}

func newTextCursor(text string) textCursor { return textCursor{text: text, line: 1, column: 1} }

// offsetOfPosition turns a line and a column, which begin at 1, into an offset. Lines only grow.
func (c *textCursor) offsetOfPosition(line, column int) int {
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

func (c *textCursor) offsetOfNode(n *document.Node) int {
	return c.offsetOfPosition(int(n.Line), int(n.Column))
}

// columnOfOffset counts the characters before an offset in its line.
func (c *textCursor) columnOfOffset(pos int) int {
	return utf8.RuneCountInString(c.text[strings.LastIndexByte(c.text[:pos], '\n')+1 : pos])
}

func (c *textCursor) isAtLineStart() bool { return c.pos == 0 || c.text[c.pos-1] == '\n' }

// isAtDocumentMarker reports whether a line with --- or ... begins here.
func (c *textCursor) isAtDocumentMarker(marker string) bool {
	rest := c.text[c.pos:]
	return c.isAtLineStart() && strings.HasPrefix(rest, marker) && (len(rest) == 3 || strings.IndexByte(" \t\n", rest[3]) >= 0)
}

// skipSpace passes over spaces and line ends up to an offset, and notes empty lines.
func (c *textCursor) skipSpace(until int) {
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

// consumeBlankLineFlag returns whether an empty line was passed, and forgets it.
func (c *textCursor) consumeBlankLineFlag() bool {
	blank := c.blank
	c.blank = false
	return blank
}

// readRestOfLine returns the rest of the line and passes over it.
func (c *textCursor) readRestOfLine() string {
	end := strings.IndexByte(c.text[c.pos:], '\n')
	if end < 0 {
		end = len(c.text) - c.pos
	}
	rest := c.text[c.pos : c.pos+end]
	c.pos += end
	return rest
}

func (c *textCursor) unexpectedCharacterError() *modelspec.LoadError {
	line := strings.Count(c.text[:c.pos], "\n") + 1
	what := "the end of the text"
	if r, size := utf8.DecodeRuneInString(c.text[c.pos:]); size > 0 {
		what = string(r)
	}
	return newParseError(line, c.columnOfOffset(c.pos)+1, "the text cannot be formatted: %q is not expected here", what)
}

// noteEndOfEntryPart notes that a part of an entry ends here.
func (b *documentReader) noteEndOfEntryPart(owner *layout.Entry) {
	b.last, b.lastLine = owner, b.currentLineStart()
	b.consumeBlankLineFlag()
}

// currentLineStart returns the offset of the beginning of the line, which identifies it.
func (c *textCursor) currentLineStart() int {
	if end := strings.LastIndexByte(c.text[c.counted:c.pos], '\n'); end >= 0 {
		c.nowStart = c.counted + end + 1
	}
	c.counted = c.pos
	return c.nowStart
}

// readComment reads the comment that begins here. One on the line of a token belongs to the
// token's entry.
func (b *documentReader) readComment() {
	line, column := b.currentLineStart(), b.columnOfOffset(b.pos)
	text := strings.TrimRight(b.readRestOfLine(), " \t")
	blank := b.consumeBlankLineFlag()
	if b.last != nil && b.lastLine == line {
		b.last.Tail = append(b.last.Tail, text)
		return
	}
	b.pending = append(b.pending, pendingComment{layout.Comment{Text: text, Blank: blank}, column})
}

// skipToOffset passes over what is between two values, up to the offset at which the second begins.
func (b *documentReader) skipToOffset(until int) error {
	for {
		b.skipSpace(until)
		if b.pos >= until {
			if b.pos > until {
				return b.unexpectedCharacterError()
			}
			return nil
		}
		switch {
		case b.text[b.pos] == '#':
			b.readComment()
		case b.isAtDocumentMarker("..."):
			b.pos += 3
			b.last = nil
		case strings.IndexByte("-?:,", b.text[b.pos]) >= 0:
			b.pos++
		default:
			return b.unexpectedCharacterError()
		}
	}
}

// readCommentsAndSpace passes over spaces and comments.
func (b *documentReader) readCommentsAndSpace() {
	for b.skipSpace(len(b.text)); b.pos < len(b.text) && b.text[b.pos] == '#'; b.skipSpace(len(b.text)) {
		b.readComment()
	}
}

// skipToClosingBracket passes over what is between the last value and the bracket that closes its
// collection.
func (b *documentReader) skipToClosingBracket() {
	b.readCommentsAndSpace()
	for b.pos < len(b.text) && strings.IndexByte("?:,", b.text[b.pos]) >= 0 {
		b.pos++
		b.readCommentsAndSpace()
	}
}
