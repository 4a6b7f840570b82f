package format

// kind is the kind of a value.
type kind uint8

const (
	scalarNode kind = iota
	mappingNode
	sequenceNode
	aliasNode
)

// style is how a scalar is written.
type style uint8

const (
	plainStyle style = iota
	singleStyle
	doubleStyle
	literalStyle
	foldedStyle
)

// node is a value of the text, with what belongs to its layout.
type node struct {
	kind    kind
	tag     string // of a scalar, short: !!str
	value   string // of a scalar; of an alias, the name of the anchor
	style   style
	lines   []string // of a scalar on several lines: the lines as written, without indentation
	keep    bool     // of a block scalar: its last line ends are part of it
	tagText string   // a tag that the text names
	anchor  string
	target  *node // of an alias
	absent  bool  // a null of no characters
	flow    bool  // of a collection: written in brackets
	entries []*entry
	foot    []comment // of a collection: after its last entry

	role role
}

// entry is a member of a mapping, or an item of a sequence, which has no key.
type entry struct {
	key, value *node
	blank      bool      // an empty line before the entry, and after its head
	head       []comment // on the lines before the entry
	tail       []string  // at the end of its line
	under      []comment // on the lines after a scalar, deeper than the entry
}

// comment is one comment on a separate line.
type comment struct {
	text  string // from # to the end of the line
	blank bool   // an empty line before it
}

// document is a text of one value.
type document struct {
	prelude    []comment // before the line ---
	directives []string  // before the line ---
	marker     bool      // has a line ---
	head       []comment
	blank      bool   // an empty line after the head
	root       *entry // with no key
	foot       []comment
}

// isCollection reports whether the value has entries.
func (n *node) isCollection() bool { return n.kind == mappingNode || n.kind == sequenceNode }

// member returns the entry of a key, nil when there is none.
func (n *node) member(key string) *entry {
	if n.kind != mappingNode {
		return nil
	}
	for _, e := range n.entries {
		if e.key.kind == scalarNode && e.key.value == key {
			return e
		}
	}
	return nil
}

// walk calls f for a value and all values inside of it, keys included, in their order.
func (n *node) walk(f func(*node)) {
	f(n)
	for _, e := range n.entries {
		if e.key != nil {
			e.key.walk(f)
		}
		e.value.walk(f)
	}
}
