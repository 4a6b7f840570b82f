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

type jsonValueKind uint8

const (
	jsonNull jsonValueKind = iota
	jsonBool
	jsonNumber
	jsonString
	jsonList
	jsonObject
)

var jsonKindNames = [...]string{"null", "a boolean", "a number", "a string", "a list", "an object"}

// jsonNode is a JSON value with its position in the text.
type jsonNode struct {
	kind   jsonValueKind
	text   string // of a string: its value; of a number: its literal
	truth  bool
	flawed bool // it does not have its shape
	list   []*jsonNode
	keys   []string // of an object, in order; values in list
	offset int
	parent *jsonNode
	step   string // from the parent: ".offset", "[2]"
}

// pathInPayload returns the path of the value in the payload: ".window.offset", "[2]". It is
// built on demand, because a payload has more values than findings.
func (n *jsonNode) pathInPayload() string {
	var steps []string
	for at := n; at != nil; at = at.parent {
		steps = append(steps, at.step)
	}
	slices.Reverse(steps)
	return strings.Join(steps, "")
}

func (n *jsonNode) findMember(key string) *jsonNode {
	for i, k := range n.keys {
		if k == key {
			return n.list[i]
		}
	}
	return nil
}

// describeKind returns the kind of a value, for error messages.
func (n *jsonNode) describeKind() string {
	switch n.kind {
	case jsonNumber:
		return "the number " + n.text
	case jsonString:
		return strconv.Quote(n.text)
	case jsonBool:
		return strconv.FormatBool(n.truth)
	}
	return jsonKindNames[n.kind]
}

// jsonSyntaxError is a flaw of the payload's JSON with its place.
type jsonSyntaxError struct {
	offset  int
	message string
}

func (e *jsonSyntaxError) Error() string { return e.message }

const maxPayloadDepth = limits.PayloadDepth

// parseJSON reads one JSON value and rejects duplicate keys.
func parseJSON(text string) (*jsonNode, *jsonSyntaxError) {
	dec := json.NewDecoder(strings.NewReader(text))
	dec.UseNumber()
	p := jsonParser{text, dec}
	n, err := p.parseValue(nil, "", 0)
	if err == nil {
		if _, more := dec.Token(); !errors.Is(more, io.EOF) {
			return nil, &jsonSyntaxError{int(dec.InputOffset()), "there is text after the end of the JSON value"}
		}
		return n, nil
	}
	if flaw := (*jsonSyntaxError)(nil); errors.As(err, &flaw) {
		return nil, flaw
	}
	// The token reader counts offsets in two ways; the validator has one.
	var syntax *json.SyntaxError
	if whole := json.Unmarshal([]byte(text), new(json.RawMessage)); errors.As(whole, &syntax) && int(syntax.Offset) < len(text) {
		return nil, &jsonSyntaxError{max(0, int(syntax.Offset)-1), whole.Error()}
	}
	return nil, &jsonSyntaxError{len(text), "unexpected end of the text"}
}

type jsonParser struct {
	text string
	dec  *json.Decoder
}

func (p jsonParser) nextTokenOffset() int {
	i := int(p.dec.InputOffset())
	for i < len(p.text) && strings.IndexByte(" \t\r\n,:", p.text[i]) >= 0 {
		i++
	}
	return i
}

func (p jsonParser) parseValue(parent *jsonNode, step string, depth int) (*jsonNode, error) {
	n := &jsonNode{offset: p.nextTokenOffset(), parent: parent, step: step}
	if depth > maxPayloadDepth {
		return nil, &jsonSyntaxError{n.offset, fmt.Sprintf("the payload is nested deeper than %d levels", maxPayloadDepth)}
	}
	token, err := p.dec.Token()
	if err != nil {
		return nil, err
	}
	switch t := token.(type) {
	case bool:
		n.kind, n.truth = jsonBool, t
	case json.Number:
		n.kind, n.text = jsonNumber, t.String()
	case string:
		n.kind, n.text = jsonString, t
	case json.Delim:
		if t == '{' {
			n.kind = jsonObject
			return n, p.parseMembers(n, depth)
		}
		n.kind = jsonList
		return n, p.parseItems(n, depth)
	}
	return n, nil
}

func (p jsonParser) parseItems(n *jsonNode, depth int) error {
	for i := 0; p.dec.More(); i++ {
		item, err := p.parseValue(n, "["+strconv.Itoa(i)+"]", depth+1)
		if err != nil {
			return err
		}
		n.list = append(n.list, item)
	}
	_, err := p.dec.Token()
	return err
}

func (p jsonParser) parseMembers(n *jsonNode, depth int) error {
	given := map[string]bool{}
	for p.dec.More() {
		at := p.nextTokenOffset()
		token, err := p.dec.Token()
		if err != nil {
			return err
		}
		key := token.(string) // the decoder allows nothing else here
		if given[key] {
			return &jsonSyntaxError{at, fmt.Sprintf("the key %q is given twice", key)}
		}
		given[key] = true
		value, err := p.parseValue(n, "."+key, depth+1)
		if err != nil {
			return err
		}
		n.keys = append(n.keys, key)
		n.list = append(n.list, value)
	}
	_, err := p.dec.Token()
	return err
}
