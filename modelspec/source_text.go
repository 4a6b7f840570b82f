package modelspec

import (
	"errors"
	"strconv"
	"strings"

	"github.com/semlayer/semlayer/modelspec/lexical"
)

// maxOuterParentheses bounds the pairs around a source, because the text is read again within each.
const maxOuterParentheses = 8

var errOuterParentheses = errors.New("the source stands in more than " + strconv.Itoa(maxOuterParentheses) + " pairs of parentheses; one is enough")

var errSeveralStatements = errors.New("the source holds more than one statement; a query source is a single SELECT")

// unwrapSource returns a source without the comments before it, the semicolons after it, and parentheses around the whole of it.
func unwrapSource(text string) (string, error) {
	for range maxOuterParentheses + 1 {
		text = strings.TrimSpace(text[commentsEnd(text, 0):])
		end, hasInnerSemicolon := len(text), false
		depth, i := 0, 0
		for ; i < end; i = skippedEnd(text, i) {
			switch {
			case text[i] == '(':
				depth++
			case text[i] == ')':
				depth--
			case text[i] == ';' && depth == 0:
				end = i
			case text[i] == ';':
				hasInnerSemicolon = true
			}
		}
		for rest := end; rest < len(text); rest++ {
			if rest = commentsEnd(text, rest); rest < len(text) && text[rest] != ';' {
				return "", errSeveralStatements
			}
		}
		text = strings.TrimSpace(text[:end])
		closing := firstParenthesesEnd(text)
		switch {
		case closing > 0 && commentsEnd(text, closing) == len(text):
			text = text[1 : closing-1]
			continue
		case hasInnerSemicolon:
			return "", errSeveralStatements
		}
		return text, nil
	}
	return "", errOuterParentheses
}

// firstParenthesesEnd returns the end of the parentheses that a text begins with, 0 where it does not, or they are not closed.
func firstParenthesesEnd(text string) int {
	if !strings.HasPrefix(text, "(") {
		return 0
	}
	depth := 0
	for i := 0; i < len(text); i = skippedEnd(text, i) {
		switch text[i] {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return 0
}

// skippedEnd returns the end of the quotes or the comment at a place of an SQL text; that of the character where neither begins there.
func skippedEnd(text string, i int) int {
	switch c := text[i]; c {
	case '\'', '"', '`':
		if end := strings.IndexByte(text[i+1:], c); end >= 0 {
			return i + 1 + end + 1
		}
		return len(text)
	case '-', '/': // within a query # may be an operator
		return max(commentEnd(text, i), i+1)
	}
	return i + 1
}

// commentsEnd returns the end of the white space and the comments at a place of a text.
func commentsEnd(text string, pos int) int {
	for {
		pos = lexical.SpaceEnd(text, pos)
		end := commentEnd(text, pos)
		if end == pos {
			return pos
		}
		pos = end
	}
}

// commentEnd returns the end of the comment at a place, which is the place itself where no comment begins.
func commentEnd(text string, pos int) int {
	var closing string
	switch {
	case strings.HasPrefix(text[pos:], "--"), strings.HasPrefix(text[pos:], "#"):
		closing = "\n"
	case strings.HasPrefix(text[pos:], "/*"):
		pos, closing = pos+1, "*/"
	default:
		return pos
	}
	if end := strings.Index(text[pos+1:], closing); end >= 0 {
		return pos + 1 + end + len(closing)
	}
	return len(text)
}
