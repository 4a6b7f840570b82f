package format

import (
	"strings"

	"github.com/semlayer/semlayer/modelspec/document"
	"github.com/semlayer/semlayer/modelspec/internal/layout"
)

// readScalar reads the characters of a scalar. Its extent follows from the value, which the
// library has read already.
func (b *documentReader) readScalar(n *document.Node, out *layout.Node, owner *layout.Entry, indent int) error {
	out.Value = n.Value
	switch {
	case n.Style&(document.LiteralStyle|document.FoldedStyle) != 0:
		out.Style = layout.LiteralStyle
		if n.Style&document.FoldedStyle != 0 {
			out.Style = layout.FoldedStyle
		}
		return b.readBlockScalar(out, owner, indent)
	case n.Style&document.SingleQuotedStyle != 0:
		out.Style = layout.SingleQuotedStyle
		return b.readQuotedScalar(out, '\'')
	case n.Style&document.DoubleQuotedStyle != 0:
		out.Style = layout.DoubleQuotedStyle
		return b.readQuotedScalar(out, '"')
	}
	start := b.pos
	for _, c := range []byte(n.Value) {
		if c == ' ' || c == '\n' || c == '\t' {
			continue
		}
		for b.pos < len(b.text) && strings.IndexByte(" \t\n", b.text[b.pos]) >= 0 {
			b.pos++
		}
		if b.pos >= len(b.text) || b.text[b.pos] != c {
			return b.unexpectedCharacterError()
		}
		b.pos++
	}
	out.Lines = splitScalarLines(b.text[start:b.pos], false)
	return nil
}

// readQuotedScalar reads a scalar in quotes.
func (b *documentReader) readQuotedScalar(out *layout.Node, quote byte) error {
	start := b.pos
	if b.pos >= len(b.text) || b.text[b.pos] != quote {
		return b.unexpectedCharacterError()
	}
	for b.pos++; ; b.pos++ {
		if b.pos >= len(b.text) {
			return b.unexpectedCharacterError()
		}
		switch c := b.text[b.pos]; {
		case c == '\\' && quote == '"':
			b.pos++
		case c != quote:
		case quote == '\'' && strings.HasPrefix(b.text[b.pos:], "''"):
			b.pos++
		default:
			b.pos++
			out.Lines = splitScalarLines(b.text[start:b.pos], quote == '"')
			return nil
		}
	}
}

// splitScalarLines splits a scalar that is written on several lines; nil for one line. Spaces at
// the ends of lines do not count, unless a backslash keeps them.
func splitScalarLines(text string, escapes bool) []string {
	if !strings.Contains(text, "\n") {
		return nil
	}
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		trimmed := strings.TrimRight(line, " \t")
		if escapes && len(trimmed) < len(line) && strings.HasSuffix(trimmed, `\`) {
			trimmed = line[:len(trimmed)+1]
		}
		if i > 0 {
			trimmed = strings.TrimLeft(trimmed, " \t")
		}
		lines[i] = trimmed
	}
	return lines
}

// readBlockScalar reads a scalar that begins with | or >.
func (b *documentReader) readBlockScalar(out *layout.Node, owner *layout.Entry, indent int) error {
	if b.pos >= len(b.text) || b.text[b.pos] != '|' && b.text[b.pos] != '>' {
		return b.unexpectedCharacterError()
	}
	width := 0 // of the indentation; 0 until it is known
	for b.pos++; b.pos < len(b.text) && strings.IndexByte("+-123456789", b.text[b.pos]) >= 0; b.pos++ {
		switch c := b.text[b.pos]; c {
		case '+':
			out.Keep = true
		case '-':
		default:
			width = max(indent, 0) + int(c-'0')
		}
	}
	b.noteEndOfEntryPart(owner)
	for b.pos < len(b.text) && (b.text[b.pos] == ' ' || b.text[b.pos] == '\t') {
		b.pos++
	}
	if b.pos < len(b.text) && b.text[b.pos] == '#' {
		b.readComment()
	}
	if b.pos < len(b.text) && b.text[b.pos] != '\n' {
		return b.unexpectedCharacterError()
	}
	b.readBlockScalarLines(out, indent, width)
	return nil
}

// readBlockScalarLines reads the lines of a block scalar, from the end of the line before them to the
// end of the last one.
func (b *documentReader) readBlockScalarLines(out *layout.Node, indent, width int) {
	rest := b.text[b.pos:]
	if width == 0 {
		width = blockScalarIndent(rest, indent)
	}
	end, lines := 0, 0 // of the last line that counts
	for at := 0; at+1 < len(rest); {
		line := rest[at+1:]
		if i := strings.IndexByte(line, '\n'); i >= 0 {
			line = line[:i]
		}
		spaces := len(line) - len(strings.TrimLeft(line, " "))
		empty := spaces == len(line) && spaces <= width
		if !empty && spaces < width {
			break
		}
		at += 1 + len(line)
		out.Lines = append(out.Lines, line[min(width, len(line)):])
		if !empty || out.Keep {
			end, lines = at, len(out.Lines)
		}
	}
	b.pos += end
	out.Keep = strings.HasSuffix(out.Value, "\n\n")
	out.Lines = out.Lines[:lines]
	if strings.Trim(out.Value, "\n") == "" {
		out.Lines, out.Keep = nil, false // written in quotes
	}
}

// blockScalarIndent returns the indentation of a block scalar that does not give it: that of its first
// line with content, or more where an empty line before it has more.
func blockScalarIndent(rest string, indent int) int {
	width := 0
	for rest != "" {
		line := rest[1:]
		if i := strings.IndexByte(line, '\n'); i >= 0 {
			line = line[:i]
		}
		rest = rest[1+len(line):]
		width = max(width, len(line)-len(strings.TrimLeft(line, " ")))
		if strings.TrimLeft(line, " ") != "" {
			break
		}
	}
	return max(width, indent+1, 1)
}
