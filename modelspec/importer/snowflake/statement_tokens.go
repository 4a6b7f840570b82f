package snowflake

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/semlayer/semlayer/modelspec/importer"
	"github.com/semlayer/semlayer/modelspec/lexical"
)

// tokenKind is the kind of a token of a statement.
type tokenKind uint8

const (
	tokenEnd tokenKind = iota
	tokenWord
	tokenQuotedName
	tokenString
	tokenSign // one character
)

// token is a part of a statement with its place.
type token struct {
	kind       tokenKind
	begin, end int
	text       string // of a word in upper case; of a name and a string without its quotes
}

// statementTokens cuts the text of a file into tokens. Errors are *importer.Error.
func statementTokens(file, text string) ([]token, error) {
	var out []token
	for pos := 0; ; {
		end, err := spaceAndCommentsEnd(text, pos)
		if err != nil {
			return nil, newStatementError(file, text, end, err.Error())
		}
		if pos = end; pos == len(text) {
			return append(out, token{kind: tokenEnd, begin: pos, end: pos}), nil
		}
		t, err := scanToken(text, pos)
		if err != nil {
			return nil, newStatementError(file, text, pos, err.Error())
		}
		out = append(out, t)
		pos = t.end
	}
}

// newStatementError returns an error at an offset of a text.
func newStatementError(file, text string, offset int, message string) error {
	before := text[:offset]
	line := 1 + strings.Count(before, "\n")
	column := 1 + utf8.RuneCountInString(before[strings.LastIndexByte(before, '\n')+1:])
	return &importer.Error{File: file, Line: line, Message: fmt.Sprintf("column %d: %s", column, message)}
}

// spaceAndCommentsEnd returns the offset behind white space and comments.
func spaceAndCommentsEnd(text string, pos int) (int, error) {
	for pos < len(text) {
		rest := text[pos:]
		switch {
		case strings.HasPrefix(rest, "--"), strings.HasPrefix(rest, "//"):
			n := strings.IndexByte(rest, '\n')
			if n < 0 {
				return len(text), nil
			}
			pos += n + 1
		case strings.HasPrefix(rest, "/*"):
			n := strings.Index(rest[2:], "*/")
			if n < 0 {
				return pos, fmt.Errorf("the comment that begins here has no end")
			}
			pos += n + 4
		case rest[0] == ' ', rest[0] == '\t', rest[0] == '\n', rest[0] == '\r':
			pos++
		default:
			return pos, nil
		}
	}
	return pos, nil
}

func scanToken(text string, pos int) (token, error) {
	switch c := text[pos]; {
	case lexical.IsWordStart(c):
		end := lexical.WordEnd(text, pos)
		return token{tokenWord, pos, end, strings.ToUpper(text[pos:end])}, nil
	case c == '"':
		end := lexical.QuotedEnd(text, pos)
		if end < 0 {
			return token{}, fmt.Errorf("the name in quotes that begins here has no end")
		}
		return token{tokenQuotedName, pos, end, strings.ReplaceAll(text[pos+1:end-1], `""`, `"`)}, nil
	case c == '\'':
		return scanString(text, pos)
	case strings.HasPrefix(text[pos:], "$$"):
		end := strings.Index(text[pos+2:], "$$")
		if end < 0 {
			return token{}, fmt.Errorf("the string that begins here has no end")
		}
		return token{tokenString, pos, pos + end + 4, text[pos+2 : pos+2+end]}, nil
	case lexical.IsDigit(c):
		end := lexical.NumberEnd(text, pos)
		return token{tokenSign, pos, max(end, pos+1), text[pos:max(end, pos+1)]}, nil
	}
	_, n := utf8.DecodeRuneInString(text[pos:])
	return token{tokenSign, pos, pos + n, text[pos : pos+n]}, nil
}

// stringEscapes are the characters behind a backslash in a string of Snowflake. Any other stands for itself.
var stringEscapes = map[byte]string{'n': "\n", 't': "\t", 'r': "\r", 'b': "\b", 'f': "\f", '0': ""}

func scanString(text string, pos int) (token, error) {
	var out strings.Builder
	for i := pos + 1; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\\' && i+1 < len(text):
			i++
			if escaped, known := stringEscapes[text[i]]; known {
				out.WriteString(escaped)
			} else {
				out.WriteByte(text[i])
			}
		case c == '\'' && i+1 < len(text) && text[i+1] == '\'':
			i++
			out.WriteByte(c)
		case c == '\'':
			return token{tokenString, pos, i + 1, out.String()}, nil
		default:
			out.WriteByte(c)
		}
	}
	return token{}, fmt.Errorf("the string that begins here has no end")
}
