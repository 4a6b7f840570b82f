package catalogue

import (
	"errors"
	"strings"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/semsql/parse"
)

// The SQLSTATEs of statements about the catalogue.
const (
	stateSyntax          = "42601"
	stateUnsupported     = "0A000"
	stateUnknownTable    = "42P01"
	stateUnknownColumn   = "42703"
	stateUnknownFunction = "42883"
	stateUnknownObject   = "42704"
	stateAmbiguous       = "42702"
	stateDuplicateAlias  = "42712"
	stateMismatch        = "42804"
	stateBadText         = "22P02"
	stateBadPattern      = "2201B"
	stateTooLarge        = "54000"
	stateGrouping        = "42803"
	stateCardinality     = "21000"
	stateBadParameter    = "08P01"
	stateDivision        = "22012"
	stateRange           = "22003"
	stateInternal        = "XX000"
)

// The codes of the errors.
const (
	codeUnsupported = "sql_unsupported"
	codeBadRequest  = "bad_request"
	codeDataset     = "unknown_dataset"
	codeColumn      = "unknown_column"
	codeAmbiguous   = "ambiguous_dimension"
	codeGrouping    = "sql_group_by_required"
	codeParameter   = "sql_parameter"
	codeInternal    = "internal"
)

var codesByState = map[string]string{
	stateUnsupported: codeUnsupported, stateUnknownTable: codeDataset, stateUnknownColumn: codeColumn, stateAmbiguous: codeAmbiguous,
	stateGrouping: codeGrouping, stateBadParameter: codeParameter, stateInternal: codeInternal,
}

// newError is an error of a statement at a place of its text.
func newError(at parse.Node, state, message string) *engine.SQLError {
	code, ok := codesByState[state]
	if !ok {
		code = codeBadRequest
	}
	e := &engine.SQLError{Code: code, SQLState: state, Message: message}
	if at != nil {
		e.Position = at.Position()
	}
	return e
}

// newUnsupportedError refuses a construct that is not printed.
func newUnsupportedError(at parse.Node, construct string) *engine.SQLError {
	return newError(at, stateUnsupported, construct+" is not supported in a statement about the catalogue")
}

// wrapParseError gives an error of the parser the form of the others.
func wrapParseError(err error) error {
	var e *parse.Error
	if !errors.As(err, &e) {
		return err
	}
	return &engine.SQLError{Code: string(e.Code), SQLState: e.SQLState, Message: e.Message, Hint: e.Hint, Position: e.Position}
}

// engineErrors are the errors of DuckDB that a statement can cause, by a part of their text.
var engineErrors = []struct{ part, state, message string }{
	{"More than one row returned by a subquery", stateCardinality, "more than one row returned by a subquery used as an expression"},
	{"must appear in the GROUP BY clause", stateGrouping, "a column must appear in the GROUP BY clause or be used in an aggregate function"},
	{"Could not convert string", stateBadText, "a text is not a value of the type that it is read as"},
	{"invalid regular expression", stateBadPattern, "invalid regular expression"},
	{"missing argument to repetition", stateBadPattern, "invalid regular expression"},
	{"missing )", stateBadPattern, "invalid regular expression"},
	{"missing ]", stateBadPattern, "invalid regular expression"},
	{"Out of Memory", stateTooLarge, "the statement needs too much memory"},
	{"Out of Range", stateRange, "a value is out of range"},
	{"Overflow", stateRange, "a value is out of range"},
	{"out of range", stateRange, "a value is out of range"},
}

// explainEngineError gives an error of DuckDB the form of the others; its text is not shown.
func explainEngineError(err error) error {
	text := err.Error()
	for _, known := range engineErrors {
		if strings.Contains(text, known.part) {
			return newError(nil, known.state, known.message)
		}
	}
	return newError(nil, stateUnsupported, "the statement is not supported in a statement about the catalogue")
}

// isBadText reports whether an error is of a literal that is not a value of its type.
func isBadText(err error) bool {
	var e *engine.SQLError
	return errors.As(err, &e) && e.SQLState == stateBadText
}
