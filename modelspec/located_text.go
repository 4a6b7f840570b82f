package modelspec

import (
	"strings"
	"unicode/utf8"
)

// LocatedText is a scalar of the document with its position.
type LocatedText struct {
	Value    string
	Position Position

	style scalarTextStyle
	// indent is the width of the indentation of a block scalar.
	indent int
	// lines finds places in a long value; nil for a short one, which is searched.
	lines *lineIndex
}

// scalarTextStyle determines how offsets into the value map to columns of the text.
type scalarTextStyle uint8

const (
	textStylePlain        scalarTextStyle = iota // begins at the position
	textStyleQuoted                              // begins one character after the position
	textStyleLiteralBlock                        // begins on the next line
	textStyleFoldedBlock                         // line breaks are lost: only the start is known
)

// PositionAtOffset returns the position in the document of a byte offset into the value. It
// is exact for scalars on one line without escapes and for literal blocks; for
// others it is the start of the scalar.
func (t LocatedText) PositionAtOffset(offset int) Position {
	if t.Position == (Position{}) || offset < 0 || offset > len(t.Value) {
		return t.Position
	}
	return t.positionBehind(t.lineAndColumnAt(offset))
}

// PositionAt returns the position in the document of a line and a column of the value, which count from 1. It is as
// exact as PositionAtOffset.
func (t LocatedText) PositionAt(line, column int) Position {
	if t.Position == (Position{}) {
		return t.Position
	}
	return t.positionBehind(line-1, column-1)
}

func (t LocatedText) positionBehind(lines, column int) Position {
	switch {
	case t.style == textStyleLiteralBlock:
		return Position{Line: t.Position.Line + 1 + lines, Column: t.indent + 1 + column}
	case lines > 0 || t.style == textStyleFoldedBlock:
		return t.Position
	case t.style == textStyleQuoted:
		return Position{Line: t.Position.Line, Column: t.Position.Column + 1 + column}
	default:
		return Position{Line: t.Position.Line, Column: t.Position.Column + column}
	}
}

// lineAndColumnAt counts the line breaks before an offset, and the characters between the
// last of them and the offset.
func (t LocatedText) lineAndColumnAt(offset int) (lines, column int) {
	if t.lines != nil {
		return t.lines.lineAndColumnAt(t.Value, offset)
	}
	before := t.Value[:offset]
	return strings.Count(before, "\n"), utf8.RuneCountInString(before[strings.LastIndexByte(before, '\n')+1:])
}

// positionOfOffset turns a byte offset of a text into line and column.
func positionOfOffset(text []byte, offset int) Position {
	p := Position{Line: 1, Column: 1}
	for _, r := range string(text[:min(offset, len(text))]) {
		if r == '\n' {
			p.Line++
			p.Column = 1
		} else {
			p.Column++
		}
	}
	return p
}
