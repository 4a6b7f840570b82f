package plan

// Rewrite replaces nodes of a tree from the bottom up. f gets a node over inputs that are
// rewritten already and returns its replacement, or the node. Unchanged parts are shared with
// root, and the input of shared derived tables is rewritten once.
func Rewrite(root Node, f func(Node) Node) Node {
	r := rewriter{after: f}
	return r.rewrite(root)
}

// RewriteDown is Rewrite from the top down: f gets a node over inputs that are not rewritten yet, and those of its replacement are rewritten next.
func RewriteDown(root Node, f func(Node) Node) Node {
	r := rewriter{before: f}
	return r.rewrite(root)
}

// rewriter replaces nodes before their inputs are rewritten, or after.
type rewriter struct {
	before, after func(Node) Node
	done          map[Node]Node // nil where no shared derived table is done
}

func (r *rewriter) rewrite(n Node) Node {
	if r.before != nil {
		return r.rewriteInputsOnce(r.before(n))
	}
	return r.after(r.rewriteInputsOnce(n))
}

// rewriteInputsOnce returns a node over rewritten inputs. What the input of a shared derived table becomes is kept for its other parents.
func (r *rewriter) rewriteInputsOnce(n Node) Node {
	derived, ok := n.(*Derived)
	if !ok || !derived.Shared {
		return r.rewriteInputs(n)
	}
	input, ok := r.done[derived.Input]
	if !ok {
		input = r.rewrite(derived.Input)
		if r.done == nil {
			r.done = map[Node]Node{}
		}
		r.done[derived.Input] = input
	}
	if input != derived.Input {
		out := *derived
		out.Input = input
		derived = &out
	}
	return derived
}

// rewriteInputs returns a node over rewritten inputs.
func (r *rewriter) rewriteInputs(n Node) Node {
	switch n := n.(type) {
	case *Join:
		left, right := r.rewrite(n.Left), r.rewrite(n.Right)
		if left == n.Left && right == n.Right {
			return n
		}
		out := *n
		out.Left, out.Right = left, right
		return &out
	case *Combine:
		branches, changed := r.rewriteEach(n.Branches)
		if !changed {
			return n
		}
		out := *n
		out.Branches = branches
		return &out
	case *Union:
		rows, changed := r.rewriteEach(n.Rows)
		if !changed {
			return n
		}
		out := *n
		out.Rows = rows
		return &out
	case *Derived:
		return replaceInput(r, n, n.Input, func(out *Derived, in Node) { out.Input = in })
	case *Filter:
		return replaceInput(r, n, n.Input, func(out *Filter, in Node) { out.Input = in })
	case *Aggregate:
		return replaceInput(r, n, n.Input, func(out *Aggregate, in Node) { out.Input = in })
	case *GroupingSets:
		return replaceInput(r, n, n.Input, func(out *GroupingSets, in Node) { out.Input = in })
	case *HomeRows:
		return replaceInput(r, n, n.Input, func(out *HomeRows, in Node) { out.Input = in })
	case *Snapshots:
		return replaceInput(r, n, n.Input, func(out *Snapshots, in Node) { out.Input = in })
	case *Repeat:
		return replaceInput(r, n, n.Input, func(out *Repeat, in Node) { out.Input = in })
	case *Window:
		return replaceInput(r, n, n.Input, func(out *Window, in Node) { out.Input = in })
	case *Project:
		return replaceInput(r, n, n.Input, func(out *Project, in Node) { out.Input = in })
	case *Sort:
		return replaceInput(r, n, n.Input, func(out *Sort, in Node) { out.Input = in })
	case *Limit:
		return replaceInput(r, n, n.Input, func(out *Limit, in Node) { out.Input = in })
	case *Offset:
		return replaceInput(r, n, n.Input, func(out *Offset, in Node) { out.Input = in })
	case *FirstColumns:
		return replaceInput(r, n, n.Input, func(out *FirstColumns, in Node) { out.Input = in })
	case *SemiJoin:
		input, rows := r.rewrite(n.Input), r.rewrite(n.Rows)
		if input == n.Input && rows == n.Rows {
			return n
		}
		out := *n
		out.Input, out.Rows = input, rows
		return &out
	case *Scan, *Numbers: // without inputs
	}
	return n
}

// rewriteEach rewrites several inputs and reports whether one of them changed.
func (r *rewriter) rewriteEach(inputs []Node) ([]Node, bool) {
	out := make([]Node, len(inputs))
	changed := false
	for i, in := range inputs {
		out[i] = r.rewrite(in)
		changed = changed || out[i] != in
	}
	return out, changed
}

// replaceInput is a node over its rewritten input, which set puts into a copy of the node.
func replaceInput[T any, P interface {
	*T
	Node
}](r *rewriter, n P, in Node, set func(out P, in Node)) Node {
	input := r.rewrite(in)
	if input == in {
		return n
	}
	out := P(new(T))
	*out = *n
	set(out, input)
	return out
}
