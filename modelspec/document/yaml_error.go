package document

import (
	"fmt"
	"reflect"
	"regexp"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

// Error is why a text is neither YAML nor JSON, with the place of the mistake; the zero place is unknown.
type Error struct {
	Line, Column int    // from 1: where reading stopped
	Message      string // with the beginning of the block, where that is another place
	Hint         string // what to change; empty where the mistake is not a usual one
	err          error  // nil where the library gave up
}

// Error returns the message.
func (e *Error) Error() string { return e.Message }

// Unwrap returns the library's error.
func (e *Error) Unwrap() error { return e.err }

// mark is a place in a text; line and column count from 1. The zero mark is unknown.
type mark struct{ line, column int }

var errorLinePattern = regexp.MustCompile(`^yaml: (?:line \d+: )?`)

// The library's messages of which the mistake is told apart.
const (
	endOfStreamMessage  = "found unexpected end of stream"
	missingColonMessage = "could not find expected ':'"
	nestedColonMessage  = "mapping values are not allowed in this context"
	missingKeyMessage   = "did not find expected key"
	missingDashMessage  = "did not find expected '-' indicator"
	missingInMapMessage = "did not find expected ',' or '}'"
	missingInSeqMessage = "did not find expected ',' or ']'"
	badTokenMessage     = "found character that cannot start any token"
)

// newSyntaxError places the error of a decoder. The library's own line is that of the block, and not counted
// alike everywhere.
func newSyntaxError(text []byte, decoder *yaml.Decoder, err error) *Error {
	e := &Error{Message: errorLinePattern.ReplaceAllString(err.Error(), ""), err: err}
	stopped, block := parserMarks(decoder)
	if e.Message == endOfStreamMessage || e.Message == missingColonMessage {
		stopped, block = block, mark{} // the end of the text, or the line below
	}
	if stopped.line == 0 {
		return e
	}
	stopped = atEndOfContent(string(text), stopped)
	e.Line, e.Column = stopped.line, stopped.column
	m := syntaxMistake{strings.Split(strings.ReplaceAll(string(text), "\r\n", "\n"), "\n"), e.Message, stopped, block}
	switch {
	case e.Message == endOfStreamMessage:
		e.Message = "the text ends inside the quotes that begin here"
	case m.isTab():
		e.Message = "a tab is used for indentation; YAML takes spaces only"
	case block.line > 0 && block != stopped:
		e.Message += fmt.Sprintf("; the block that it belongs to begins at line %d, column %d", block.line, block.column)
	}
	e.Hint = m.hint()
	return e
}

// atEndOfContent returns a mark, or, if only blanks follow it, the place behind the last character.
func atEndOfContent(text string, at mark) mark {
	content := strings.TrimRight(text, " \t\r\n")
	line := strings.Count(content, "\n") + 1
	if at.line <= line {
		return at
	}
	return mark{line, utf8.RuneCountInString(content[strings.LastIndexByte(content, '\n')+1:]) + 1}
}

// parserMarks returns where the parser of a decoder stopped, and where the block began that it was in. The
// library keeps both and publishes neither; without them the marks are zero.
func parserMarks(decoder *yaml.Decoder) (stopped, block mark) {
	node := reflect.ValueOf(decoder).Elem().FieldByName("parser")
	if node.Kind() != reflect.Pointer || node.IsNil() {
		return mark{}, mark{}
	}
	events := node.Elem().FieldByName("parser")
	if problem := fieldOf(events, "problem"); problem.Kind() == reflect.String && problem.Len() > 0 {
		stopped, block = markOf(fieldOf(events, "problem_mark")), markOf(fieldOf(events, "context_mark"))
		if context := fieldOf(events, "context"); context.Kind() == reflect.String && context.Len() == 0 {
			block = mark{}
		}
		return stopped, block
	}
	return markOf(fieldOf(fieldOf(node.Elem(), "event"), "start_mark")), mark{} // an alias
}

// fieldOf returns a field, the zero Value where there is none.
func fieldOf(v reflect.Value, name string) reflect.Value {
	if v.Kind() != reflect.Struct {
		return reflect.Value{}
	}
	return v.FieldByName(name)
}

// markOf reads a mark, whose line and column count from 0.
func markOf(v reflect.Value) mark {
	line, column := fieldOf(v, "line"), fieldOf(v, "column")
	if line.Kind() != reflect.Int || column.Kind() != reflect.Int {
		return mark{}
	}
	return mark{int(line.Int()) + 1, int(column.Int()) + 1}
}
