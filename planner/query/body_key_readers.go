package query

import (
	"math"
	"strconv"

	"github.com/semlayer/semlayer/modelspec/limits"
	"github.com/semlayer/semlayer/planner/planerr"
)

// bodyKeyValueKind is the JSON shape a key takes.
type bodyKeyValueKind uint8

const (
	bodyKeyValueText bodyKeyValueKind = iota
	bodyKeyValueBoolean
	bodyKeyValueInteger
	bodyKeyValueTextArray         // an array of strings
	bodyKeyValueFixedKeysObject   // an object with its own keys
	bodyKeyValueObjectArray       // an array of such objects
	bodyKeyValueObjectMap         // an object of free names, each with such an object
	bodyKeyValueScalarMap         // an object of free names, each with scalars
	bodyKeyValueTextOrObjectArray // an array of strings and of objects with their own keys
	bodyKeyValueNestedTextArray   // an array of arrays of strings
	bodyKeyValueNumber
	bodyKeyValueBooleanOrText // a boolean or a string
	bodyKeyValueScalarArray   // an array of scalars
	bodyKeyValueObjectOrArray // an object with its own keys, or an array of such objects
)

// bodyKey is one key of an object of a body; nested lists the keys one level down
// for the kinds that have them.
type bodyKey struct {
	name   string
	kind   bodyKeyValueKind
	nested []bodyKey
}

// keyReader is a key with the way to read its value into a T.
type keyReader[T any] struct {
	bodyKey
	read func(*scanner, *T) error
}

func keysOfReaders[T any](fields []keyReader[T]) []bodyKey {
	out := make([]bodyKey, len(fields))
	for i, f := range fields {
		out[i] = f.bodyKey
	}
	return out
}

// unknownKeySignal is the error of the first pass for a key that no table has; correctBodyError
// turns it into the error that the caller sees.
type unknownKeySignal struct{}

func (unknownKeySignal) Error() string { return "unknown key" }

// readObject reads an object whose keys the table gives.
func readObject[T any](s *scanner, fields []keyReader[T], into *T) error {
	if s.peek() != '{' {
		return s.wrongTypeError("an object")
	}
	var seen uint64
	return s.readObjectMembers(func(name string) error {
		for i := range fields {
			if fields[i].name != name {
				continue
			}
			if seen&(1<<i) != 0 {
				return s.duplicateKeyError()
			}
			seen |= 1 << i
			return fields[i].read(s, into)
		}
		return unknownKeySignal{}
	})
}

func (s *scanner) duplicateKeyError() error {
	return badRequestError("the key " + s.pathText() + " appears twice")
}

// decodeBody reads a whole body.
func decodeBody[T any](body []byte, fields []keyReader[T]) (*T, error) {
	return decodeAndCheckBody(body, fields, func(*T) error { return nil })
}

// decodeAndCheckBody reads a whole body that a check must accept.
func decodeAndCheckBody[T any](body []byte, fields []keyReader[T], check func(*T) error) (*T, error) {
	s := scanners.Get().(*scanner)
	defer s.returnToPool()
	s.text = string(body)
	if s.peek() == 0 && s.pos >= len(s.text) {
		return nil, badRequestError("the body is empty; it must be a JSON object")
	}
	into := new(T)
	err := readObject(s, fields, into)
	if err == nil {
		err = s.expectEnd()
	}
	if err != nil {
		return nil, correctBodyError(err, s.text, keysOfReaders(fields), func(body string) error {
			again := scanner{jsonLexer: jsonLexer{text: body}}
			patched := new(T)
			if err := readObject(&again, fields, patched); err != nil {
				return err
			}
			return check(patched)
		})
	}
	if err := check(into); err != nil {
		return nil, err
	}
	return into, nil
}

// readText reads a text of any length; null leaves it empty.
func (s *scanner) readText(into *string) error {
	if s.consumeNull() {
		return nil
	}
	return s.readRequiredText(into, "a string")
}

// readName reads a text that names something; null leaves it empty.
func (s *scanner) readName(into *string) error {
	if err := s.readText(into); err != nil {
		return err
	}
	return s.checkNameLength(*into)
}

// readResultColumnName reads the name that a query gives a result column: at most 128 letters,
// digits and underscores that do not begin with a digit.
func (s *scanner) readResultColumnName(into *string) error {
	if s.consumeNull() {
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
		return badRequestError(s.pathText() + " must be a name of at most " + strconv.Itoa(limits.QueryColumnNameBytes) +
			" letters, digits and underscores that does not begin with a digit, not " + strconv.Quote(planerr.ClipText(name)))
	}
	return nil
}

// readNonEmptyName reads a name that means nothing when it is empty.
func readNonEmptyName(s *scanner, into *string) error {
	if s.consumeNull() {
		return nil
	}
	if err := s.readName(into); err != nil || *into != "" {
		return err
	}
	return badRequestError(s.pathText() + " must not be empty")
}

// readTimeZone reads the name of a zone, which planning looks up.
func readTimeZone(s *scanner, into *string) error {
	if s.consumeNull() {
		return nil
	}
	if err := s.readName(into); err != nil || *into != "" {
		return err
	}
	return &planerr.Error{
		Code: planerr.CodeUnknownTimeZone, Message: s.pathText() + " is empty; it must be the name of a zone in the IANA database",
		Candidates: []string{"UTC"}, SuggestedRetry: `{"time_zone":null}`,
	}
}

// readNonEmptyText reads a text of any length that means nothing when it is empty.
func readNonEmptyText(s *scanner, into *string) error {
	if s.consumeNull() {
		return nil
	}
	if err := s.readText(into); err != nil || *into != "" {
		return err
	}
	return badRequestError(s.pathText() + " must not be empty")
}

// checkNameLength rejects a name that is longer than any name is, so that no answer has
// to repeat it.
func (s *scanner) checkNameLength(name string) error {
	if len(name) <= limits.QueryNameBytes {
		return nil
	}
	return badRequestError(s.pathText() + " is longer than " + strconv.Itoa(limits.QueryNameBytes) + " bytes")
}

func (s *scanner) readRequiredText(into *string, expected string) (err error) {
	if s.peek() != '"' {
		return s.wrongTypeError(expected)
	}
	*into, err = s.readString()
	return err
}

func (s *scanner) readBool(into *bool) error {
	switch s.peek() {
	case 't', 'f':
		word, err := s.readLiteralWord()
		*into = word == "true"
		return err
	}
	if s.consumeNull() {
		return nil
	}
	return s.wrongTypeError("true or false")
}

// readOptionalBool reads a boolean that may be absent.
func readOptionalBool(s *scanner, into **bool) error {
	if s.consumeNull() {
		return nil
	}
	*into = new(bool)
	return s.readBool(*into)
}

// readCount reads a non-negative integer.
func (s *scanner) readCount(into **int64) error {
	return s.readInteger(into, 0, math.MaxInt64, "a non-negative integer")
}

// readInteger reads an integer between bounds, which expected names.
func (s *scanner) readInteger(into **int64, least, most int64, expected string) error {
	if s.consumeNull() {
		return nil
	}
	if c := s.peek(); c != '-' && (c < '0' || c > '9') {
		return s.wrongTypeError(expected)
	}
	digits, err := s.readNumberToken()
	if err != nil {
		return err
	}
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || n < least || n > most {
		return badRequestError(s.pathText() + " must be " + expected + ", not " + planerr.ClipText(digits))
	}
	*into = &n
	return nil
}

// readPositiveInteger reads an integer from 1 to most.
func readPositiveInteger(s *scanner, into *int64, most int64) error {
	expected := "a positive integer"
	if most < math.MaxInt64 {
		expected = "an integer from 1 to " + strconv.FormatInt(most, 10)
	}
	var n *int64
	if err := s.readInteger(&n, 1, most, expected); err != nil || n == nil {
		return err
	}
	*into = *n
	return nil
}

// readRowOffset reads a number of rows to skip; null is 0.
func (s *scanner) readRowOffset(into *int64) error {
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
		if err := s.readRequiredText(&item, "a string"); err != nil {
			return err
		}
		if err := s.checkNameLength(item); err != nil {
			return err
		}
		*into = append(*into, item)
		return nil
	})
}

// readDistinctNonEmptyNames reads an array of names that holds one at least and each once.
func readDistinctNonEmptyNames(s *scanner, into *[]string, most int) error {
	if s.consumeNull() {
		return nil
	}
	if err := readDistinctNames(s, into, most); err != nil || len(*into) > 0 {
		return err
	}
	return badRequestError(s.pathText() + " needs at least one element")
}

// readDistinctNames reads an array of names that differ, at most most of them.
func readDistinctNames(s *scanner, into *[]string, most int) error {
	if err := s.readTexts(into, most); err != nil {
		return err
	}
	if i := firstRepeatedIndex(*into); i >= 0 {
		return badRequestError(s.pathText() + " holds " + strconv.Quote(planerr.ClipText((*into)[i])) + " twice")
	}
	return nil
}

// firstRepeatedIndex returns the index of the first name that appears before it too; -1 without one.
func firstRepeatedIndex(names []string) int {
	seen := make(map[string]bool, len(names))
	for i, name := range names {
		if seen[name] {
			return i
		}
		seen[name] = true
	}
	return -1
}

// readArray reads an array or null and rejects more than most elements.
func (s *scanner) readArray(most int, expected string, item func(i int) error) error {
	if s.consumeNull() {
		return nil
	}
	if s.peek() != '[' {
		return s.wrongTypeError(expected)
	}
	return s.readItems(func(i int) error {
		if i >= most {
			s.path = s.path[:len(s.path)-1]
			return badRequestError(s.pathText() + " may hold at most " + strconv.Itoa(most) + " elements")
		}
		return item(i)
	})
}

// readNamedMembers reads an object of free names or null. The names must differ.
func (s *scanner) readNamedMembers(most int, expected string, member func(name string) error) error {
	if s.consumeNull() {
		return nil
	}
	if s.peek() != '{' {
		return s.wrongTypeError(expected)
	}
	seen := map[string]bool{}
	return s.readObjectMembers(func(name string) error {
		if seen[name] {
			return s.duplicateKeyError()
		}
		if len(seen) >= most {
			s.path = s.path[:len(s.path)-1]
			return badRequestError(s.pathText() + " may hold at most " + strconv.Itoa(most) + " names")
		}
		seen[name] = true
		if err := s.checkNameLength(name); err != nil {
			return err
		}
		return member(name)
	})
}

// requireKeyValue rejects an element that lacks a key without which it means nothing.
func (s *scanner) requireKeyValue(value, name, example string) error {
	if value != "" {
		return nil
	}
	return &planerr.Error{Code: planerr.CodeBadRequest, Message: s.pathText() + " needs " + name + ", as in " + example}
}
