package statement

import (
	"strings"

	"github.com/semlayer/semlayer/semsql/parse"
)

// readPrepare reads PREPARE name [(types)] AS statement.
func (r *reader) readPrepare() (Statement, error) {
	if r.peekToken(0).IsWord("transaction") {
		return nil, r.unsupportedStatementError()
	}
	name, err := r.expectName()
	if err != nil {
		return nil, err
	}
	s := &Prepare{Name: name}
	if r.acceptSymbol("(") {
		if s.Types, err = r.readTypeNames(); err != nil {
			return nil, err
		}
	}
	if !r.acceptWords("as") {
		return nil, r.unexpectedTokenError("AS")
	}
	s.Text, s.Before, err = r.restText()
	return s, err
}

// readTypeNames reads the names of types up to the closing parenthesis.
func (r *reader) readTypeNames() ([]string, error) {
	var out []string
	for {
		var words []string
		for !r.isAtEnd() && r.peekToken(0).IsName() {
			words = append(words, foldedName(r.peekToken(0)))
			r.at++
			if len(words) == 1 && words[0] == "pg_catalog" && r.acceptSymbol(".") {
				words = nil
			}
		}
		if len(words) == 0 {
			return nil, r.unexpectedTokenError("a type")
		}
		if r.acceptSymbol("(") { // length, or precision and scale
			for !r.isAtEnd() && !r.acceptSymbol(")") {
				r.at++
			}
		}
		name := strings.Join(words, " ")
		if r.acceptSymbol("[") {
			if !r.acceptSymbol("]") {
				return nil, r.unexpectedTokenError("]")
			}
			name += "[]"
		}
		out = append(out, name)
		if r.acceptSymbol(")") {
			return out, nil
		}
		if !r.acceptSymbol(",") {
			return nil, r.unexpectedTokenError("a comma or )")
		}
	}
}

// readExecute reads EXECUTE name [(constants)].
func (r *reader) readExecute() (Statement, error) {
	name, err := r.expectName()
	if err != nil {
		return nil, err
	}
	s := &Execute{Name: name}
	if r.acceptSymbol("(") && !r.acceptSymbol(")") {
		for {
			v, err := r.readExecuteConstant()
			if err != nil {
				return nil, err
			}
			s.Values = append(s.Values, v)
			if r.acceptSymbol(")") {
				break
			}
			if !r.acceptSymbol(",") {
				return nil, r.unexpectedTokenError("a comma or )")
			}
		}
	}
	return r.expectEnd(s)
}

// readExecuteConstant reads a constant with an optional sign, type before it or cast after it.
func (r *reader) readExecuteConstant() (ExecuteConstant, error) {
	sign := ""
	if r.acceptSymbol("-") {
		sign = "-"
	} else {
		r.acceptSymbol("+")
	}
	t := r.peekToken(0)
	v := ExecuteConstant{Text: t.Text}
	switch {
	case r.isAtEnd():
		return v, r.unexpectedTokenError("a constant")
	case t.Kind == parse.NumberToken:
		v.Text, v.Type = sign+t.Text, "numeric"
	case sign != "":
		return v, r.unexpectedTokenError("a number")
	case t.Kind == parse.TextToken:
	case t.IsWord("null"):
		v = ExecuteConstant{Null: true}
	case t.IsWord("true"), t.IsWord("false"):
		v.Text, v.Type = strings.ToLower(t.Text), "boolean"
	case t.Kind == parse.WordToken && r.peekToken(1).Kind == parse.TextToken: // DATE '2024-01-31'
		r.at++
		v.Text, v.Type = r.peekToken(0).Text, strings.ToLower(t.Text)
	default:
		return v, r.unexpectedTokenError("a constant")
	}
	r.at++
	for r.acceptSymbol("::") {
		if v.Type, _ = r.expectName(); v.Type == "" {
			return v, r.unexpectedTokenError("a type")
		}
		for !r.isAtEnd() && r.peekToken(0).Kind == parse.WordToken {
			v.Type += " " + strings.ToLower(r.peekToken(0).Text)
			r.at++
		}
		if r.acceptSymbol("[") {
			if !r.acceptSymbol("]") {
				return v, r.unexpectedTokenError("]")
			}
			v.Type += "[]"
		}
	}
	return v, nil
}

func (r *reader) readDeallocate() (Statement, error) {
	r.acceptWords("prepare")
	if r.acceptWords("all") {
		return r.expectEnd(&Deallocate{})
	}
	name, err := r.expectName()
	if err != nil {
		return nil, err
	}
	return r.expectEnd(&Deallocate{Name: name})
}

// readExplain reads EXPLAIN [(options)] [ANALYZE] [VERBOSE] statement.
func (r *reader) readExplain() (Statement, error) {
	at := r.peekToken(0).Position
	if r.acceptSymbol("(") {
		for open := 1; open > 0; r.at++ {
			switch t := r.peekToken(0); {
			case r.isAtEnd():
				return nil, r.unexpectedTokenError(")")
			case t.IsSymbol("("):
				open++
			case t.IsSymbol(")"):
				open--
			case (t.IsWord("analyze") || t.IsWord("analyse")) && !r.peekToken(1).IsWord("false") && !r.peekToken(1).IsWord("off"):
				return nil, unsupportedConstructError(t.Position, "EXPLAIN ANALYZE", "EXPLAIN shows the plan")
			case t.IsWord("format") && !strings.EqualFold(r.peekToken(1).Text, "text"):
				return nil, unsupportedConstructError(t.Position, "this format of EXPLAIN", "the format is text")
			}
		}
	}
	if r.acceptWords("analyze") || r.acceptWords("analyse") {
		return nil, unsupportedConstructError(at, "EXPLAIN ANALYZE", "EXPLAIN shows the plan")
	}
	r.acceptWords("verbose")
	if r.isAtEnd() {
		return nil, r.unexpectedTokenError("a statement")
	}
	text, before, err := r.restText()
	if err != nil {
		return nil, err
	}
	inner, err := Read(text)
	if err != nil {
		return nil, shiftErrorPosition(err, before)
	}
	if _, ok := inner.(*Select); !ok {
		return nil, unsupportedConstructError(r.peekToken(0).Position, "EXPLAIN of a statement that is not SELECT", "")
	}
	return &Explain{Text: text, Before: before}, nil
}
