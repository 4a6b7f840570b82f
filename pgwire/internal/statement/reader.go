package statement

import (
	"errors"
	"strings"

	"github.com/semlayer/semlayer/semsql/parse"
)

// reader reads the tokens of one statement.
type reader struct {
	text   string
	tokens []parse.Token
	at     int
}

// Read reads one statement. An error is a *parse.Error.
func Read(text string) (Statement, error) {
	tokens, err := parse.Tokens(text)
	if err != nil {
		return nil, err
	}
	for len(tokens) > 0 && tokens[len(tokens)-1].IsSign(";") {
		tokens = tokens[:len(tokens)-1]
	}
	for len(tokens) > 0 && tokens[0].IsSign(";") {
		tokens = tokens[1:]
	}
	if len(tokens) == 0 {
		return &Empty{}, nil
	}
	r := &reader{text: text, tokens: tokens}
	first := tokens[0]
	if first.IsSign("(") {
		return &Select{Text: text}, nil
	}
	read, ok := readers[strings.ToLower(first.Text)]
	if first.Kind != parse.WordToken || !ok {
		return nil, r.refuse()
	}
	r.at++
	return read(r)
}

var readers map[string]func(*reader) (Statement, error)

func init() { //nolint:gochecknoinits // readers refer to Read, which reads the table
	readers = map[string]func(*reader) (Statement, error){
		"select": (*reader).readSelect, "with": (*reader).readSelect, "values": (*reader).readSelect,
		"set": (*reader).readSet, "reset": (*reader).readReset, "show": (*reader).readShow, "discard": (*reader).readDiscard,
		"begin": (*reader).readBegin, "start": (*reader).readStart,
		"commit": (*reader).readCommit, "end": (*reader).readCommit, "rollback": (*reader).readRollback, "abort": (*reader).readRollback,
		"savepoint": (*reader).readSavepoint, "release": (*reader).readRelease,
		"prepare": (*reader).readPrepare, "execute": (*reader).readExecute, "deallocate": (*reader).readDeallocate,
		"declare": (*reader).readDeclare, "fetch": (*reader).readFetch, "move": (*reader).readMove, "close": (*reader).readClose,
		"listen": (*reader).readListen, "unlisten": (*reader).readUnlisten, "explain": (*reader).readExplain, "copy": (*reader).readCopy,
	}
}

func (r *reader) readSelect() (Statement, error) { return &Select{Text: r.text}, nil }

// refuse names a statement that no reader reads, as the parser of SELECT does.
func (r *reader) refuse() error {
	_, err := parse.Parse(r.text, parse.DefaultLimits())
	if err == nil { // which reads SELECT alone
		return r.unexpected("the end of the statement")
	}
	return err
}

func (r *reader) ended() bool { return r.at >= len(r.tokens) }

// peek is the token that is next; the zero Token at the end.
func (r *reader) peek(ahead int) parse.Token {
	if r.at+ahead < len(r.tokens) {
		return r.tokens[r.at+ahead]
	}
	return parse.Token{Kind: parse.SignToken}
}

// acceptWords consumes words if all of them are next.
func (r *reader) acceptWords(words string) bool {
	list := strings.Fields(words)
	for i, word := range list {
		if !r.peek(i).IsWord(word) {
			return false
		}
	}
	r.at += len(list)
	return true
}

func (r *reader) acceptSign(sign string) bool {
	if !r.ended() && r.peek(0).IsSign(sign) {
		r.at++
		return true
	}
	return false
}

// expectName reads a name: a word in lower case, or a quoted name as it is.
func (r *reader) expectName() (string, error) {
	t := r.peek(0)
	if r.ended() || !t.IsName() {
		return "", r.unexpected("a name")
	}
	r.at++
	return nameText(t), nil
}

func nameText(t parse.Token) string {
	if t.Kind == parse.QuotedNameToken {
		return t.Text
	}
	return strings.ToLower(t.Text)
}

// finish checks that the statement ends here.
func (r *reader) finish(s Statement) (Statement, error) {
	if !r.ended() {
		return nil, r.unexpected("the end of the statement")
	}
	return s, nil
}

// unexpected is the error of the next token, where something else should be.
func (r *reader) unexpected(want string) error {
	found, at := "the end of the text", len([]rune(r.text))+1
	if !r.ended() {
		t := r.peek(0)
		found, at = r.text[t.Start:t.End], t.Position
	}
	if len(found) > 40 {
		found = strings.ToValidUTF8(found[:40], "") + "…"
	}
	return &parse.Error{Code: parse.CodeSyntax, SQLState: "42601", Position: at, Message: "expected " + want + ", found " + found}
}

// unsupported refuses a construct of PostgreSQL at a token.
func unsupported(at int, construct, hint string) error {
	return &parse.Error{Code: parse.CodeUnsupported, SQLState: "0A000", Position: at, Message: construct + " is not supported", Hint: hint}
}

// restText is the text from the next token on.
func (r *reader) restText() (string, error) {
	if r.ended() {
		return "", r.unexpected("a statement")
	}
	return r.text[r.peek(0).Start:r.tokens[len(r.tokens)-1].End], nil
}

// moved adds the characters before a part of the text to the position of an error of the part.
func moved(err error, before string) error {
	var e *parse.Error
	if errors.As(err, &e) && e.Position > 0 {
		out := *e
		out.Position += len([]rune(before))
		return &out
	}
	return err
}
