package modelspec

import (
	"bytes"
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/semlayer/semlayer/modelspec/internal/nodes"
	"github.com/semlayer/semlayer/modelspec/limits"
	"github.com/semlayer/semlayer/modelspec/suggest"
)

// reader turns tree nodes into typed values and notes what does not fit. It
// never stops: a value of the wrong type is noted and read as absent.
type reader struct {
	doc  *Document
	text []byte
	// lineStarts is filled on the first block scalar, indents by each.
	lineStarts []int
	indents    map[int]int // by the line that the block scalar begins after

	unknown     int // keys that the format does not know
	lastUnknown Position
}

func (r *reader) addError(location string, p Position, format string, args ...any) {
	r.doc.issues = append(r.doc.issues, Issue{
		Severity: SeverityError, Code: CodeParse, Location: location, Position: p,
		Message: fmt.Sprintf(format, args...),
	})
}

// object is one mapping being read.
type object struct {
	*reader
	Place
	members []*nodes.Node // keys and values in turn, merges resolved
}

// object opens a mapping; ok is false, and the flaw noted, for anything else.
func (r *reader) object(n *nodes.Node, location, what string, known []string) (o object, ok bool) {
	n = followAlias(n)
	place := Place{location, positionOfNode(n)}
	if n.Kind != yaml.MappingNode {
		r.addError(location, place.Position, "%s must be an object, is %s", what, describeNode(n))
		return object{Place: place}, false
	}
	o = object{r, place, mergedNodes(n)}
	for i := 0; i < len(o.members); i += 2 {
		if key := o.members[i]; !containsString(known, key.Value) {
			o.unknownKey(key, known)
		}
	}
	return o, true
}

// maxUnknown bounds how many unknown keys are listed one by one.
const maxUnknown = 500

func (o object) unknownKey(key *nodes.Node, known []string) {
	if o.unknown++; o.unknown > maxUnknown {
		o.lastUnknown = positionOfNode(key)
		return
	}
	message := fmt.Sprintf("the format has no key %q here; it is ignored", key.Value)
	if near, ok := suggest.Closest(key.Value, known); ok {
		message += fmt.Sprintf("; did you mean %q?", near)
	} else {
		message += "; the keys here are " + strings.Join(known, ", ")
	}
	o.warn(o.At(key.Value), positionOfNode(key), message)
}

func (r *reader) warn(location string, p Position, message string) {
	r.doc.warnings = append(r.doc.warnings, &Warning{Code: CodeUnknownModelKey, Location: location, Message: message, Position: p})
}

// countUnknown adds one warning for the keys that are not listed.
func (r *reader) countUnknown(root Place) {
	if more := r.unknown - maxUnknown; more > 0 {
		r.warn(root.At("*"), r.lastUnknown, fmt.Sprintf("%d more keys are unknown and ignored; this is the last of them", more))
	}
}

// key returns the key of a member, nil when there is none.
func (o object) key(name string) *nodes.Node {
	for i := 0; i < len(o.members); i += 2 {
		if o.members[i].Value == name {
			return o.members[i]
		}
	}
	return nil
}

// get returns the member, nil when it is absent or null.
func (o object) get(key string) *nodes.Node {
	for i := 0; i < len(o.members); i += 2 {
		if o.members[i].Value == key {
			if n := followAlias(o.members[i+1]); n.Tag != "!!null" {
				return n
			}
			return nil
		}
	}
	return nil
}

func (o object) addMissingKey(key, what string) {
	o.addError(o.At(key), o.Position, "%s is required and must be %s", key, what)
}

// text reads an optional string; the zero Text stands for an absent one.
func (o object) text(key string) Text {
	n := o.get(key)
	if n == nil {
		return Text{}
	}
	t, _ := o.scalar(n, key, func() string { return o.At(key) })
	return t
}

// required reads a string that must be there and must not be blank.
func (o object) required(key string) Text {
	n := o.get(key)
	if n == nil {
		o.addMissingKey(key, "a string")
		return Text{}
	}
	t, ok := o.scalar(n, key, func() string { return o.At(key) })
	if ok && strings.TrimSpace(t.Value) == "" {
		o.addError(o.At(key), t.Position, "%s must not be blank", key)
	}
	return t
}

// scalar reads a string node. Its location is asked for only when it is needed: most
// are not, and there are tens of thousands in a large model.
func (r *reader) scalar(n *nodes.Node, what string, location func() string) (Text, bool) {
	n = followAlias(n)
	if n.Kind != yaml.ScalarNode || n.Tag != "!!str" {
		hint := ""
		if n.Kind == yaml.ScalarNode {
			hint = "; put it in quotes"
		}
		r.addError(location(), positionOfNode(n), "%s must be a string, is %s%s", what, describeNode(n), hint)
		return Text{Position: positionOfNode(n)}, false
	}
	t := Text{Value: n.Value, Position: positionOfNode(n), lines: newLineIndex(n.Value)}
	switch {
	case n.Style&yaml.LiteralStyle != 0:
		t.style, t.indent = styleBlock, r.indentAfter(int(n.Line))
	case n.Style&yaml.FoldedStyle != 0:
		t.style = styleFolded
	case n.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle) != 0:
		t.style = styleQuoted
		if isEscapedScalar(n) {
			t.style = styleFolded
		}
	}
	return t, true
}

// isEscapedScalar reports whether a quoted scalar cannot stand in the text as it reads.
func isEscapedScalar(n *nodes.Node) bool {
	if n.Style&yaml.SingleQuotedStyle != 0 {
		return strings.Contains(n.Value, "'")
	}
	return strings.ContainsAny(n.Value, "\"\\") || strings.ContainsFunc(n.Value, func(r rune) bool { return r < ' ' || r > '~' })
}

// columns reads a list of column names.
func (o object) columns(key string) []Text {
	if n := o.get(key); n != nil {
		return o.reader.columns(n, o.At(key), key)
	}
	return nil
}

func (r *reader) columns(n *nodes.Node, location, what string) []Text {
	var out []Text
	r.visitItems(n, location, what, limits.KeyColumns, func(n *nodes.Node, location string) {
		if t, ok := r.scalar(n, "an item of "+what, func() string { return location }); ok {
			out = append(out, t)
		}
	})
	return out
}

// eachItem calls f for the items of a list; an absent one has none.
func (o object) eachItem(key string, f func(n *nodes.Node, location string)) {
	o.eachItemUpTo(key, MaxNodes, f)
}

// eachItemUpTo is each for a list that has at most so many items.
func (o object) eachItemUpTo(key string, most int, f func(n *nodes.Node, location string)) {
	if n := o.get(key); n != nil {
		o.visitItems(n, o.At(key), key, most, f)
	}
}

// visitItems calls f for the items of a list, of a longer one than most for the first.
func (r *reader) visitItems(n *nodes.Node, location, what string, most int, f func(n *nodes.Node, location string)) {
	n = followAlias(n)
	if n.Kind != yaml.SequenceNode {
		r.addError(location, positionOfNode(n), "%s must be a list, is %s", what, describeNode(n))
		return
	}
	items := n.Content
	if len(items) > most {
		r.addError(location, positionOfNode(n), "%s has %d items; at most %d are accepted", what, len(items), most)
		items = items[:most]
	}
	for i, item := range items {
		f(followAlias(item), indexedLocation(location, i))
	}
}

// boolean reads an optional true or false.
func (o object) boolean(key string) *bool {
	n := o.get(key)
	if n == nil {
		return nil
	}
	if n.Kind != yaml.ScalarNode || n.Tag != "!!bool" {
		o.addError(o.At(key), positionOfNode(n), "%s must be true or false, is %s", key, describeNode(n))
		return nil
	}
	v := strings.EqualFold(n.Value, "true")
	return &v
}

// aiContext reads a string or an object.
func (o object) aiContext() any {
	const key = "ai_context"
	n := o.get(key)
	switch {
	case n == nil:
		return nil
	case n.Kind == yaml.MappingNode, n.Kind == yaml.ScalarNode && n.Tag == "!!str":
		return toGoValue(n)
	}
	o.addError(o.At(key), positionOfNode(n), "%s must be a string or an object, is %s", key, describeNode(n))
	return nil
}

// indentAfter is the indentation of the first line after `line` that holds
// more than spaces. It is found once: aliases may repeat a block scalar.
func (r *reader) indentAfter(line int) int {
	indent, known := r.indents[line]
	if !known {
		indent = r.measureIndent(line)
		r.indents[line] = indent
	}
	return indent
}

func (r *reader) measureIndent(line int) int {
	if r.lineStarts == nil {
		r.indents = map[int]int{}
		r.lineStarts = []int{0}
		for i, b := range r.text {
			if b == '\n' {
				r.lineStarts = append(r.lineStarts, i+1)
			}
		}
	}
	for ; line < len(r.lineStarts); line++ {
		rest := r.text[r.lineStarts[line]:]
		if end := bytes.IndexByte(rest, '\n'); end >= 0 {
			rest = rest[:end]
		}
		if trimmed := bytes.TrimLeft(rest, " "); len(bytes.TrimSpace(trimmed)) > 0 {
			return len(rest) - len(trimmed)
		}
	}
	return 0
}

// followAlias follows aliases.
func followAlias(n *nodes.Node) *nodes.Node {
	for n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	return n
}

// mergedNodes is a mapping's members with YAML's merge keys (`<<`) put in: a
// mapping's own keys win, then those of earlier merges.
func mergedNodes(n *nodes.Node) []*nodes.Node {
	merges := false
	for i := 0; i < len(n.Content); i += 2 {
		merges = merges || n.Content[i].Tag == "!!merge"
	}
	if !merges {
		return n.Content
	}
	var out []*nodes.Node
	has := map[string]bool{}
	for i := 0; i < len(n.Content); i += 2 {
		if n.Content[i].Tag != "!!merge" {
			out = append(out, n.Content[i], n.Content[i+1])
			has[n.Content[i].Value] = true
		}
	}
	for i := 0; i < len(n.Content); i += 2 {
		if n.Content[i].Tag != "!!merge" {
			continue
		}
		sources := []*nodes.Node{followAlias(n.Content[i+1])}
		if sources[0].Kind == yaml.SequenceNode {
			sources = sources[0].Content
		}
		for _, s := range sources {
			s = followAlias(s)
			if s.Kind != yaml.MappingNode {
				continue
			}
			add := mergedNodes(s)
			for j := 0; j < len(add); j += 2 {
				if !has[add[j].Value] {
					out = append(out, add[j], add[j+1])
					has[add[j].Value] = true
				}
			}
		}
	}
	return out
}

func containsString(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}
