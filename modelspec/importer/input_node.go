package importer

// NodeKind is the kind of a node.
type NodeKind uint8

// The kinds.
const (
	KindNull NodeKind = iota
	KindScalar
	KindList
	KindMap
)

// Node is a value of an input file with its place. It is immutable: aliases share nodes.
type Node struct {
	File    string
	Line    int
	Kind    NodeKind
	Text    string // of a scalar, as written without its quotes
	Quoted  bool   // a scalar in quotes or on several lines
	Items   []*Node
	Members []MapEntry

	order int // of the file
}

// MapEntry is one key of a map.
type MapEntry struct {
	Key   string
	Line  int
	Value *Node
}

// memberKeyNode returns the place of a member: the line of its key.
func (n *Node) memberKeyNode(m MapEntry) *Node {
	return &Node{File: n.File, Line: m.Line, order: n.order}
}

// Get returns the value of a key, nil where the key is missing or null.
func (n *Node) Get(key string) *Node {
	if n == nil {
		return nil
	}
	for _, m := range n.Members {
		if m.Key == key && m.Value.Kind != KindNull {
			return m.Value
		}
	}
	return nil
}

// List returns the items of a list, nil of any other node.
func (n *Node) List() []*Node {
	if n == nil {
		return nil
	}
	return n.Items
}

// String returns the text of a scalar, "" of any other node.
func (n *Node) String() string {
	if n == nil || n.Kind != KindScalar {
		return ""
	}
	return n.Text
}

// IsTrue reports whether the node is the boolean true.
func (n *Node) IsTrue() bool {
	switch n.String() {
	case "true", "True", "TRUE":
		return true
	}
	return false
}

// NewInputTextNode returns a text of a format that is not YAML, at its place. order is the number of the
// file among the sources.
func NewInputTextNode(file string, line, order int, text string) *Node {
	return &Node{File: file, Line: line, Kind: KindScalar, Text: text, order: order}
}
