package statement

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/semlayer/semlayer/semsql/parse"
)

// readCopy reads COPY (query) TO STDOUT with the options of text and csv.
func (r *reader) readCopy() (Statement, error) {
	if !r.peekToken(0).IsSymbol("(") {
		return nil, r.unsupportedStatementError()
	}
	end := r.closingParenthesisIndex()
	if end < 0 {
		return nil, r.unsupportedStatementError()
	}
	first := r.tokens[r.at+1] // of the query, or the parenthesis that closes it
	s := &Copy{Text: strings.TrimSpace(r.text[first.Start:r.tokens[end].Start]), Before: utf8.RuneCountInString(r.text[:first.Start])}
	after := &reader{text: r.text, tokens: r.tokens, at: end + 1}
	if !after.acceptWords("to stdout") {
		return nil, r.unsupportedStatementError()
	}
	inner, err := Read(s.Text)
	if err != nil {
		return nil, shiftErrorPosition(err, s.Before)
	}
	if _, ok := inner.(*Select); !ok {
		return nil, r.unexpectedTokenError("SELECT")
	}
	return after.readCopyOptions(s)
}

// closingParenthesisIndex returns the place of the parenthesis that closes the next token; -1 without one.
func (r *reader) closingParenthesisIndex() int {
	open := 0
	for i := r.at; i < len(r.tokens); i++ {
		switch t := r.tokens[i]; {
		case t.IsSymbol("("):
			open++
		case t.IsSymbol(")"):
			if open--; open == 0 {
				return i
			}
		}
	}
	return -1
}

// copyOptions are the options of COPY as they are read, before their defaults.
type copyOptions struct {
	given                          []string // names
	csv, header, forceAll          bool
	delimiter, null, quote, escape *string
}

func (r *reader) readCopyOptions(s *Copy) (Statement, error) {
	var o copyOptions
	r.acceptWords("with")
	listed := r.acceptSymbol("(")
	for !r.isAtEnd() && !(listed && r.acceptSymbol(")")) {
		if err := r.readCopyOption(&o); err != nil {
			return nil, err
		}
		if listed {
			r.acceptSymbol(",")
		}
	}
	if _, err := r.expectEnd(s); err != nil {
		return nil, err
	}
	return o.applyToCopy(s, r)
}

func (r *reader) readCopyOption(o *copyOptions) error {
	if t := r.peekToken(0); t.Kind == parse.WordToken {
		name := strings.ToLower(t.Text)
		if name == "csv" {
			name = "format"
		}
		if slices.Contains(o.given, name) {
			return &parse.Error{Code: parse.CodeSyntax, SQLState: "42601", Position: t.Position, Message: "COPY has the option " + strings.ToUpper(name) + " twice"}
		}
		o.given = append(o.given, name)
	}
	switch {
	case r.acceptWords("format csv"), r.acceptWords("csv"):
		o.csv = true
	case r.acceptWords("format text"):
	case r.acceptWords("format"), r.acceptWords("binary"):
		return unsupportedConstructError(r.tokens[r.at-1].Position, "this format of COPY", "the formats are text and csv")
	case r.acceptWords("header"):
		o.header = !r.acceptWords("false") && !r.acceptWords("off")
		_ = r.acceptWords("true") || r.acceptWords("on")
	case r.acceptWords("force_quote"), r.acceptWords("force quote"):
		if !r.acceptSymbol("*") {
			return unsupportedConstructError(r.tokens[r.at-1].Position, "FORCE QUOTE of single columns", "write FORCE_QUOTE *")
		}
		o.forceAll = true
	case r.acceptWords("delimiter"):
		return r.readCopyOptionText(&o.delimiter)
	case r.acceptWords("null"):
		return r.readCopyOptionText(&o.null)
	case r.acceptWords("quote"):
		return r.readCopyOptionText(&o.quote)
	case r.acceptWords("escape"):
		return r.readCopyOptionText(&o.escape)
	case r.acceptWords("encoding"):
		var name *string
		if err := r.readCopyOptionText(&name); err != nil {
			return err
		}
		if !strings.EqualFold(strings.ReplaceAll(*name, "-", ""), "utf8") {
			return unsupportedConstructError(r.tokens[r.at-1].Position, "this encoding", "the encoding is UTF8")
		}
	default:
		return r.unexpectedTokenError("an option of COPY")
	}
	return nil
}

func (r *reader) readCopyOptionText(to **string) error {
	r.acceptWords("as")
	t := r.peekToken(0)
	if r.isAtEnd() || t.Kind != parse.TextToken {
		return r.unexpectedTokenError("a text")
	}
	r.at++
	*to = &t.Text
	return nil
}

// applyToCopy gives the options of a statement their values or defaults.
func (o copyOptions) applyToCopy(s *Copy, r *reader) (Statement, error) {
	s.CSV, s.Header, s.ForceAll = o.csv, o.header, o.forceAll
	s.Delimiter, s.Null = '\t', `\N`
	if o.csv {
		s.Delimiter, s.Null, s.Quote = ',', "", '"'
	}
	bad := false
	set := func(to *byte, text *string) {
		if text == nil {
			return
		}
		if len(*text) != 1 || strings.ContainsAny(*text, "\r\n\x00") {
			bad = true
			return
		}
		*to = (*text)[0]
	}
	set(&s.Delimiter, o.delimiter)
	set(&s.Quote, o.quote)
	s.Escape = s.Quote
	set(&s.Escape, o.escape)
	if o.null != nil {
		s.Null = *o.null
	}
	switch {
	case bad:
		return nil, invalidCopyOptionValueError("a delimiter, quote or escape of COPY is one byte that ends no line")
	case !o.csv && (o.quote != nil || o.escape != nil || o.forceAll):
		return nil, invalidCopyOptionValueError("COPY has quotes in csv format only")
	case strings.ContainsAny(s.Null, "\r\n"):
		return nil, invalidCopyOptionValueError("the text for NULL ends no line")
	case strings.IndexByte(s.Null, s.Delimiter) >= 0, o.csv && s.Delimiter == s.Quote:
		return nil, invalidCopyOptionValueError("the delimiter of COPY is neither the quote nor in the text for NULL")
	case !o.csv && (s.Delimiter == '\\' || s.Delimiter == '.' || s.Delimiter >= '0' && s.Delimiter <= '9' || s.Delimiter|0x20 >= 'a' && s.Delimiter|0x20 <= 'z'):
		return nil, invalidCopyOptionValueError("the delimiter of COPY in text format must not be a letter, digit, dot or backslash")
	}
	_ = r
	return s, nil
}

func invalidCopyOptionValueError(message string) error {
	return &parse.Error{Code: parse.CodeTooLarge, SQLState: "22023", Message: message}
}
