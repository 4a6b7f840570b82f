package modelspec

import (
	"sort"
	"sync"
	"unicode/utf8"
)

// minIndexedLength is the length in bytes from which a value has an index of its lines.
// A model may have a megabyte of text in one expression and an error at each word.
const minIndexedLength = 256

// indexStep is the distance in bytes between the offsets whose characters are
// counted ahead.
const indexStep = 128

// lineIndex finds the line and column of an offset into one text without reading
// the text from its beginning. It is filled by the first search.
type lineIndex struct {
	once  sync.Once
	ends  []int // offsets of the line breaks
	runes []int // characters before each multiple of indexStep
}

// newLineIndex returns an index for a text, nil for a short one.
func newLineIndex(text string) *lineIndex {
	if len(text) < minIndexedLength {
		return nil
	}
	return &lineIndex{}
}

// find counts the line breaks before an offset, and the characters between the last
// of them and the offset.
func (x *lineIndex) find(text string, offset int) (lines, column int) {
	x.once.Do(func() { x.indexLines(text) })
	lines = sort.SearchInts(x.ends, offset)
	begin := 0
	if lines > 0 {
		begin = x.ends[lines-1] + 1
	}
	return lines, x.lineStartBefore(text, offset) - x.lineStartBefore(text, begin)
}

func (x *lineIndex) indexLines(text string) {
	x.runes = make([]int, 0, len(text)/indexStep+1)
	count := 0
	for at := range len(text) {
		if at%indexStep == 0 {
			x.runes = append(x.runes, count)
		}
		if utf8.RuneStart(text[at]) {
			count++
		}
		if text[at] == '\n' {
			x.ends = append(x.ends, at)
		}
	}
	if len(text)%indexStep == 0 {
		x.runes = append(x.runes, count)
	}
}

// lineStartBefore counts the characters that begin before an offset.
func (x *lineIndex) lineStartBefore(text string, offset int) int {
	count := x.runes[offset/indexStep]
	for at := offset - offset%indexStep; at < offset; at++ {
		if utf8.RuneStart(text[at]) {
			count++
		}
	}
	return count
}
