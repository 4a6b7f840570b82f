package parse

import "slices"

func visitCatalogueChildren(n Node, visit func(Node)) {
	switch n := n.(type) {
	case *Operation:
		visitExpr(n.Left, visit)
		visit(n.Right)
	case *Quantified:
		visit(n.X)
		visit(n.Array)
	case *Subscript:
		visit(n.X)
		visitExpr(n.Index, visit)
		visitExpr(n.End, visit)
	case *PartOf:
		visit(n.X)
	case *ArrayOf:
		visitAll(n.Items, visit)
	case *ArrayQuery:
		visit(n.Query)
	case *RowOf:
		visitAll(n.Items, visit)
	case *Collated:
		visit(n.X)
	case *FunctionTable:
		visit(n.Call)
		visitOptional(n.Alias, visit)
	case *AliasedJoin:
		visit(n.Join)
		visitOptional(n.Alias, visit)
	case *Values:
		visitAll(n.Rows, visit)
	}
}

// sameCatalogueNode compares what two nodes of catalogue statements hold apart from the nodes below.
func sameCatalogueNode(a, b Node) bool {
	switch a := a.(type) {
	case *Operation:
		b, ok := b.(*Operation)
		return ok && a.Operator == b.Operator && bothPresentOrAbsent(a.Left, b.Left)
	case *Quantified:
		b, ok := b.(*Quantified)
		return ok && a.Operator == b.Operator && a.All == b.All
	case *Subscript:
		b, ok := b.(*Subscript)
		return ok && a.Slice == b.Slice && bothPresentOrAbsent(a.Index, b.Index) && bothPresentOrAbsent(a.End, b.End)
	case *PartOf:
		b, ok := b.(*PartOf)
		return ok && sameName(a.Name, b.Name)
	case *ArrayOf:
		b, ok := b.(*ArrayOf)
		return ok && len(a.Items) == len(b.Items)
	case *ArrayQuery:
		_, ok := b.(*ArrayQuery)
		return ok
	case *RowOf:
		b, ok := b.(*RowOf)
		return ok && len(a.Items) == len(b.Items)
	case *Collated:
		b, ok := b.(*Collated)
		return ok && sameName(a.Collation, b.Collation)
	case *FunctionTable:
		b, ok := b.(*FunctionTable)
		return ok && a.Lateral == b.Lateral && a.Ordinality == b.Ordinality && (a.Alias == nil) == (b.Alias == nil)
	case *AliasedJoin:
		b, ok := b.(*AliasedJoin)
		return ok && (a.Alias == nil) == (b.Alias == nil)
	case *Values:
		b, ok := b.(*Values)
		return ok && slices.EqualFunc(a.Rows, b.Rows, func(x, y *RowOf) bool { return len(x.Items) == len(y.Items) })
	}
	return false
}
