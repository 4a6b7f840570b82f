package statement

import (
	"strings"

	"github.com/semlayer/semlayer/semsql/parse"
)

// readSet reads SET [SESSION|LOCAL] name {TO|=} value, SET TIME ZONE and SET TRANSACTION.
func (r *reader) readSet() (Statement, error) {
	s := &Set{}
	switch {
	case r.acceptWords("session characteristics as transaction"):
		return r.readSetTransaction(true)
	case r.acceptWords("transaction"):
		return r.readSetTransaction(false)
	case r.acceptWords("constraints"):
		return &SetWithoutEffect{}, nil
	case r.acceptWords("local"):
		s.Local = true
	case r.acceptWords("session"):
	}
	switch {
	case r.acceptWords("time zone"):
		s.Name = "timezone"
		return r.readSetValue(s)
	case r.acceptWords("names"):
		s.Name = "client_encoding"
		return r.readSetValue(s)
	case r.acceptWords("session authorization"), r.acceptWords("authorization"), r.acceptWords("role"):
		return r.readSetRole()
	case r.acceptWords("schema"):
		s.Name = "search_path"
		return r.readSetValue(s)
	}
	name, err := r.readVariableName()
	if err != nil {
		return nil, err
	}
	s.Name = name
	if !r.acceptWords("to") && !r.acceptSymbol("=") {
		return nil, r.unexpectedTokenError("TO or =")
	}
	return r.readSetValue(s)
}

// readSetRole reads what follows SET ROLE and SET SESSION AUTHORIZATION.
func (r *reader) readSetRole() (Statement, error) {
	if r.acceptWords("none") || r.acceptWords("default") {
		return r.expectEnd(&SetWithoutEffect{})
	}
	if !r.acceptWords("to") {
		r.acceptSymbol("=")
	}
	name, err := r.readVariableValue("role")
	if err != nil {
		return nil, err
	}
	return r.expectEnd(&SetRole{Name: name})
}

// readVariableName reads a name with dots.
func (r *reader) readVariableName() (string, error) {
	name, err := r.expectName()
	if err != nil {
		return "", err
	}
	for r.acceptSymbol(".") {
		part, err := r.expectName()
		if err != nil {
			return "", err
		}
		name += "." + part
	}
	return strings.ToLower(name), nil
}

// readSetValue reads the value of a variable: values between commas are one text.
func (r *reader) readSetValue(s *Set) (Statement, error) {
	if r.acceptWords("default") || s.Name == "timezone" && r.acceptWords("local") {
		return r.expectEnd(s)
	}
	var values []string
	for {
		value, err := r.readVariableValue(s.Name)
		if err != nil {
			return nil, err
		}
		values = append(values, value)
		if !r.acceptSymbol(",") {
			break
		}
	}
	text := strings.Join(values, ", ")
	s.Value = &text
	return r.expectEnd(s)
}

// readVariableValue reads one value: a text, a word, a number with a sign, INTERVAL '…'.
func (r *reader) readVariableValue(variable string) (string, error) {
	isInterval := r.acceptWords("interval")
	sign := ""
	if r.acceptSymbol("-") {
		sign = "-"
	} else {
		r.acceptSymbol("+")
	}
	t := r.peekToken(0)
	switch {
	case r.isAtEnd():
		return "", r.unexpectedTokenError("a value")
	case t.Kind == parse.NumberToken, sign == "" && (t.Kind == parse.TextToken || t.IsName()):
	default:
		return "", r.unexpectedTokenError("a value")
	}
	r.at++
	for r.acceptWords("hour") || r.acceptWords("to minute") { // of INTERVAL
	}
	if variable == "search_path" && (t.Kind == parse.QuotedNameToken || t.Text == "") {
		return `"` + strings.ReplaceAll(t.Text, `"`, `""`) + `"`, nil
	}
	if isInterval && variable == "timezone" {
		return "INTERVAL '" + sign + t.Text + "'", nil
	}
	return sign + t.Text, nil
}

func (r *reader) readReset() (Statement, error) {
	switch {
	case r.acceptWords("all"):
		return r.expectEnd(&Reset{})
	case r.acceptWords("time zone"):
		return r.expectEnd(&Reset{Name: "timezone"})
	case r.acceptWords("session authorization"), r.acceptWords("role"):
		return r.expectEnd(&SetWithoutEffect{Reset: true})
	}
	name, err := r.readVariableName()
	if err != nil {
		return nil, err
	}
	return r.expectEnd(&Reset{Name: name})
}

func (r *reader) readShow() (Statement, error) {
	switch {
	case r.acceptWords("all"):
		return r.expectEnd(&Show{})
	case r.acceptWords("time zone"):
		return r.expectEnd(&Show{Name: "timezone"})
	case r.acceptWords("transaction isolation level"):
		return r.expectEnd(&Show{Name: "transaction_isolation"})
	case r.acceptWords("session authorization"):
		return r.expectEnd(&Show{Name: "session_authorization"})
	}
	name, err := r.readVariableName()
	if err != nil {
		return nil, err
	}
	return r.expectEnd(&Show{Name: name})
}

func (r *reader) readDiscard() (Statement, error) {
	for _, what := range []string{"ALL", "PLANS", "SEQUENCES", "TEMP", "TEMPORARY"} {
		if r.acceptWords(what) {
			if what == "TEMPORARY" {
				what = "TEMP"
			}
			return r.expectEnd(&Discard{What: what})
		}
	}
	return nil, r.unexpectedTokenError("ALL, PLANS, SEQUENCES or TEMP")
}

// readLock reads LOCK TABLE names IN ACCESS SHARE MODE, which pg_dump sends before it reads. Every other mode is of statements that write.
func (r *reader) readLock() (Statement, error) {
	for !r.isAtEnd() && !r.peekToken(0).IsWord("in") {
		r.at++
	}
	if !r.acceptWords("in access share mode") {
		return nil, r.unsupportedStatementError()
	}
	r.acceptWords("nowait")
	return r.expectEnd(&LockForReading{})
}

func (r *reader) readListen() (Statement, error) {
	if _, err := r.expectName(); err != nil {
		return nil, err
	}
	return r.expectEnd(&Listen{})
}

func (r *reader) readUnlisten() (Statement, error) {
	if !r.acceptSymbol("*") {
		if _, err := r.expectName(); err != nil {
			return nil, err
		}
	}
	return r.expectEnd(&Listen{Stop: true})
}
