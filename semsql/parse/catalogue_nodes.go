package parse

import "slices"

func visitCatalogueChildren(n Node, visit func(Node)) {
	switch n := n.(type) {
	case *CatalogueOperation:
		visitExpr(n.Left, visit)
		visit(n.Right)
	case *QuantifiedComparison:
		visit(n.X)
		visit(n.Array)
	case *Subscript:
		visit(n.X)
		visitExpr(n.Index, visit)
		visitExpr(n.End, visit)
	case *FieldSelection:
		visit(n.X)
	case *ArrayConstructor:
		visitAll(n.Items, visit)
	case *ArraySubquery:
		visit(n.Query)
	case *RowConstructor:
		visitAll(n.Items, visit)
	case *Collated:
		visit(n.X)
	case *Variadic:
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

// sameOwnValuesOfCatalogueNode compares what two nodes of catalogue statements hold apart from the nodes below.
func sameOwnValuesOfCatalogueNode(a, b Node) bool {
	switch a := a.(type) {
	case *CatalogueOperation:
		b, ok := b.(*CatalogueOperation)
		return ok && a.Operator == b.Operator && bothPresentOrAbsent(a.Left, b.Left)
	case *QuantifiedComparison:
		b, ok := b.(*QuantifiedComparison)
		return ok && a.Operator == b.Operator && a.All == b.All
	case *Subscript:
		b, ok := b.(*Subscript)
		return ok && a.Slice == b.Slice && bothPresentOrAbsent(a.Index, b.Index) && bothPresentOrAbsent(a.End, b.End)
	case *FieldSelection:
		b, ok := b.(*FieldSelection)
		return ok && a.Name.Equal(b.Name)
	case *ArrayConstructor:
		b, ok := b.(*ArrayConstructor)
		return ok && len(a.Items) == len(b.Items)
	case *ArraySubquery:
		_, ok := b.(*ArraySubquery)
		return ok
	case *RowConstructor:
		b, ok := b.(*RowConstructor)
		return ok && len(a.Items) == len(b.Items)
	case *Collated:
		b, ok := b.(*Collated)
		return ok && a.Collation.Equal(b.Collation)
	case *Variadic:
		_, ok := b.(*Variadic)
		return ok
	case *FunctionTable:
		b, ok := b.(*FunctionTable)
		return ok && a.Lateral == b.Lateral && a.Ordinality == b.Ordinality && (a.Alias == nil) == (b.Alias == nil)
	case *AliasedJoin:
		b, ok := b.(*AliasedJoin)
		return ok && (a.Alias == nil) == (b.Alias == nil)
	case *Values:
		b, ok := b.(*Values)
		return ok && slices.EqualFunc(a.Rows, b.Rows, func(x, y *RowConstructor) bool { return len(x.Items) == len(y.Items) })
	}
	return false
}
