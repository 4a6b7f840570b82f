package modeltest

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/semlayer/semlayer/modelspec/access"
	"github.com/semlayer/semlayer/modelspec/document"
)

// RequestKind is the kind of the request of a test.
type RequestKind string

// The kinds.
const (
	KindQuery      RequestKind = "query"
	KindSelect     RequestKind = "select"
	KindAttribute  RequestKind = "attribute"
	KindSavedQuery RequestKind = "saved" // the saved query decides
)

// TestFile is a file of tests.
type TestFile struct {
	Path  string
	Tests []Test
}

// Test is one test.
type Test struct {
	Name   string
	Line   int // of the test in its file
	Kind   RequestKind
	Saved  string          // the saved query that the body names
	Body   json.RawMessage // as sent over HTTP
	As     *access.Claims  // the reader that asks; nil is the author
	Expect Expectation
	Skip   string // the reason; "" runs the test
}

// Expectation is what a test expects. Exactly one of Rows, SQL, Count, Error is set; none means
// that the query compiles.
type Expectation struct {
	Columns       []string // of Rows
	Rows          [][]any  // nil, bool, string or json.Number each; nil when not expected
	HasRows       bool
	SQL           string
	ByPosition    bool
	Count         *RowCountRange
	Error         string
	Ordered       *bool // nil: true for Rows where the body has order_by
	Tolerance     float64
	ColumnsSubset bool
}

// RowCountRange is a number of rows; Max is -1 without a maximum.
type RowCountRange struct{ Min, Max int64 }

// The limits of a test file.
const (
	MaxTestFileBytes = 4 << 20
	maxTestsPerFile  = 10_000
	maxYAMLNodes     = 200_000
	maxYAMLDepth     = 32
)

// DefaultTolerance is the relative difference that numbers may have.
const DefaultTolerance = 1e-9

// ParseError is a mistake in a test file.
type ParseError struct {
	Path    string
	Line    int
	Message string
}

// Error returns the place and the message.
func (e *ParseError) Error() string { return fmt.Sprintf("%s:%d: %s", e.Path, e.Line, e.Message) }

type testFileParser struct {
	path  string
	nodes int
}

func (p *testFileParser) newError(n *document.Node, format string, args ...any) error {
	return &ParseError{p.path, max(int(n.Line), 1), fmt.Sprintf(format, args...)}
}

// ParseTestFile reads the text of a test file. The error is a *ParseError.
func ParseTestFile(path string, text []byte) (*TestFile, error) {
	p := &testFileParser{path: path}
	start := &document.Node{Line: 1}
	if len(text) > MaxTestFileBytes {
		return nil, p.newError(start, "the file has more than %d bytes", MaxTestFileBytes)
	}
	documents, err := document.ReadYAML(text, 1)
	if mistake := (*document.Error)(nil); errors.As(err, &mistake) {
		return nil, p.newError(&document.Node{Line: int32(mistake.Line)}, "the text is not YAML: %s", err)
	}
	if len(documents) == 0 {
		return nil, p.newError(start, "the file is empty; it needs the key tests")
	}
	file := documents[0].Root
	if err := p.checkYAMLSizeAndAliases(file, 0); err != nil {
		return nil, err
	}
	root, err := p.parseMapping(file, "the file", "tests")
	if err != nil {
		return nil, err
	}
	list := root["tests"]
	if list == nil || list.Kind != document.SequenceNode || len(list.Content) > maxTestsPerFile {
		return nil, p.newError(file, "tests must be a list of at most %d tests", maxTestsPerFile)
	}
	f := &TestFile{Path: path}
	seen := map[string]bool{}
	for _, n := range list.Content {
		t, err := p.parseTest(n)
		if err != nil {
			return nil, err
		}
		if seen[t.Name] {
			return nil, p.newError(n, "a second test is named %q", t.Name)
		}
		seen[t.Name] = true
		f.Tests = append(f.Tests, t)
	}
	return f, nil
}

// checkYAMLSizeAndAliases bounds the tree and rejects aliases, which could make it large.
func (p *testFileParser) checkYAMLSizeAndAliases(n *document.Node, depth int) error {
	if p.nodes++; p.nodes > maxYAMLNodes || depth > maxYAMLDepth {
		return p.newError(n, "the file has more than %d values, or more than %d levels", maxYAMLNodes, maxYAMLDepth)
	}
	if n.Kind == document.AliasNode {
		return p.newError(n, "a test file takes no aliases")
	}
	for _, c := range n.Content {
		if err := p.checkYAMLSizeAndAliases(c, depth+1); err != nil {
			return err
		}
	}
	return nil
}

// parseMapping returns the members of a mapping; with keys it takes no others.
func (p *testFileParser) parseMapping(n *document.Node, what string, keys ...string) (map[string]*document.Node, error) {
	if n.Kind != document.MappingNode {
		return nil, p.newError(n, "%s must be a mapping", what)
	}
	out := map[string]*document.Node{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		k := n.Content[i]
		switch {
		case k.Kind != document.ScalarNode:
			return nil, p.newError(k, "%s has a key that is not a text", what)
		case out[k.Value] != nil:
			return nil, p.newError(k, "%s has the key %q twice", what, k.Value)
		case len(keys) > 0 && !slices.Contains(keys, k.Value):
			return nil, p.newError(k, "%s has no key %q; the keys are %v", what, k.Value, keys)
		}
		out[k.Value] = n.Content[i+1]
	}
	return out, nil
}

func (p *testFileParser) parseTest(n *document.Node) (Test, error) {
	t := Test{Line: int(n.Line)}
	keys, err := p.parseMapping(n, "a test")
	if err != nil {
		return t, err
	}
	if name := keys["name"]; name == nil || name.Kind != document.ScalarNode || name.Value == "" {
		return t, p.newError(n, "a test needs a name")
	}
	t.Name = keys["name"].Value
	if skip := keys["skip"]; skip != nil {
		if t.Skip = skip.Value; !skip.IsText() || t.Skip == "" {
			return t, p.newError(skip, "skip must be the reason, a text")
		}
	}
	if as := keys["as"]; as != nil {
		if t.As, err = p.parseReader(as); err != nil {
			return t, err
		}
	}
	if err := p.parseRequest(n, keys, &t); err != nil {
		return t, err
	}
	t.Expect, err = p.parseExpectation(keys["expect"])
	return t, err
}

// testKeysBesideRequest are the keys of a test that are not part of its request.
var testKeysBesideRequest = []string{"name", "as", "expect", "skip"}

// parseReader reads the identity that a test asks as.
func (p *testFileParser) parseReader(n *document.Node) (*access.Claims, error) {
	if n.Kind != document.MappingNode {
		return nil, p.newError(n, "as must be an identity, such as {roles: [analyst]}")
	}
	text, err := p.appendNodeAsJSON(nil, n)
	if err != nil {
		return nil, err
	}
	claims, err := access.ParseIdentity(text)
	if err != nil {
		return nil, p.newError(n, "as: %s", err)
	}
	return &claims, nil
}

// parseRequest reads the one body of a test.
func (p *testFileParser) parseRequest(n *document.Node, keys map[string]*document.Node, t *Test) error {
	for _, kind := range []RequestKind{KindQuery, KindSelect, KindAttribute, KindSavedQuery} {
		if keys[string(kind)] == nil {
			continue
		}
		if t.Kind != "" {
			return p.newError(n, "the test %q has both %s and %s", t.Name, t.Kind, kind)
		}
		t.Kind = kind
	}
	if t.Kind == "" {
		return p.newError(n, "the test %q needs one of query, select, attribute and saved", t.Name)
	}
	body := keys[string(t.Kind)]
	if t.Kind == KindSavedQuery {
		if body.Kind != document.ScalarNode || body.Value == "" {
			return p.newError(body, "saved must be the name of a saved query")
		}
		body = &document.Node{Kind: document.MappingNode, Line: n.Line}
		for i := 0; i+1 < len(n.Content); i += 2 {
			if key := n.Content[i].Value; !slices.Contains(testKeysBesideRequest, key) {
				body.Content = append(body.Content, n.Content[i], n.Content[i+1])
			}
		}
	} else {
		for i := 0; i+1 < len(n.Content); i += 2 {
			if key := n.Content[i].Value; key != string(t.Kind) && !slices.Contains(testKeysBesideRequest, key) {
				return p.newError(n.Content[i], "a test has no key %q; the parts of a query are under %s", key, t.Kind)
			}
		}
	}
	members, err := p.parseMapping(body, "the body of the test "+strconv.Quote(t.Name))
	if err != nil {
		return err
	}
	if s := members["saved"]; s != nil && s.Kind == document.ScalarNode && s.Tag != "!!null" {
		t.Saved = s.Value
	}
	t.Body, err = p.appendNodeAsJSON(nil, body)
	return err
}

func (p *testFileParser) appendNodeAsJSON(b []byte, n *document.Node) ([]byte, error) {
	var err error
	switch n.Kind {
	case document.MappingNode:
		if _, err := p.parseMapping(n, "a mapping"); err != nil {
			return nil, err
		}
		b = append(b, '{')
		for i := 0; i+1 < len(n.Content); i += 2 {
			if i > 0 {
				b = append(b, ',')
			}
			key, err := json.Marshal(n.Content[i].Value)
			if err != nil {
				return nil, err
			}
			if b, err = p.appendNodeAsJSON(append(append(b, key...), ':'), n.Content[i+1]); err != nil {
				return nil, err
			}
		}
		return append(b, '}'), nil
	case document.SequenceNode:
		b = append(b, '[')
		for i, c := range n.Content {
			if i > 0 {
				b = append(b, ',')
			}
			if b, err = p.appendNodeAsJSON(b, c); err != nil {
				return nil, err
			}
		}
		return append(b, ']'), nil
	}
	v, err := p.parseScalar(n)
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(v)
	return append(b, text...), err
}

// parseScalar reads a value: nil, a bool, a json.Number or a text. A date is its text.
func (p *testFileParser) parseScalar(n *document.Node) (any, error) {
	if n.Kind != document.ScalarNode {
		return nil, p.newError(n, "a value must be a text, a number, a boolean or null")
	}
	switch n.Tag {
	case "!!null":
		return nil, nil
	case "!!bool":
		return n.Value == "true" || n.Value == "True" || n.Value == "TRUE", nil
	case "!!int", "!!float":
		if json.Valid([]byte(n.Value)) {
			return json.Number(n.Value), nil
		}
		var f float64
		if err := n.Decode(&f); err != nil || math.IsNaN(f) || math.IsInf(f, 0) {
			return nil, p.newError(n, "%s is not a finite number", n.Value)
		}
		return json.Number(strconv.FormatFloat(f, 'g', -1, 64)), nil
	}
	return n.Value, nil
}
