package plan

import "strconv"

// Offset skips the first N rows.
type Offset struct {
	isNode
	Input Node
	N     int64
}

// Schema returns the input's.
func (n *Offset) Schema() Schema { return n.Input.Schema() }

// Inputs returns the one input.
func (n *Offset) Inputs() []Node { return []Node{n.Input} }

// Describe prints the number of rows that are skipped.
func (n *Offset) Describe() string { return "Offset " + strconv.FormatInt(n.N, 10) }
