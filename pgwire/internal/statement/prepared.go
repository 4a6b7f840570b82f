package statement

import (
	"strings"

	"github.com/semlayer/semlayer/semsql/parse"
)

// readPrepare reads PREPARE name [(types)] AS statement.
func (r *reader) readPrepare() (Statement, error) {
	if r.peek(0).IsWord("transaction") {
		return nil, r.refuse()
	}
	name, err := r.expectName()
	if err != nil {
		return nil, err
	}
	s := &Prepare{Name: name}
	if r.acceptSign("(") {
		if s.Types, err = r.readTypes(); err != nil {
			return nil, err
		}
	}
	if !r.acceptWords("as") {
		return nil, r.unexpected("AS")
	}
	s.Text, err = r.restText()
	return s, err
}

// readTypes reads the names of types up to the closing parenthesis.
func (r *reader) readTypes() ([]string, error) {
	var out []string
	for {
		var words []string
		for !r.ended() && r.peek(0).IsName() {
			words = append(words, nameText(r.peek(0)))
			r.at++
		}
		if len(words) == 0 {
			return nil, r.unexpected("a type")
		}
		if r.acceptSign("(") { // length, or precision and scale
			for !r.ended() && !r.acceptSign(")") {
				r.at++
			}
		}
		out = append(out, strings.Join(words, " "))
		if r.acceptSign(")") {
			return out, nil
		}
		if !r.acceptSign(",") {
			return nil, r.unexpected("a comma or )")
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
	if r.acceptSign("(") && !r.acceptSign(")") {
		for {
			v, err := r.readValue()
			if err != nil {
				return nil, err
			}
			s.Values = append(s.Values, v)
			if r.acceptSign(")") {
				break
			}
			if !r.acceptSign(",") {
				return nil, r.unexpected("a comma or )")
			}
		}
	}
	return r.finish(s)
}

// readValue reads a constant with an optional sign, type before it or cast behind it.
func (r *reader) readValue() (Value, error) {
	sign := ""
	if r.acceptSign("-") {
		sign = "-"
	} else {
		r.acceptSign("+")
	}
	t := r.peek(0)
	v := Value{Text: t.Text}
	switch {
	case r.ended():
		return v, r.unexpected("a constant")
	case t.Kind == parse.NumberToken:
		v.Text, v.Type = sign+t.Text, "numeric"
	case sign != "":
		return v, r.unexpected("a number")
	case t.Kind == parse.TextToken:
	case t.IsWord("null"):
		v = Value{Null: true}
	case t.IsWord("true"), t.IsWord("false"):
		v.Text, v.Type = strings.ToLower(t.Text), "boolean"
	case t.Kind == parse.WordToken && r.peek(1).Kind == parse.TextToken: // DATE '2024-01-31'
		r.at++
		v.Text, v.Type = r.peek(0).Text, strings.ToLower(t.Text)
	default:
		return v, r.unexpected("a constant")
	}
	r.at++
	for r.acceptSign("::") {
		if v.Type, _ = r.expectName(); v.Type == "" {
			return v, r.unexpected("a type")
		}
		for !r.ended() && r.peek(0).Kind == parse.WordToken {
			v.Type += " " + strings.ToLower(r.peek(0).Text)
			r.at++
		}
	}
	return v, nil
}

func (r *reader) readDeallocate() (Statement, error) {
	r.acceptWords("prepare")
	if r.acceptWords("all") {
		return r.finish(&Deallocate{})
	}
	name, err := r.expectName()
	if err != nil {
		return nil, err
	}
	return r.finish(&Deallocate{Name: name})
}

// readExplain reads EXPLAIN [(options)] [ANALYZE] [VERBOSE] statement.
func (r *reader) readExplain() (Statement, error) {
	at := r.peek(0).Position
	if r.acceptSign("(") {
		for open := 1; open > 0; r.at++ {
			switch t := r.peek(0); {
			case r.ended():
				return nil, r.unexpected(")")
			case t.IsSign("("):
				open++
			case t.IsSign(")"):
				open--
			case (t.IsWord("analyze") || t.IsWord("analyse")) && !r.peek(1).IsWord("false") && !r.peek(1).IsWord("off"):
				return nil, unsupported(t.Position, "EXPLAIN ANALYZE", "EXPLAIN shows the plan")
			}
		}
	}
	if r.acceptWords("analyze") || r.acceptWords("analyse") {
		return nil, unsupported(at, "EXPLAIN ANALYZE", "EXPLAIN shows the plan")
	}
	r.acceptWords("verbose")
	if r.ended() {
		return nil, r.unexpected("a statement")
	}
	start := r.peek(0).Start
	text, err := r.restText()
	if err != nil {
		return nil, err
	}
	inner, err := Read(text)
	if err != nil {
		return nil, moved(err, r.text[:start])
	}
	if _, ok := inner.(*Select); !ok {
		return nil, unsupported(r.peek(0).Position, "EXPLAIN of a statement that is not SELECT", "")
	}
	return &Explain{Text: text}, nil
}
