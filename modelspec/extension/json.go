package extension

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/semlayer/semlayer/modelspec/limits"
)

type kind uint8

const (
	kindNull kind = iota
	kindBool
	kindNumber
	kindString
	kindList
	kindObject
)

var kindNames = [...]string{"null", "a boolean", "a number", "a string", "a list", "an object"}

// node is a JSON value with its position in the text.
type node struct {
	kind   kind
	text   string // of a string: its value; of a number: its literal
	truth  bool
	list   []*node
	keys   []string // of an object, in order; values in list
	offset int
	parent *node
	step   string // from the parent: ".offset", "[2]"
}

// path is where the value stands in the payload: ".window.offset", "[2]". It is
// put together when it is asked for: a payload has more values than findings.
func (n *node) path() string {
	var steps []string
	for at := n; at != nil; at = at.parent {
		steps = append(steps, at.step)
	}
	slices.Reverse(steps)
	return strings.Join(steps, "")
}

func (n *node) member(key string) *node {
	for i, k := range n.keys {
		if k == key {
			return n.list[i]
		}
	}
	return nil
}

// describe returns the kind of a value, for error messages.
func (n *node) describe() string {
	switch n.kind {
	case kindNumber:
		return "the number " + n.text
	case kindString:
		return strconv.Quote(n.text)
	case kindBool:
		return strconv.FormatBool(n.truth)
	}
	return kindNames[n.kind]
}

// jsonError is a flaw of the payload's JSON with its place.
type jsonError struct {
	offset  int
	message string
}

func (e *jsonError) Error() string { return e.message }

const maxDepth = limits.PayloadDepth

// parse reads one JSON value and refuses duplicate keys.
func parse(text string) (*node, *jsonError) {
	dec := json.NewDecoder(strings.NewReader(text))
	dec.UseNumber()
	p := parser{text, dec}
	n, err := p.value(nil, "", 0)
	if err == nil {
		if _, more := dec.Token(); !errors.Is(more, io.EOF) {
			return nil, &jsonError{int(dec.InputOffset()), "there is text after the end of the JSON value"}
		}
		return n, nil
	}
	if flaw := (*jsonError)(nil); errors.As(err, &flaw) {
		return nil, flaw
	}
	// The token reader counts offsets in two ways; the validator has one.
	var syntax *json.SyntaxError
	if whole := json.Unmarshal([]byte(text), new(json.RawMessage)); errors.As(whole, &syntax) && int(syntax.Offset) < len(text) {
		return nil, &jsonError{max(0, int(syntax.Offset)-1), whole.Error()}
	}
	return nil, &jsonError{len(text), "unexpected end of the text"}
}

type parser struct {
	text string
	dec  *json.Decoder
}

func (p parser) offset() int {
	i := int(p.dec.InputOffset())
	for i < len(p.text) && strings.IndexByte(" \t\r\n,:", p.text[i]) >= 0 {
		i++
	}
	return i
}

func (p parser) value(parent *node, step string, depth int) (*node, error) {
	n := &node{offset: p.offset(), parent: parent, step: step}
	if depth > maxDepth {
		return nil, &jsonError{n.offset, fmt.Sprintf("the payload is nested deeper than %d levels", maxDepth)}
	}
	token, err := p.dec.Token()
	if err != nil {
		return nil, err
	}
	switch t := token.(type) {
	case bool:
		n.kind, n.truth = kindBool, t
	case json.Number:
		n.kind, n.text = kindNumber, t.String()
	case string:
		n.kind, n.text = kindString, t
	case json.Delim:
		if t == '{' {
			n.kind = kindObject
			return n, p.object(n, depth)
		}
		n.kind = kindList
		return n, p.items(n, depth)
	}
	return n, nil
}

func (p parser) items(n *node, depth int) error {
	for i := 0; p.dec.More(); i++ {
		item, err := p.value(n, "["+strconv.Itoa(i)+"]", depth+1)
		if err != nil {
			return err
		}
		n.list = append(n.list, item)
	}
	_, err := p.dec.Token()
	return err
}

func (p parser) object(n *node, depth int) error {
	given := map[string]bool{}
	for p.dec.More() {
		at := p.offset()
		token, err := p.dec.Token()
		if err != nil {
			return err
		}
		key := token.(string) // the decoder allows nothing else here
		if given[key] {
			return &jsonError{at, fmt.Sprintf("the key %q is given twice", key)}
		}
		given[key] = true
		value, err := p.value(n, "."+key, depth+1)
		if err != nil {
			return err
		}
		n.keys = append(n.keys, key)
		n.list = append(n.list, value)
	}
	_, err := p.dec.Token()
	return err
}
