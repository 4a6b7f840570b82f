package parse

import "github.com/semlayer/semlayer/modelspec/sqlexpr"

// Walk calls visit for a node and, while visit returns true, for the nodes below it in the
// order of the text. A nil node is not visited.
func Walk(n Node, visit func(Node) bool) {
	if n == nil || !visit(n) {
		return
	}
	VisitChildren(n, func(child Node) { Walk(child, visit) })
}

// VisitChildren calls visit for each node directly below n in the order of the text.
func VisitChildren(n Node, visit func(Node)) {
	switch n := n.(type) {
	case *Query, *Select, *SetOperation, *CommonTable:
		visitQueryChildren(n, visit)
	case *Table, *DerivedTable, *Join, *SemanticView:
		visitRelationChildren(n, visit)
	case *SelectItem:
		visit(n.X)
	case *OrderItem:
		visit(n.X)
	case *NamedArgument:
		visit(n.X)
	case *Window:
		visitAll(n.PartitionBy, visit)
		visitAll(n.OrderBy, visit)
		visitOptional(n.Frame, visit)
	case *Frame:
		visit(n.Start)
		visit(n.End)
	case *FrameBound:
		visitExpr(n.Offset, visit)
	case CatalogueExpr, CatalogueRelation, *Values:
		visitCatalogueChildren(n, visit)
	case Expr:
		visitExprChildren(n, visit)
	}
}

func visitQueryChildren(n Node, visit func(Node)) {
	switch n := n.(type) {
	case *Query:
		visitAll(n.With, visit)
		visit(n.Body)
		visitAll(n.OrderBy, visit)
		visitExpr(n.Limit, visit)
		visitExpr(n.Offset, visit)
	case *Select:
		visitAll(n.DistinctOn, visit)
		visitAll(n.Items, visit)
		visitAll(n.From, visit)
		visitExpr(n.Where, visit)
		visitAll(n.GroupBy, visit)
		visitExpr(n.Having, visit)
	case *SetOperation:
		visit(n.Left)
		visit(n.Right)
	case *CommonTable:
		visit(n.Query)
	}
}

func visitRelationChildren(n Node, visit func(Node)) {
	switch n := n.(type) {
	case *Table:
		visitOptional(n.Alias, visit)
	case *DerivedTable:
		visit(n.Query)
		visitOptional(n.Alias, visit)
	case *Join:
		visit(n.Left)
		visit(n.Right)
		visitExpr(n.On, visit)
	case *SemanticView:
		visitAll(n.Dimensions, visit)
		visitAll(n.Facts, visit)
		visitAll(n.Metrics, visit)
		visitExpr(n.Where, visit)
		visitOptional(n.Alias, visit)
	}
}

func visitExprChildren(n Expr, visit func(Node)) {
	switch n := n.(type) {
	case *InArray:
		visit(n.X)
		visit(n.Array)
		visitAll(n.Casts, visit)
	case *InQuery:
		visit(n.X)
		visit(n.Query)
	case *Cast:
		visit(n.X)
		visit(n.To)
	case *Call:
		visitAll(n.Arguments, visit)
		visitAll(n.OrderBy, visit)
		visitAll(n.WithinGroup, visit)
		visitExpr(n.Filter, visit)
		visitOptional(n.Over, visit)
	case *MeasureCall:
		visit(n.Metric)
		visitAll(n.Arguments, visit)
		visitExpr(n.Filter, visit)
	case *Grouping:
		visitAll(n.Items, visit)
	case *ScalarSubquery:
		visit(n.Query)
	case *Exists:
		visit(n.Query)
	default:
		sqlexpr.VisitOperands(n, func(x Expr) { visit(x) })
	}
}

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

func visitAll[N Node](list []N, visit func(Node)) {
	for _, n := range list {
		visit(n)
	}
}

func visitExpr(e Expr, visit func(Node)) {
	if e != nil {
		visit(e)
	}
}

// visitOptional visits a part that may be absent.
func visitOptional[T any, P interface {
	*T
	Node
}](n P, visit func(Node)) {
	if n != nil {
		visit(n)
	}
}
