package plan

import "github.com/semlayer/semlayer/modelspec/sqlexpr"

// Schema of a Scan is unknown: its columns are addressed by name.
func (*Scan) Schema() Schema { return nil }

// Schema returns the input's.
func (n *Derived) Schema() Schema { return n.Input.Schema() }

// Schema of a Join is unknown, as of its sides.
func (*Join) Schema() Schema { return nil }

// Schema returns the input's.
func (n *Filter) Schema() Schema { return n.Input.Schema() }

// Schema returns the keys followed by the measures.
func (n *Aggregate) Schema() Schema {
	return appendNamedColumns(appendNamedColumns(make(Schema, 0, len(n.Keys)+len(n.Measures)), n.Keys), n.Measures)
}

// Schema returns the input's followed by the window columns.
func (n *Window) Schema() Schema {
	in := n.Input.Schema()
	return appendNamedColumns(append(make(Schema, 0, len(in)+len(n.Funcs)), in...), n.Funcs)
}

// Schema returns the keys followed by the branches' other columns. A key has the type
// that holds the values of all branches.
func (n *Combine) Schema() Schema {
	var out Schema
	for i, b := range n.Branches {
		s := b.Schema()
		if i == 0 {
			out = append(out, s[:n.Keys]...)
		}
		for k := range n.Keys {
			out[k].Type = commonType(out[k].Type, s[k].Type)
		}
		out = append(out, s[n.Keys:]...)
	}
	return out
}

// commonType returns the type of a column that holds values of two types. A date and a
// timestamp give a timestamp; any other pair of different types is unknown.
func commonType(a, b sqlexpr.Type) sqlexpr.Type {
	switch {
	case a == b:
		return a
	case a.IsDateOrTimestamp() && b.IsDateOrTimestamp():
		return max(a, b)
	}
	return sqlexpr.TypeUnknown
}

// Schema lists the projected columns.
func (n *Project) Schema() Schema { return appendNamedColumns(make(Schema, 0, len(n.Cols)), n.Cols) }

// Schema returns the input's.
func (n *Sort) Schema() Schema { return n.Input.Schema() }

// Schema returns the input's.
func (n *Limit) Schema() Schema { return n.Input.Schema() }

func appendNamedColumns(s Schema, cols []NamedExpr) Schema {
	for _, c := range cols {
		s = append(s, Column{Name: c.Name, Type: c.Type})
	}
	return s
}

// Inputs of a Scan: none.
func (*Scan) Inputs() []Node { return nil }

// Inputs returns the subquery.
func (n *Derived) Inputs() []Node { return []Node{n.Input} }

// Inputs returns the left and the right side.
func (n *Join) Inputs() []Node { return []Node{n.Left, n.Right} }

// Inputs returns the filtered node.
func (n *Filter) Inputs() []Node { return []Node{n.Input} }

// Inputs returns the grouped node.
func (n *Aggregate) Inputs() []Node { return []Node{n.Input} }

// Inputs returns the node the window runs over.
func (n *Window) Inputs() []Node { return []Node{n.Input} }

// Inputs returns the branches.
func (n *Combine) Inputs() []Node { return n.Branches }

// Inputs returns the projected node.
func (n *Project) Inputs() []Node { return []Node{n.Input} }

// Inputs returns the sorted node.
func (n *Sort) Inputs() []Node { return []Node{n.Input} }

// Inputs returns the limited node.
func (n *Limit) Inputs() []Node { return []Node{n.Input} }
