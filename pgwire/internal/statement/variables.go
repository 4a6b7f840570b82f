package statement

import (
	"strings"

	"github.com/semlayer/semlayer/semsql/parse"
)

// readSet reads SET [SESSION|LOCAL] name {TO|=} value, SET TIME ZONE and SET TRANSACTION.
func (r *reader) readSet() (Statement, error) {
	s := &Set{}
	switch {
	case r.acceptWords("session characteristics as transaction"), r.acceptWords("transaction"), r.acceptWords("constraints"):
		return &SetNothing{}, nil
	case r.acceptWords("local"):
		s.Local = true
	case r.acceptWords("session"):
	}
	switch {
	case r.acceptWords("time zone"):
		s.Name = "timezone"
		return r.readValueOf(s)
	case r.acceptWords("names"):
		s.Name = "client_encoding"
		return r.readValueOf(s)
	case r.acceptWords("session authorization"), r.acceptWords("authorization"), r.acceptWords("role"):
		return &SetNothing{}, nil
	case r.acceptWords("schema"):
		s.Name = "search_path"
		return r.readValueOf(s)
	}
	name, err := r.variableName()
	if err != nil {
		return nil, err
	}
	s.Name = name
	if !r.acceptWords("to") && !r.acceptSign("=") {
		return nil, r.unexpected("TO or =")
	}
	return r.readValueOf(s)
}

// variableName reads a name with dots.
func (r *reader) variableName() (string, error) {
	name, err := r.expectName()
	if err != nil {
		return "", err
	}
	for r.acceptSign(".") {
		part, err := r.expectName()
		if err != nil {
			return "", err
		}
		name += "." + part
	}
	return strings.ToLower(name), nil
}

// readValueOf reads the value of a variable: values between commas are one text.
func (r *reader) readValueOf(s *Set) (Statement, error) {
	if r.acceptWords("default") || s.Name == "timezone" && r.acceptWords("local") {
		return r.finish(s)
	}
	var values []string
	for {
		value, err := r.variableValue(s.Name)
		if err != nil {
			return nil, err
		}
		values = append(values, value)
		if !r.acceptSign(",") {
			break
		}
	}
	text := strings.Join(values, ", ")
	s.Value = &text
	return r.finish(s)
}

// variableValue reads one value: a text, a word, a number with a sign, INTERVAL '…'.
func (r *reader) variableValue(variable string) (string, error) {
	r.acceptWords("interval")
	sign := ""
	if r.acceptSign("-") {
		sign = "-"
	} else {
		r.acceptSign("+")
	}
	t := r.peek(0)
	switch {
	case r.ended():
		return "", r.unexpected("a value")
	case t.Kind == parse.NumberToken, sign == "" && (t.Kind == parse.TextToken || t.IsName()):
	default:
		return "", r.unexpected("a value")
	}
	r.at++
	for r.acceptWords("hour") || r.acceptWords("to minute") { // of INTERVAL
	}
	if variable == "search_path" && t.Kind == parse.QuotedNameToken {
		return `"` + strings.ReplaceAll(t.Text, `"`, `""`) + `"`, nil
	}
	return sign + t.Text, nil
}

func (r *reader) readReset() (Statement, error) {
	switch {
	case r.acceptWords("all"):
		return r.finish(&Reset{})
	case r.acceptWords("time zone"):
		return r.finish(&Reset{Name: "timezone"})
	case r.acceptWords("session authorization"), r.acceptWords("role"):
		return r.finish(&SetNothing{})
	}
	name, err := r.variableName()
	if err != nil {
		return nil, err
	}
	return r.finish(&Reset{Name: name})
}

func (r *reader) readShow() (Statement, error) {
	switch {
	case r.acceptWords("all"):
		return r.finish(&Show{})
	case r.acceptWords("time zone"):
		return r.finish(&Show{Name: "timezone"})
	case r.acceptWords("transaction isolation level"):
		return r.finish(&Show{Name: "transaction_isolation"})
	case r.acceptWords("session authorization"):
		return r.finish(&Show{Name: "session_authorization"})
	}
	name, err := r.variableName()
	if err != nil {
		return nil, err
	}
	return r.finish(&Show{Name: name})
}

func (r *reader) readDiscard() (Statement, error) {
	for _, what := range []string{"ALL", "PLANS", "SEQUENCES", "TEMP", "TEMPORARY"} {
		if r.acceptWords(what) {
			if what == "TEMPORARY" {
				what = "TEMP"
			}
			return r.finish(&Discard{What: what})
		}
	}
	return nil, r.unexpected("ALL, PLANS, SEQUENCES or TEMP")
}

func (r *reader) readListen() (Statement, error) {
	if _, err := r.expectName(); err != nil {
		return nil, err
	}
	return r.finish(&Listen{})
}

func (r *reader) readUnlisten() (Statement, error) {
	if !r.acceptSign("*") {
		if _, err := r.expectName(); err != nil {
			return nil, err
		}
	}
	return r.finish(&Listen{Stop: true})
}
