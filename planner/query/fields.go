package query

import (
	"errors"
	"strconv"

	"github.com/semlayer/semlayer/modelspec/limits"
	"github.com/semlayer/semlayer/planner/planerr"
)

// kind is the JSON shape a key takes.
type kind uint8

const (
	textKind kind = iota
	booleanKind
	integerKind
	textsKind      // an array of strings
	objectKind     // an object with its own keys
	objectsKind    // an array of such objects
	objectsMapKind // an object of free names, each with such an object
	bindingsKind   // an object of free names, each with scalars
)

// key is one key of an object of a body; nested lists the keys one level down
// for the kinds that have them.
type key struct {
	name   string
	kind   kind
	nested []key
}

// field is a key with the way to read its value into a T.
type field[T any] struct {
	key
	read func(*scanner, *T) error
}

func keysOfFields[T any](fields []field[T]) []key {
	out := make([]key, len(fields))
	for i, f := range fields {
		out[i] = f.key
	}
	return out
}

// unknownKey is the error of the first pass for a key that no table has; decode
// turns it into the error that the caller sees.
type unknownKey struct{}

func (unknownKey) Error() string { return "unknown key" }

// readObject reads an object whose keys the table gives.
func readObject[T any](s *scanner, fields []field[T], into *T) error {
	if s.peek() != '{' {
		return s.wrongTypeError("an object")
	}
	var seen uint32
	return s.members(func(name string) error {
		for i := range fields {
			if fields[i].name != name {
				continue
			}
			if seen&(1<<i) != 0 {
				return s.duplicate()
			}
			seen |= 1 << i
			return fields[i].read(s, into)
		}
		return unknownKey{}
	})
}

func (s *scanner) duplicate() error { return badRequest("the key " + s.place() + " appears twice") }

// decode reads a whole body.
func decode[T any](body []byte, fields []field[T]) (*T, error) {
	s := scanner{tokens: tokens{text: string(body)}, path: make([]step, 0, 8)}
	if s.peek() == 0 && s.pos >= len(s.text) {
		return nil, badRequest("the body is empty; it must be a JSON object")
	}
	into := new(T)
	err := readObject(&s, fields, into)
	if err == nil {
		err = s.end()
	}
	var unknown unknownKey
	if errors.As(err, &unknown) {
		return nil, unknownKeyError(s.text, keysOfFields(fields), func(body string) error {
			again := scanner{tokens: tokens{text: body}}
			return readObject(&again, fields, new(T))
		})
	}
	if err != nil {
		return nil, err
	}
	return into, nil
}

// readText reads a text of any length; null leaves it empty.
func (s *scanner) readText(into *string) error {
	if s.null() {
		return nil
	}
	return s.needText(into, "a string")
}

// readName reads a text that names something; null leaves it empty.
func (s *scanner) readName(into *string) error {
	if err := s.readText(into); err != nil {
		return err
	}
	return s.checkNameLength(*into)
}

// readColumnName reads the name that a query gives a result column: at most 128 letters,
// digits and underscores that do not begin with a digit.
func (s *scanner) readColumnName(into *string) error {
	if s.null() {
		return nil
	}
	if err := s.readText(into); err != nil {
		return err
	}
	name := *into
	valid := name != "" && len(name) <= limits.QueryColumnNameBytes && (name[0] < '0' || name[0] > '9')
	for i := 0; valid && i < len(name); i++ {
		c := name[i]
		valid = c == '_' || '0' <= c && c <= '9' || 'A' <= c && c <= 'Z' || 'a' <= c && c <= 'z'
	}
	if !valid {
		return badRequest(s.place() + " must be a name of at most " + strconv.Itoa(limits.QueryColumnNameBytes) +
			" letters, digits and underscores that does not begin with a digit, not " + strconv.Quote(planerr.Clip(name)))
	}
	return nil
}

// checkNameLength refuses a name that is longer than any name is, so that no answer has
// to repeat it.
func (s *scanner) checkNameLength(name string) error {
	if len(name) <= limits.QueryNameBytes {
		return nil
	}
	return badRequest(s.place() + " is longer than " + strconv.Itoa(limits.QueryNameBytes) + " bytes")
}

func (s *scanner) needText(into *string, expected string) (err error) {
	if s.peek() != '"' {
		return s.wrongTypeError(expected)
	}
	*into, err = s.str()
	return err
}

func (s *scanner) readBool(into *bool) error {
	switch s.peek() {
	case 't', 'f':
		word, err := s.literalWord()
		*into = word == "true"
		return err
	}
	if s.null() {
		return nil
	}
	return s.wrongTypeError("true or false")
}

// readCount reads a non-negative integer.
func (s *scanner) readCount(into **int64) error {
	if s.null() {
		return nil
	}
	const expected = "a non-negative integer"
	if c := s.peek(); c != '-' && (c < '0' || c > '9') {
		return s.wrongTypeError(expected)
	}
	digits, err := s.number()
	if err != nil {
		return err
	}
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || n < 0 {
		return badRequest(s.place() + " must be " + expected + ", not " + planerr.Clip(digits))
	}
	*into = &n
	return nil
}

// readOffset reads a number of rows to skip; null is 0.
func (s *scanner) readOffset(into *int64) error {
	var n *int64
	if err := s.readCount(&n); err != nil || n == nil {
		return err
	}
	*into = *n
	return nil
}

// readTexts reads an array of strings, at most most of them.
func (s *scanner) readTexts(into *[]string, most int) error {
	return s.readArray(most, "an array of strings", func(int) error {
		var item string
		if err := s.needText(&item, "a string"); err != nil {
			return err
		}
		if err := s.checkNameLength(item); err != nil {
			return err
		}
		*into = append(*into, item)
		return nil
	})
}

// readArray reads an array or null and refuses more than most elements.
func (s *scanner) readArray(most int, expected string, item func(i int) error) error {
	if s.null() {
		return nil
	}
	if s.peek() != '[' {
		return s.wrongTypeError(expected)
	}
	return s.array(func(i int) error {
		if i >= most {
			s.path = s.path[:len(s.path)-1]
			return badRequest(s.place() + " may hold at most " + strconv.Itoa(most) + " elements")
		}
		return item(i)
	})
}

// readNamed reads an object of free names or null. The names must differ.
func (s *scanner) readNamed(most int, expected string, member func(name string) error) error {
	if s.null() {
		return nil
	}
	if s.peek() != '{' {
		return s.wrongTypeError(expected)
	}
	seen := map[string]bool{}
	return s.members(func(name string) error {
		if seen[name] {
			return s.duplicate()
		}
		if len(seen) >= most {
			s.path = s.path[:len(s.path)-1]
			return badRequest(s.place() + " may hold at most " + strconv.Itoa(most) + " names")
		}
		seen[name] = true
		if err := s.checkNameLength(name); err != nil {
			return err
		}
		return member(name)
	})
}

// required refuses an element that lacks a key without which it means nothing.
func (s *scanner) required(value, name, example string) error {
	if value != "" {
		return nil
	}
	return &planerr.Error{Code: planerr.CodeBadRequest, Message: s.place() + " needs " + name + ", as in " + example}
}
