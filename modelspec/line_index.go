package modelspec

import (
	"sort"
	"sync"
	"unicode/utf8"
)

// minIndexedTextBytes is the length in bytes from which a value has an index of its lines.
// A model may have a megabyte of text in one expression and an error at each word.
const minIndexedTextBytes = 256

// lineIndexStepBytes is the distance in bytes between the offsets whose characters are
// counted ahead.
const lineIndexStepBytes = 128

// lineIndex finds the line and column of an offset into one text without reading
// the text from its beginning. It is filled by the first search.
type lineIndex struct {
	once  sync.Once
	ends  []int // offsets of the line breaks
	runes []int // characters before each multiple of lineIndexStepBytes
}

// newLineIndex returns an index for a text, nil for a short one.
func newLineIndex(text string) *lineIndex {
	if len(text) < minIndexedTextBytes {
		return nil
	}
	return &lineIndex{}
}

// lineAndColumnAt counts the line breaks before an offset, and the characters between the last
// of them and the offset.
func (x *lineIndex) lineAndColumnAt(text string, offset int) (lines, column int) {
	x.once.Do(func() { x.indexLines(text) })
	lines = sort.SearchInts(x.ends, offset)
	begin := 0
	if lines > 0 {
		begin = x.ends[lines-1] + 1
	}
	return lines, x.countCharactersBefore(text, offset) - x.countCharactersBefore(text, begin)
}

func (x *lineIndex) indexLines(text string) {
	x.runes = make([]int, 0, len(text)/lineIndexStepBytes+1)
	count := 0
	for at := range len(text) {
		if at%lineIndexStepBytes == 0 {
			x.runes = append(x.runes, count)
		}
		if utf8.RuneStart(text[at]) {
			count++
		}
		if text[at] == '\n' {
			x.ends = append(x.ends, at)
		}
	}
	if len(text)%lineIndexStepBytes == 0 {
		x.runes = append(x.runes, count)
	}
}

// countCharactersBefore counts the characters that begin before an offset.
func (x *lineIndex) countCharactersBefore(text string, offset int) int {
	count := x.runes[offset/lineIndexStepBytes]
	for at := offset - offset%lineIndexStepBytes; at < offset; at++ {
		if utf8.RuneStart(text[at]) {
			count++
		}
	}
	return count
}
