package format

import (
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/internal/layout"
	"github.com/semlayer/semlayer/modelspec/internal/yamldocs"
	"github.com/semlayer/semlayer/modelspec/limits"
)

// decodeYAML reads the one YAML document of a text with the library. Its errors have the
// words of modelspec.
func decodeYAML(text string) (*yaml.Node, error) {
	documents, err := yamldocs.Read([]byte(text), 2)
	if err == nil && len(documents) == 1 {
		return yamldocs.Root(documents[0]), nil
	}
	if _, parseErr := modelspec.Parse([]byte(text)); parseErr != nil {
		return nil, parseErr
	}
	return nil, failure(0, 0, "the text is not one YAML document: %v", err)
}

func failure(line, column int, format string, args ...any) *modelspec.LoadError {
	return &modelspec.LoadError{
		Kind: modelspec.LoadParse, Message: fmt.Sprintf(format, args...),
		Position: modelspec.Position{Line: line, Column: column},
	}
}

// level is a place that comments after it may belong to: a collection or a scalar that the
// reader has come to the end of, or that it is in.
type level struct {
	column int // of the leftmost comment that belongs to it
	foot   *[]layout.Comment
}

// pending is a comment whose entry is not known yet.
type pending struct {
	layout.Comment
	column int
}

// builder puts the tree of the library and the comments of the text together. It goes
// through the text once; every character outside of scalars must be one that it expects.
type builder struct {
	cursor
	doc      *layout.Document
	pending  []pending
	levels   []level
	last     *layout.Entry // that the last token belongs to
	lastLine int
	anchors  map[*yaml.Node]*layout.Node
	left     int // nodes until the limit
}

// read makes the document of a text.
func read(text string) (*layout.Document, error) {
	root, err := decodeYAML(text)
	if err != nil {
		return nil, err
	}
	b := &builder{cursor: newCursor(text), doc: &layout.Document{Root: &layout.Entry{}}, anchors: map[*yaml.Node]*layout.Node{}, left: limits.ModelNodes}
	if err := b.document(root); err != nil {
		return nil, err
	}
	return b.doc, nil
}

func (b *builder) document(root *yaml.Node) error {
	if err := b.prolog(); err != nil {
		return err
	}
	if !isAbsent(root) {
		if err := b.gap(b.offset(root.Line, root.Column)); err != nil {
			return err
		}
	}
	b.take(&b.doc.Head)
	if !isAbsent(root) {
		b.doc.Blank = b.takeBlank()
	}
	value, err := b.value(root, b.doc.Root, -1, 1)
	if err != nil {
		return err
	}
	b.doc.Root.Value = value
	if err := b.gap(len(b.text)); err != nil {
		return err
	}
	if b.pos < len(b.text) {
		return b.unexpected()
	}
	b.resolve(0, func(c layout.Comment) { b.doc.Foot = append(b.doc.Foot, c) })
	return nil
}

// prolog reads directives and the line ---, with the comments before it.
func (b *builder) prolog() error {
	for {
		b.skipSpace(len(b.text))
		switch {
		case b.pos < len(b.text) && b.text[b.pos] == '#':
			b.takeComment()
		case b.pos < len(b.text) && b.text[b.pos] == '%' && b.atLineStart():
			b.doc.Directives = append(b.doc.Directives, strings.TrimRight(b.restOfLine(), " \t"))
		case b.atMarker("---"):
			b.pos += 3
			b.doc.Marker = true
			b.resolve(0, func(c layout.Comment) { b.doc.Prelude = append(b.doc.Prelude, c) })
			b.takeBlank()
			return nil
		default:
			return nil
		}
	}
}

// begin gives the pending comments to the entry that begins, and those that are deeper to
// what has ended before it. The entry is one of the collection at the given level.
func (b *builder) begin(e *layout.Entry, depth int) {
	b.resolve(depth, func(c layout.Comment) { e.Head = append(e.Head, c) })
	e.Blank = b.takeBlank()
}

// resolve gives each pending comment to the deepest level from depth on that it is not left
// of, and to rest if it is left of all. The levels from depth on end.
func (b *builder) resolve(depth int, rest func(layout.Comment)) {
	end := len(b.levels)
	for _, p := range b.pending {
		for end > depth && p.column < b.levels[end-1].column {
			end--
		}
		if end > depth {
			foot := b.levels[end-1].foot
			*foot = append(*foot, p.Comment)
		} else {
			rest(p.Comment)
		}
	}
	b.pending = b.pending[:0]
	b.levels = b.levels[:min(depth, len(b.levels))]
}

// take moves the pending comments to a list.
func (b *builder) take(to *[]layout.Comment) {
	for _, p := range b.pending {
		*to = append(*to, p.Comment)
	}
	b.pending = b.pending[:0]
}

// value reads one value. Its owner is the entry that holds it, indent the column of the
// collection in blocks around it, -1 at the root.
func (b *builder) value(n *yaml.Node, owner *layout.Entry, indent, depth int) (*layout.Node, error) {
	if b.left--; b.left < 0 {
		return nil, failure(n.Line, n.Column, "the text holds more than %d keys and values", limits.ModelNodes)
	}
	if depth > limits.ModelDepth {
		return nil, failure(n.Line, n.Column, "the text is nested deeper than %d levels", limits.ModelDepth)
	}
	out := &layout.Node{Anchor: n.Anchor, Tag: n.Tag}
	if n.Anchor != "" {
		b.anchors[n] = out
	}
	tagged := n.Style&yaml.TaggedStyle != 0
	if n.Kind == yaml.ScalarNode && n.Value == "" && n.Tag == "!!null" && n.Style == 0 && n.Anchor == "" {
		out.Absent = true
		return out, nil
	}
	if err := b.gap(b.offset(n.Line, n.Column)); err != nil {
		return nil, err
	}
	collection := n.Kind == yaml.MappingNode || n.Kind == yaml.SequenceNode
	if !collection || n.Anchor != "" || tagged {
		b.properties(out, owner)
	}
	switch {
	case n.Kind == yaml.AliasNode:
		out.Kind, out.Value, out.Target = layout.AliasNode, n.Value, b.anchors[n.Alias]
		if out.Target == nil || !strings.HasPrefix(b.text[b.pos:], "*"+n.Value) {
			return nil, b.unexpected()
		}
		b.pos += 1 + len(n.Value)
		b.token(owner)
	case n.Kind == yaml.ScalarNode:
		if err := b.scalar(n, out, owner, indent); err != nil {
			return nil, err
		}
		b.token(owner)
	case n.Style&yaml.FlowStyle != 0:
		return out, b.flow(n, out, owner, depth)
	default:
		return out, b.block(n, out, indent, depth)
	}
	b.take(&owner.Head)
	return out, nil
}

// properties reads the anchor and the tag before a value.
func (b *builder) properties(out *layout.Node, owner *layout.Entry) {
	for b.pos < len(b.text) && (b.text[b.pos] == '&' || b.text[b.pos] == '!') {
		word := b.text[b.pos:]
		if end := strings.IndexAny(word, " \t\n"); end >= 0 {
			word = word[:end]
		}
		switch {
		case word[0] == '&':
			word = word[:1+len(out.Anchor)]
		case strings.HasPrefix(word, out.Tag):
			word = out.Tag
			out.TagText = word
		default:
			if end := strings.IndexAny(word, ",[]{}"); end >= 0 && !strings.HasPrefix(word, "!<") {
				word = word[:end]
			}
			out.TagText = word
		}
		b.pos += len(word)
		b.token(owner)
		b.skipComments()
	}
}

// block reads the entries of a collection that is not in brackets.
func (b *builder) block(n *yaml.Node, out *layout.Node, indent, depth int) error {
	b.levels = append(b.levels, level{indent + 1, &out.Foot})
	at := len(b.levels)
	column := n.Column - 1 // of the keys, or of the dashes
	if n.Anchor != "" || n.Style&yaml.TaggedStyle != 0 {
		column = b.columnOf(b.pos)
	}
	if n.Kind == yaml.SequenceNode {
		out.Kind = layout.SequenceNode
		for _, item := range n.Content {
			e := &layout.Entry{}
			if err := b.item(item, e, at, column, depth); err != nil {
				return err
			}
			out.Entries = append(out.Entries, e)
		}
		return nil
	}
	out.Kind = layout.MappingNode
	for i := 0; i < len(n.Content); i += 2 {
		e := &layout.Entry{}
		if err := b.pair(n.Content[i], n.Content[i+1], e, at, column, depth); err != nil {
			return err
		}
		out.Entries = append(out.Entries, e)
	}
	return nil
}

// item reads an item of a sequence in a block.
func (b *builder) item(n *yaml.Node, e *layout.Entry, at, column, depth int) error {
	if err := b.gap(b.offset(n.Line, n.Column)); err != nil {
		return err
	}
	b.begin(e, at)
	value, err := b.value(n, e, column, depth+1)
	if err != nil {
		return err
	}
	e.Value = value
	b.enter(e, column)
	return nil
}

// pair reads a key and its value in a block.
func (b *builder) pair(key, n *yaml.Node, e *layout.Entry, at, column, depth int) error {
	if err := b.key(key, e, func() { b.begin(e, at) }); err != nil {
		return err
	}
	value, err := b.value(n, e, column, depth+1)
	if err != nil {
		return err
	}
	e.Value = value
	b.enter(e, column)
	return nil
}

// key reads a key, which must be a scalar. It calls begin at its first character.
func (b *builder) key(n *yaml.Node, e *layout.Entry, begin func()) error {
	if n.Kind != yaml.ScalarNode {
		return failure(n.Line, n.Column, "a key must be text")
	}
	if !isAbsent(n) {
		if err := b.gap(b.offset(n.Line, n.Column)); err != nil {
			return err
		}
	}
	begin()
	key, err := b.value(n, e, n.Column-1, 1)
	if err != nil {
		return err
	}
	if key.Absent {
		return failure(n.Line, n.Column, "a key must be text")
	}
	e.Key = key
	return nil
}

// enter makes an entry of a scalar a level. Below a block scalar, a comment that is deeper
// than the entry would become a part of it.
func (b *builder) enter(e *layout.Entry, column int) {
	n := e.Value
	if n.IsCollection() && !n.Flow || n.Style == layout.LiteralStyle || n.Style == layout.FoldedStyle {
		return
	}
	b.levels = append(b.levels, level{column + 1, &e.Under})
}

// flow reads a collection in brackets.
func (b *builder) flow(n *yaml.Node, out *layout.Node, owner *layout.Entry, depth int) error {
	out.Flow = true
	out.Kind = layout.SequenceNode
	open, end := byte('['), byte(']')
	if n.Kind == yaml.MappingNode {
		out.Kind, open, end = layout.MappingNode, '{', '}'
	}
	b.take(&owner.Head)
	// A pair in a list needs no brackets: [a: b].
	bracketed := b.pos < len(b.text) && b.text[b.pos] == open
	if bracketed {
		b.pos++
		b.token(owner)
	}
	step := 1
	if n.Kind == yaml.MappingNode {
		step = 2
	}
	for i := 0; i < len(n.Content); i += step {
		e := &layout.Entry{}
		begin := func() { b.take(&e.Head); b.takeBlank() }
		item := n.Content[i]
		if step == 2 {
			if err := b.key(item, e, begin); err != nil {
				return err
			}
			item = n.Content[i+1]
		} else if !isAbsent(item) {
			if err := b.gap(b.offset(item.Line, item.Column)); err != nil {
				return err
			}
			begin()
		}
		value, err := b.value(item, e, -1, depth+1)
		if err != nil {
			return err
		}
		e.Value = value
		out.Entries = append(out.Entries, e)
	}
	if !bracketed {
		return nil
	}
	b.gapToBracket()
	if b.pos >= len(b.text) || b.text[b.pos] != end {
		return b.unexpected()
	}
	b.pos++
	if len(out.Entries) == 0 {
		b.take(&owner.Head)
	} else {
		b.take(&out.Foot)
	}
	b.token(owner)
	return nil
}

func isAbsent(n *yaml.Node) bool {
	return n.Kind == yaml.ScalarNode && n.Value == "" && n.Tag == "!!null" && n.Style == 0 && n.Anchor == ""
}
