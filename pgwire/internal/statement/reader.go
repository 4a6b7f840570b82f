package statement

import (
	"errors"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/semlayer/semlayer/semsql/parse"
)

// reader reads the tokens of one statement.
type reader struct {
	text   string
	tokens []parse.Token
	at     int
}

// IsEmpty reports whether a text has no statement: blanks, comments and semicolons alone.
func IsEmpty(text string) bool {
	tokens, err := parse.Tokenize(text)
	return err == nil && !slices.ContainsFunc(tokens, func(t parse.Token) bool { return !t.IsSymbol(";") })
}

// Read reads one statement. An error is a *parse.Error.
func Read(text string) (Statement, error) {
	tokens, err := parse.Tokenize(text)
	if err != nil {
		return nil, err
	}
	for len(tokens) > 0 && tokens[len(tokens)-1].IsSymbol(";") {
		tokens = tokens[:len(tokens)-1]
	}
	for len(tokens) > 0 && tokens[0].IsSymbol(";") {
		tokens = tokens[1:]
	}
	if len(tokens) == 0 {
		return &Empty{}, nil
	}
	r := &reader{text: text, tokens: tokens}
	first := tokens[0]
	if first.IsSymbol("(") {
		return &Select{Text: text}, nil
	}
	read, ok := readersByFirstWord[strings.ToLower(first.Text)]
	if first.Kind != parse.WordToken || !ok {
		return nil, r.unsupportedStatementError()
	}
	r.at++
	return read(r)
}

var readersByFirstWord map[string]func(*reader) (Statement, error)

func init() { //nolint:gochecknoinits // readers refer to Read, which reads the table
	readersByFirstWord = map[string]func(*reader) (Statement, error){
		"select": (*reader).readSelect, "with": (*reader).readSelect, "values": (*reader).readSelect,
		"set": (*reader).readSet, "reset": (*reader).readReset, "show": (*reader).readShow, "discard": (*reader).readDiscard,
		"begin": (*reader).readBegin, "start": (*reader).readStartTransaction,
		"commit": (*reader).readCommit, "end": (*reader).readCommit, "rollback": (*reader).readRollback, "abort": (*reader).readRollback,
		"savepoint": (*reader).readSavepoint, "release": (*reader).readRelease,
		"prepare": (*reader).readPrepare, "execute": (*reader).readExecute, "deallocate": (*reader).readDeallocate,
		"declare": (*reader).readDeclare, "fetch": (*reader).readFetch, "move": (*reader).readMoveStatement, "close": (*reader).readClose,
		"lock": (*reader).readLock, "listen": (*reader).readListen, "unlisten": (*reader).readUnlisten, "explain": (*reader).readExplain, "copy": (*reader).readCopy,
	}
}

func (r *reader) readSelect() (Statement, error) { return &Select{Text: r.text}, nil }

// unsupportedStatementError names a statement that no reader reads, as the parser of SELECT does.
func (r *reader) unsupportedStatementError() error {
	_, err := parse.Parse(r.text, parse.DefaultLimits())
	if err == nil { // which reads SELECT alone
		return r.unexpectedTokenError("the end of the statement")
	}
	return err
}

func (r *reader) isAtEnd() bool { return r.at >= len(r.tokens) }

// peekToken returns the token that is next; the zero Token at the end.
func (r *reader) peekToken(ahead int) parse.Token {
	if r.at+ahead < len(r.tokens) {
		return r.tokens[r.at+ahead]
	}
	return parse.Token{Kind: parse.SymbolToken}
}

// acceptWords consumes words if all of them are next.
func (r *reader) acceptWords(words string) bool {
	list := strings.Fields(words)
	for i, word := range list {
		if !r.peekToken(i).IsWord(word) {
			return false
		}
	}
	r.at += len(list)
	return true
}

func (r *reader) acceptSymbol(sign string) bool {
	if !r.isAtEnd() && r.peekToken(0).IsSymbol(sign) {
		r.at++
		return true
	}
	return false
}

// expectName reads a name: a word in lower case, or a quoted name as it is.
func (r *reader) expectName() (string, error) {
	t := r.peekToken(0)
	if r.isAtEnd() || !t.IsName() {
		return "", r.unexpectedTokenError("a name")
	}
	r.at++
	return foldedName(t), nil
}

func foldedName(t parse.Token) string {
	if t.Kind == parse.QuotedNameToken {
		return t.Text
	}
	return strings.ToLower(t.Text)
}

// expectEnd checks that the statement ends here.
func (r *reader) expectEnd(s Statement) (Statement, error) {
	if !r.isAtEnd() {
		return nil, r.unexpectedTokenError("the end of the statement")
	}
	return s, nil
}

// unexpectedTokenError returns the error of the next token, where something else should be.
func (r *reader) unexpectedTokenError(want string) error {
	found, at := "the end of the text", len([]rune(r.text))+1
	if !r.isAtEnd() {
		t := r.peekToken(0)
		found, at = r.text[t.Start:t.End], t.Position
	}
	if len(found) > 40 {
		found = strings.ToValidUTF8(found[:40], "") + "…"
	}
	return &parse.Error{Code: parse.CodeSyntax, SQLState: "42601", Position: at, Message: "expected " + want + ", found " + found}
}

// unsupportedConstructError rejects a construct of PostgreSQL at a token.
func unsupportedConstructError(at int, construct, hint string) error {
	return &parse.Error{Code: parse.CodeUnsupported, SQLState: "0A000", Position: at, Message: construct + " is not supported", Hint: hint}
}

// restText returns the text from the next token on, and the characters before it.
func (r *reader) restText() (text string, before int, err error) {
	if r.isAtEnd() {
		return "", 0, r.unexpectedTokenError("a statement")
	}
	start := r.peekToken(0).Start
	return r.text[start:r.tokens[len(r.tokens)-1].End], utf8.RuneCountInString(r.text[:start]), nil
}

// shiftErrorPosition adds the characters before a part of the text to the position of an error of the part.
func shiftErrorPosition(err error, before int) error {
	var e *parse.Error
	if errors.As(err, &e) && e.Position > 0 {
		out := *e
		out.Position += before
		return &out
	}
	return err
}
