package statement

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/semlayer/semlayer/semsql/parse"
)

// readCopy reads COPY (query) TO STDOUT and COPY relation TO STDOUT with their options.
func (r *reader) readCopy() (Statement, error) {
	if !r.peekToken(0).IsSymbol("(") {
		return r.readCopyOfRelation()
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

// readCopyOfRelation reads COPY relation [(columns)] TO STDOUT, which is a SELECT of the columns.
func (r *reader) readCopyOfRelation() (Statement, error) {
	after := &reader{text: r.text, tokens: r.tokens, at: r.at}
	binary := after.peekToken(0).IsWord("binary") && after.peekToken(1).IsName()
	if binary {
		after.at++
	}
	first := after.at
	for after.peekToken(0).IsName() && after.peekToken(1).IsSymbol(".") {
		after.at += 2
	}
	if after.isAtEnd() || !after.peekToken(0).IsName() {
		return nil, r.unsupportedStatementError()
	}
	after.at++
	relation, columns := after.textOfTokens(first, after.at), "*"
	if after.peekToken(0).IsSymbol("(") {
		end := after.closingParenthesisIndex()
		if end < 0 {
			return nil, r.unsupportedStatementError()
		}
		columns = after.textOfTokens(after.at+1, end)
		for after.at++; after.at < end; {
			if _, err := after.expectName(); err != nil {
				return nil, err
			}
			if after.at < end && !after.acceptSymbol(",") {
				return nil, after.unexpectedTokenError("a comma or )")
			}
		}
		after.at = end + 1
	}
	if !after.acceptWords("to stdout") {
		return nil, r.unsupportedStatementError()
	}
	return after.readCopyOptions(&Copy{Text: "SELECT " + columns + " FROM " + relation, Before: -1, Binary: binary})
}

// textOfTokens returns the text of tokens up to the end.
func (r *reader) textOfTokens(first, end int) string {
	to := len(r.text)
	if end < len(r.tokens) {
		to = r.tokens[end].Start
	}
	return strings.TrimSpace(r.text[r.tokens[first].Start:to])
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
	binary, csv, header, forceAll  bool
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
	return o.applyToCopy(s)
}

func (r *reader) readCopyOption(o *copyOptions) error {
	if t := r.peekToken(0); t.Kind == parse.WordToken {
		name := strings.ToLower(t.Text)
		if name == "csv" || name == "binary" {
			name = "format"
		}
		if slices.Contains(o.given, name) {
			return &parse.Error{Code: parse.CodeSyntax, SQLState: "42601", Position: t.Position, Message: "COPY has the option " + strings.ToUpper(name) + " twice"}
		}
		o.given = append(o.given, name)
	}
	switch {
	case r.acceptWords("csv"):
		o.csv = true
	case r.acceptWords("binary"):
		o.binary = true
	case r.acceptWords("format"):
		return r.readCopyFormat(o)
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

// readCopyFormat reads the name of a format, in quotes or without.
func (r *reader) readCopyFormat(o *copyOptions) error {
	t := r.peekToken(0)
	name := t.Text
	if t.Kind == parse.WordToken {
		name = strings.ToLower(name)
	}
	switch {
	case r.isAtEnd() || !t.IsName() && t.Kind != parse.TextToken:
		return r.unexpectedTokenError("a format")
	case name == "csv":
		o.csv = true
	case name == "binary":
		o.binary = true
	case name != "text":
		return &parse.Error{Code: parse.CodeUnsupported, SQLState: "22023", Position: r.tokens[r.at-1].Position, Message: "COPY has no such format", Hint: "the formats are text, csv and binary"}
	}
	r.at++
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
func (o copyOptions) applyToCopy(s *Copy) (Statement, error) {
	s.Binary = s.Binary || o.binary
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
	case s.Binary && (o.csv || o.delimiter != nil || o.null != nil):
		return nil, &parse.Error{Code: parse.CodeSyntax, SQLState: "42601", Message: "COPY in binary format has neither a delimiter nor a text for NULL"}
	case s.Binary && o.header:
		return nil, &parse.Error{Code: parse.CodeUnsupported, SQLState: "0A000", Message: "COPY in binary format has no header"}
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
	return s, nil
}

func invalidCopyOptionValueError(message string) error {
	return &parse.Error{Code: parse.CodeTooLarge, SQLState: "22023", Message: message}
}
