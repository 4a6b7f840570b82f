package format

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/document"
	"github.com/semlayer/semlayer/modelspec/internal/layout"
	"github.com/semlayer/semlayer/modelspec/limits"
)

// decodeYAML reads the one YAML document of a text. Its errors have the words of modelspec.
func decodeYAML(text string) (document.YAMLDocument, error) {
	documents, err := document.ReadYAML([]byte(text), 2)
	if err == nil && len(documents) == 1 {
		return documents[0], nil
	}
	if _, parseErr := modelspec.Parse([]byte(text)); parseErr != nil {
		return document.YAMLDocument{}, parseErr
	}
	return document.YAMLDocument{}, newParseError(0, 0, "the text is not one YAML document: %v", err)
}

func newParseError(line, column int, format string, args ...any) *modelspec.LoadError {
	return &modelspec.LoadError{
		Kind: modelspec.LoadErrorParse, Message: fmt.Sprintf(format, args...),
		Position: modelspec.Position{Line: line, Column: column},
	}
}

func newParseErrorAt(n *document.Node, format string, args ...any) *modelspec.LoadError {
	return newParseError(int(n.Line), int(n.Column), format, args...)
}

// commentOwnerLevel is a place that comments after it may belong to: a collection or a scalar that the
// reader has come to the end of, or that it is in.
type commentOwnerLevel struct {
	column int // of the leftmost comment that belongs to it
	foot   *[]layout.Comment
}

// pendingComment is a comment whose entry is not known yet.
type pendingComment struct {
	layout.Comment
	column int
}

// documentReader puts the tree of the library and the comments of the text together. It goes
// through the text once; every character outside of scalars must be one that it expects.
type documentReader struct {
	textCursor
	doc      *layout.Document
	pending  []pendingComment
	levels   []commentOwnerLevel
	last     *layout.Entry // that the last token belongs to
	lastLine int
	anchored map[*document.Node]*layout.Node
	names    map[*document.Node]string // of the anchors
	left     int                       // nodes until the limit
}

// readDocument makes the document of a text.
func readDocument(text string) (*layout.Document, error) {
	read, err := decodeYAML(text)
	if err != nil {
		return nil, err
	}
	b := &documentReader{textCursor: newTextCursor(text), doc: &layout.Document{Root: &layout.Entry{}}, anchored: map[*document.Node]*layout.Node{}, names: read.Anchors, left: limits.ModelNodes}
	if err := b.readRoot(read.Root); err != nil {
		return nil, err
	}
	return b.doc, nil
}

func (b *documentReader) readRoot(root *document.Node) error {
	if err := b.readProlog(); err != nil {
		return err
	}
	if !b.isImplicitNull(root) {
		if err := b.skipToOffset(b.offsetOfNode(root)); err != nil {
			return err
		}
	}
	b.movePendingComments(&b.doc.Head)
	if !b.isImplicitNull(root) {
		b.doc.Blank = b.consumeBlankLineFlag()
	}
	value, err := b.readValue(root, b.doc.Root, -1, 1)
	if err != nil {
		return err
	}
	b.doc.Root.Value = value
	if err := b.skipToOffset(len(b.text)); err != nil {
		return err
	}
	if b.pos < len(b.text) {
		return b.unexpectedCharacterError()
	}
	b.assignPendingComments(0, func(c layout.Comment) { b.doc.Foot = append(b.doc.Foot, c) })
	return nil
}

// readProlog reads directives and the line ---, with the comments before it.
func (b *documentReader) readProlog() error {
	for {
		b.skipSpace(len(b.text))
		switch {
		case b.pos < len(b.text) && b.text[b.pos] == '#':
			b.readComment()
		case b.pos < len(b.text) && b.text[b.pos] == '%' && b.isAtLineStart():
			b.doc.Directives = append(b.doc.Directives, strings.TrimRight(b.readRestOfLine(), " \t"))
		case b.isAtDocumentMarker("---"):
			b.pos += 3
			b.doc.Marker = true
			b.assignPendingComments(0, func(c layout.Comment) { b.doc.Prelude = append(b.doc.Prelude, c) })
			b.consumeBlankLineFlag()
			return nil
		default:
			return nil
		}
	}
}

// takePendingCommentsOfEntry gives the pending comments to the entry that begins, and those that are deeper to
// what has ended before it. The entry is one of the collection at the given level.
func (b *documentReader) takePendingCommentsOfEntry(e *layout.Entry, depth int) {
	b.assignPendingComments(depth, func(c layout.Comment) { e.Head = append(e.Head, c) })
	e.Blank = b.consumeBlankLineFlag()
}

// assignPendingComments gives each pending comment to the deepest level from depth on that it is not left
// of, and to rest if it is left of all. The levels from depth on end.
func (b *documentReader) assignPendingComments(depth int, rest func(layout.Comment)) {
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

// movePendingComments moves the pending comments to a list.
func (b *documentReader) movePendingComments(to *[]layout.Comment) {
	for _, p := range b.pending {
		*to = append(*to, p.Comment)
	}
	b.pending = b.pending[:0]
}

// readValue reads one value. Its owner is the entry that holds it, indent the column of the
// collection in blocks around it, -1 at the root.
func (b *documentReader) readValue(n *document.Node, owner *layout.Entry, indent, depth int) (*layout.Node, error) {
	if b.left--; b.left < 0 {
		return nil, newParseErrorAt(n, "the text holds more than %d keys and values", limits.ModelNodes)
	}
	if depth > limits.ModelDepth {
		return nil, newParseErrorAt(n, "the text is nested deeper than %d levels", limits.ModelDepth)
	}
	out := &layout.Node{Anchor: b.names[n], Tag: n.Tag}
	if out.Anchor != "" {
		b.anchored[n] = out
	}
	tagged := n.Style&document.TaggedStyle != 0
	if b.isImplicitNull(n) {
		out.Absent = true
		return out, nil
	}
	if err := b.skipToOffset(b.offsetOfNode(n)); err != nil {
		return nil, err
	}
	collection := n.Kind == document.MappingNode || n.Kind == document.SequenceNode
	if !collection || out.Anchor != "" || tagged {
		b.readAnchorAndTag(out, owner)
	}
	switch {
	case n.Kind == document.AliasNode:
		out.Kind, out.Value, out.Target = layout.AliasNode, n.Value, b.anchored[n.Alias]
		if out.Target == nil || !strings.HasPrefix(b.text[b.pos:], "*"+n.Value) {
			return nil, b.unexpectedCharacterError()
		}
		b.pos += 1 + len(n.Value)
		b.noteEndOfEntryPart(owner)
	case n.Kind == document.ScalarNode:
		if err := b.readScalar(n, out, owner, indent); err != nil {
			return nil, err
		}
		b.noteEndOfEntryPart(owner)
	case n.Style&document.FlowStyle != 0:
		return out, b.readFlowCollection(n, out, owner, depth)
	default:
		return out, b.readBlockCollection(n, out, indent, depth)
	}
	b.movePendingComments(&owner.Head)
	return out, nil
}

// readAnchorAndTag reads the anchor and the tag before a value.
func (b *documentReader) readAnchorAndTag(out *layout.Node, owner *layout.Entry) {
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
		b.noteEndOfEntryPart(owner)
		b.readCommentsAndSpace()
	}
}

// readBlockCollection reads the entries of a collection that is not in brackets.
func (b *documentReader) readBlockCollection(n *document.Node, out *layout.Node, indent, depth int) error {
	b.levels = append(b.levels, commentOwnerLevel{indent + 1, &out.Foot})
	at := len(b.levels)
	column := int(n.Column) - 1 // of the keys, or of the dashes
	if out.Anchor != "" || n.Style&document.TaggedStyle != 0 {
		column = b.columnOfOffset(b.pos)
	}
	if n.Kind == document.SequenceNode {
		out.Kind = layout.SequenceNode
		for _, item := range n.Content {
			e := &layout.Entry{}
			if err := b.readSequenceItem(item, e, at, column, depth); err != nil {
				return err
			}
			out.Entries = append(out.Entries, e)
		}
		return nil
	}
	out.Kind = layout.MappingNode
	for i := 0; i < len(n.Content); i += 2 {
		e := &layout.Entry{}
		if err := b.readMappingPair(n.Content[i], n.Content[i+1], e, at, column, depth); err != nil {
			return err
		}
		out.Entries = append(out.Entries, e)
	}
	return nil
}

// readSequenceItem reads an item of a sequence in a block.
func (b *documentReader) readSequenceItem(n *document.Node, e *layout.Entry, at, column, depth int) error {
	if err := b.skipToOffset(b.offsetOfNode(n)); err != nil {
		return err
	}
	b.takePendingCommentsOfEntry(e, at)
	value, err := b.readValue(n, e, column, depth+1)
	if err != nil {
		return err
	}
	e.Value = value
	b.addCommentLevelOfScalar(e, column)
	return nil
}

// readMappingPair reads a key and its value in a block.
func (b *documentReader) readMappingPair(key, n *document.Node, e *layout.Entry, at, column, depth int) error {
	if err := b.readMappingKey(key, e, func() { b.takePendingCommentsOfEntry(e, at) }); err != nil {
		return err
	}
	value, err := b.readValue(n, e, column, depth+1)
	if err != nil {
		return err
	}
	e.Value = value
	b.addCommentLevelOfScalar(e, column)
	return nil
}

// readMappingKey reads a key, which must be a scalar. It calls begin at its first character.
func (b *documentReader) readMappingKey(n *document.Node, e *layout.Entry, begin func()) error {
	if n.Kind != document.ScalarNode {
		return newParseErrorAt(n, "a key must be text")
	}
	if !b.isImplicitNull(n) {
		if err := b.skipToOffset(b.offsetOfNode(n)); err != nil {
			return err
		}
	}
	begin()
	key, err := b.readValue(n, e, int(n.Column)-1, 1)
	if err != nil {
		return err
	}
	if key.Absent {
		return newParseErrorAt(n, "a key must be text")
	}
	e.Key = key
	return nil
}

// addCommentLevelOfScalar makes an entry of a scalar a level. Below a block scalar, a comment that is deeper
// than the entry would become a part of it.
func (b *documentReader) addCommentLevelOfScalar(e *layout.Entry, column int) {
	n := e.Value
	if n.IsCollection() && !n.Flow || n.Style == layout.LiteralStyle || n.Style == layout.FoldedStyle {
		return
	}
	b.levels = append(b.levels, commentOwnerLevel{column + 1, &e.Under})
}

// readFlowCollection reads a collection in brackets.
func (b *documentReader) readFlowCollection(n *document.Node, out *layout.Node, owner *layout.Entry, depth int) error {
	out.Flow = true
	out.Kind = layout.SequenceNode
	open, end := byte('['), byte(']')
	if n.Kind == document.MappingNode {
		out.Kind, open, end = layout.MappingNode, '{', '}'
	}
	b.movePendingComments(&owner.Head)
	// A pair in a list needs no brackets: [a: b].
	bracketed := b.pos < len(b.text) && b.text[b.pos] == open
	if bracketed {
		b.pos++
		b.noteEndOfEntryPart(owner)
	}
	step := 1
	if n.Kind == document.MappingNode {
		step = 2
	}
	for i := 0; i < len(n.Content); i += step {
		e := &layout.Entry{}
		begin := func() { b.movePendingComments(&e.Head); b.consumeBlankLineFlag() }
		item := n.Content[i]
		if step == 2 {
			if err := b.readMappingKey(item, e, begin); err != nil {
				return err
			}
			item = n.Content[i+1]
		} else if !b.isImplicitNull(item) {
			if err := b.skipToOffset(b.offsetOfNode(item)); err != nil {
				return err
			}
			begin()
		}
		value, err := b.readValue(item, e, -1, depth+1)
		if err != nil {
			return err
		}
		e.Value = value
		out.Entries = append(out.Entries, e)
	}
	if !bracketed {
		return nil
	}
	b.skipToClosingBracket()
	if b.pos >= len(b.text) || b.text[b.pos] != end {
		return b.unexpectedCharacterError()
	}
	b.pos++
	if len(out.Entries) == 0 {
		b.movePendingComments(&owner.Head)
	} else {
		b.movePendingComments(&out.Foot)
	}
	b.noteEndOfEntryPart(owner)
	return nil
}

// isImplicitNull reports whether a value is a null of no characters.
func (b *documentReader) isImplicitNull(n *document.Node) bool {
	return n.IsNull() && n.Value == "" && n.Style == 0 && b.names[n] == ""
}

// IsModel reports whether a text may be a model: an object with the key semantic_model, with datasets, or with a version and another part of a
// model. A text that cannot be read may be one, and Format returns its mistake.
func IsModel(text []byte) bool {
	text = bytes.TrimPrefix(text, []byte(byteOrderMark))
	var root *document.Node
	if trimmed := bytes.TrimSpace(text); len(trimmed) > 0 && (trimmed[0] == '{' || trimmed[0] == '[') {
		root, _ = document.ReadJSON(text, document.TreeLimits{Nodes: 2 * limits.ModelNodes, Depth: limits.ModelDepth})
	}
	if root == nil {
		documents, err := document.ReadYAML(text, 2)
		if err != nil || len(documents) != 1 {
			return true
		}
		root = documents[0].Root
	}
	if root = root.FollowAlias(); root.Kind != document.MappingNode {
		return false
	}
	keys := map[string]bool{}
	for i := 0; i < len(root.Content); i += 2 {
		keys[root.Content[i].Value] = true
	}
	return keys["semantic_model"] || keys["datasets"] || keys["<<"] || keys["version"] && (keys["metrics"] || keys["relationships"])
}
