package layout

// NodeKind is the kind of a value.
type NodeKind uint8

// The kinds.
const (
	ScalarNode NodeKind = iota
	MappingNode
	SequenceNode
	AliasNode
)

// ScalarStyle is how a scalar is written.
type ScalarStyle uint8

// The styles.
const (
	PlainStyle ScalarStyle = iota
	SingleQuotedStyle
	DoubleQuotedStyle
	LiteralStyle
	FoldedStyle
)

// Node is a value of the text, with what belongs to its layout.
type Node struct {
	Kind    NodeKind
	Tag     string // of a scalar, short: !!str
	Value   string // of a scalar; of an alias, the name of the anchor
	Style   ScalarStyle
	Lines   []string // of a scalar on several lines: the lines as written, without indentation
	Keep    bool     // of a block scalar: its last line ends are part of it
	TagText string   // a tag that the text names
	Anchor  string
	Target  *Node // of an alias
	Absent  bool  // a null of no characters
	Flow    bool  // of a collection: written in brackets
	Entries []*Entry
	Foot    []Comment // of a collection: after its last entry

	Role ModelRole
}

// Entry is a member of a mapping, or an item of a sequence, which has no key.
type Entry struct {
	Key, Value *Node
	Blank      bool      // an empty line before the entry, and after its head
	Head       []Comment // on the lines before the entry
	Tail       []string  // at the end of its line
	Under      []Comment // on the lines after a scalar, deeper than the entry
}

// Comment is one comment on a separate line.
type Comment struct {
	Text  string // from # to the end of the line
	Blank bool   // an empty line before it
}

// Document is a text of one value.
type Document struct {
	Prelude    []Comment // before the line ---
	Directives []string  // before the line ---
	Marker     bool      // has a line ---
	Head       []Comment
	Blank      bool   // an empty line after the head
	Root       *Entry // with no key
	Foot       []Comment
}

// IsCollection reports whether the value has entries.
func (n *Node) IsCollection() bool { return n.Kind == MappingNode || n.Kind == SequenceNode }

// findEntry returns the entry of a key, nil when there is none.
func (n *Node) findEntry(key string) *Entry {
	if n.Kind != MappingNode {
		return nil
	}
	for _, e := range n.Entries {
		if e.Key.Kind == ScalarNode && e.Key.Value == key {
			return e
		}
	}
	return nil
}

// Member returns the value of a key of a mapping, nil when there is none.
func (n *Node) Member(key string) *Node {
	if e := n.findEntry(key); e != nil {
		return e.Value
	}
	return nil
}

// Walk calls f for a value and all values inside of it, keys included, in their order.
func (n *Node) Walk(f func(*Node)) {
	f(n)
	for _, e := range n.Entries {
		if e.Key != nil {
			e.Key.Walk(f)
		}
		e.Value.Walk(f)
	}
}

// WalkComments calls f for the comments inside of a value, in their order.
func (n *Node) WalkComments(f func(Comment)) {
	for _, e := range n.Entries {
		for _, c := range e.Head {
			f(c)
		}
		for _, text := range e.Tail {
			f(Comment{Text: text})
		}
		if e.Key != nil {
			e.Key.WalkComments(f)
		}
		e.Value.WalkComments(f)
		for _, c := range e.Under {
			f(c)
		}
	}
	for _, c := range n.Foot {
		f(c)
	}
}

// NewTextNode returns a text.
func NewTextNode(value string) *Node { return &Node{Kind: ScalarNode, Tag: "!!str", Value: value} }
