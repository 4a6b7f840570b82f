package modelspec

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"github.com/semlayer/semlayer/modelspec/document"
	"github.com/semlayer/semlayer/modelspec/limits"
)

// documentReader turns tree nodes into typed values and notes what does not fit. It
// never stops: a value of the wrong type is noted and read as absent.
type documentReader struct {
	doc  *Document
	text []byte
	// lineStarts is filled on the first block scalar, indents by each.
	lineStarts []int
	indents    map[int]int // by the line that the block scalar begins after

	unknown     int // keys that the format does not know
	lastUnknown Position
}

func (r *documentReader) addError(location string, p Position, format string, args ...any) {
	r.doc.issues = append(r.doc.issues, Issue{
		Severity: SeverityError, Code: CodeParse, Location: location, Position: p,
		Message: fmt.Sprintf(format, args...),
	})
}

// mappingReader is one mapping being read.
type mappingReader struct {
	*documentReader
	Place
	members []*document.Node // keys and values in turn, merges resolved
}

// openMapping opens a mapping; ok is false, and the flaw noted, for anything else.
func (r *documentReader) openMapping(n *document.Node, location, what string, known []string) (o mappingReader, ok bool) {
	n = n.FollowAlias()
	place := Place{location, positionOfNode(n)}
	if n.Kind != document.MappingNode {
		r.addError(location, place.Position, "%s must be an object, is %s", what, n.Describe())
		return mappingReader{Place: place}, false
	}
	o = mappingReader{r, place, n.Members()}
	for i := 0; i < len(o.members); i += 2 {
		if key := o.members[i]; !containsString(known, key.Value) {
			o.warnUnknownKey(key, known)
		}
	}
	return o, true
}

// maxListedUnknownKeys bounds how many unknown keys are listed one by one.
const maxListedUnknownKeys = 500

func (o mappingReader) warnUnknownKey(key *document.Node, known []string) {
	if o.unknown++; o.unknown > maxListedUnknownKeys {
		o.lastUnknown = positionOfNode(key)
		return
	}
	message := fmt.Sprintf("the format has no key %q here; it is ignored", key.Value)
	if near, ok := findIntendedKey(key.Value, known); ok {
		message += fmt.Sprintf("; did you mean %q?", near)
	} else {
		message += "; the keys here are " + strings.Join(known, ", ")
	}
	o.addWarning(o.MemberLocation(key.Value), positionOfNode(key), message)
}

func (r *documentReader) addWarning(location string, p Position, message string) {
	r.doc.warnings = append(r.doc.warnings, &CompileWarning{Code: CodeUnknownModelKey, Location: location, Message: message, Position: p})
}

// warnOfUnknownKeysBeyondLimit adds one warning for the keys that are not listed.
func (r *documentReader) warnOfUnknownKeysBeyondLimit(root Place) {
	if more := r.unknown - maxListedUnknownKeys; more > 0 {
		r.addWarning(root.MemberLocation("*"), r.lastUnknown, fmt.Sprintf("%d more keys are unknown and ignored; this is the last of them", more))
	}
}

// findKeyNode returns the key of a member, nil when there is none.
func (o mappingReader) findKeyNode(name string) *document.Node {
	for i := 0; i < len(o.members); i += 2 {
		if o.members[i].Value == name {
			return o.members[i]
		}
	}
	return nil
}

// findValueNode returns the member, nil when it is absent or null.
func (o mappingReader) findValueNode(key string) *document.Node {
	for i := 0; i < len(o.members); i += 2 {
		if o.members[i].Value == key {
			if n := o.members[i+1].FollowAlias(); n.Tag != "!!null" {
				return n
			}
			return nil
		}
	}
	return nil
}

func (o mappingReader) addMissingKeyError(key, what string) {
	o.addError(o.MemberLocation(key), o.Position, "%s is required and must be %s", key, what)
}

// readText reads an optional string; the zero Text stands for an absent one.
func (o mappingReader) readText(key string) LocatedText {
	n := o.findValueNode(key)
	if n == nil {
		return LocatedText{}
	}
	t, _ := o.readScalar(n, key, func() string { return o.MemberLocation(key) })
	return t
}

// readRequiredText reads a string that must be there and must not be blank.
func (o mappingReader) readRequiredText(key string) LocatedText {
	n := o.findValueNode(key)
	if n == nil {
		o.addMissingKeyError(key, "a string")
		return LocatedText{}
	}
	t, ok := o.readScalar(n, key, func() string { return o.MemberLocation(key) })
	if ok && strings.TrimSpace(t.Value) == "" {
		o.addError(o.MemberLocation(key), t.Position, "%s must not be blank", key)
	}
	return t
}

// readScalar reads a string node. Its location is requested only when it is needed: most
// are not, and there are tens of thousands in a large model.
func (r *documentReader) readScalar(n *document.Node, what string, location func() string) (LocatedText, bool) {
	n = n.FollowAlias()
	if !n.IsText() {
		hint := ""
		if n.Kind == document.ScalarNode {
			hint = "; put it in quotes"
		}
		r.addError(location(), positionOfNode(n), "%s must be a string, is %s%s", what, n.Describe(), hint)
		return LocatedText{Position: positionOfNode(n)}, false
	}
	t := LocatedText{Value: n.Value, Position: positionOfNode(n), lines: newLineIndex(n.Value)}
	switch {
	case n.Style&document.LiteralStyle != 0:
		t.style, t.indent = textStyleLiteralBlock, r.indentOfNextTextLine(int(n.Line))
	case n.Style&document.FoldedStyle != 0:
		t.style = textStyleFoldedBlock
	case n.Style&(document.DoubleQuotedStyle|document.SingleQuotedStyle) != 0:
		t.style = textStyleQuoted
		if isEscapedScalar(n) {
			t.style = textStyleFoldedBlock
		}
	}
	return t, true
}

// isEscapedScalar reports whether a quoted scalar cannot stand in the text as it reads.
func isEscapedScalar(n *document.Node) bool {
	if n.Style&document.SingleQuotedStyle != 0 {
		return strings.Contains(n.Value, "'")
	}
	return strings.ContainsAny(n.Value, "\"\\") || strings.ContainsFunc(n.Value, func(r rune) bool { return r < ' ' || r > '~' })
}

// readColumnNames reads a list of column names.
func (o mappingReader) readColumnNames(key string) []LocatedText {
	if n := o.findValueNode(key); n != nil {
		return o.documentReader.readColumnNameList(n, listPlace{o.Place, key}, key)
	}
	return nil
}

func (r *documentReader) readColumnNameList(n *document.Node, at listPlace, what string) []LocatedText {
	var out []LocatedText
	if n.IsText() {
		r.addError(at.location(), positionOfNode(n), "%s must be a list, is %s; did you mean [%s]?", what, n.Describe(), n.Value)
		return nil
	}
	r.visitListItems(n, at, what, limits.KeyColumns, func(n *document.Node, i int) {
		if t, ok := r.readScalar(n, "an item of "+what, func() string { return at.locationOfItem(i) }); ok {
			out = append(out, t)
		}
	})
	return out
}

// visitItems calls f for the items of a list; an absent one has none.
func (o mappingReader) visitItems(key string, f func(n *document.Node, location string)) {
	o.visitItemsUpTo(key, MaxModelNodes, f)
}

// visitItemsUpTo is visitItems for a list that has at most so many items.
func (o mappingReader) visitItemsUpTo(key string, most int, f func(n *document.Node, location string)) {
	if n := o.findValueNode(key); n != nil {
		at := listPlace{o.Place, key}
		o.visitListItems(n, at, key, most, func(n *document.Node, i int) { f(n, at.locationOfItem(i)) })
	}
}

// listPlace is the place of a list: the object that has it as a member, or, without a key, the list itself.
type listPlace struct {
	object Place
	key    string
}

func (p listPlace) location() string {
	if p.key == "" {
		return p.object.Location
	}
	return p.object.MemberLocation(p.key)
}

// locationOfItem makes one text, and not that of the list first: a large model has many lists of one item.
func (p listPlace) locationOfItem(i int) string {
	if p.key == "" || p.object.Location == "" {
		return locationOfListItem(p.location(), i)
	}
	return p.object.Location + "." + p.key + "[" + strconv.Itoa(i) + "]"
}

// visitListItems calls f for the items of a list, of a longer one than most for the first.
func (r *documentReader) visitListItems(n *document.Node, at listPlace, what string, most int, f func(n *document.Node, i int)) {
	n = n.FollowAlias()
	if n.Kind != document.SequenceNode {
		r.addError(at.location(), positionOfNode(n), "%s must be a list, is %s", what, n.Describe())
		return
	}
	items := n.Content
	if len(items) > most {
		r.addError(at.location(), positionOfNode(n), "%s has %d items; at most %d are accepted", what, len(items), most)
		items = items[:most]
	}
	for i, item := range items {
		f(item.FollowAlias(), i)
	}
}

// readBoolean reads an optional true or false.
func (o mappingReader) readBoolean(key string) *bool {
	n := o.findValueNode(key)
	if n == nil {
		return nil
	}
	if !n.IsBool() {
		o.addError(o.MemberLocation(key), positionOfNode(n), "%s must be true or false, is %s", key, n.Describe())
		return nil
	}
	v := strings.EqualFold(n.Value, "true")
	return &v
}

// readAIContext reads a string or an object.
func (o mappingReader) readAIContext() any {
	const key = "ai_context"
	n := o.findValueNode(key)
	switch {
	case n == nil:
		return nil
	case n.Kind == document.MappingNode, n.IsText():
		return nodeToGoValue(n)
	}
	o.addError(o.MemberLocation(key), positionOfNode(n), "%s must be a string or an object, is %s", key, n.Describe())
	return nil
}

// indentOfNextTextLine returns the indentation of the first line after `line` that holds
// more than spaces. It is found once: aliases may repeat a block scalar.
func (r *documentReader) indentOfNextTextLine(line int) int {
	indent, known := r.indents[line]
	if !known {
		indent = r.computeIndentOfNextTextLine(line)
		r.indents[line] = indent
	}
	return indent
}

func (r *documentReader) computeIndentOfNextTextLine(line int) int {
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

func containsString(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}
