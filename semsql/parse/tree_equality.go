package parse

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// Equal reports whether two nodes have the same form. Positions do not count, and names
// without quotes compare without regard to case.
func Equal(a, b Node) bool {
	if a == nil || b == nil {
		return a == nil && b == nil
	}
	switch x := a.(type) {
	case *Column, *Number, *String, *Bool, *Null, *Unary, *Binary, *Between, *In, *Like, *IsNull, *IsTruth, *Case, *Extract:
		y, ok := b.(Expr)
		return ok && sqlexpr.EqualNodes(x.(Expr), y, equalExprs)
	}
	return sameOwnValues(a, b) && slices.EqualFunc(childrenOf(a), childrenOf(b), Equal)
}

func equalExprs(a, b Expr) bool { return Equal(a, b) }

func childrenOf(n Node) []Node {
	var list []Node
	VisitChildren(n, func(child Node) { list = append(list, child) })
	return list
}

func sameNames(a, b []Name) bool { return slices.EqualFunc(a, b, Name.Equal) }

// bothPresentOrAbsent reports whether both or neither of two optional expressions are there.
func bothPresentOrAbsent(a, b Expr) bool { return (a == nil) == (b == nil) }

// sameOwnValues compares what two nodes hold apart from the nodes below them: values, and how many
// nodes each field has.
func sameOwnValues(a, b Node) bool {
	switch a.(type) {
	case CatalogueExpr, CatalogueRelation, *Values:
		return sameOwnValuesOfCatalogueNode(a, b)
	case *Query, *CommonTable, *Select, *SetOperation, *SelectItem, *OrderItem:
		return sameOwnValuesOfQuery(a, b)
	case Relation, *TableAlias:
		return sameOwnValuesOfRelation(a, b)
	case *Star, *Parameter, *TimeLiteral, *Interval, *SessionValue:
		return sameOwnValuesOfLeaf(a, b)
	case *Call, *MeasureCall, *NamedArgument, *Window, *Frame, *FrameBound:
		return sameOwnValuesOfCall(a, b)
	}
	return sameOwnValuesOfOperator(a, b)
}

func sameOwnValuesOfQuery(a, b Node) bool {
	switch a := a.(type) {
	case *Query:
		b, ok := b.(*Query)
		return ok && a.Recursive == b.Recursive && len(a.With) == len(b.With) && len(a.OrderBy) == len(b.OrderBy) && bothPresentOrAbsent(a.Limit, b.Limit) && bothPresentOrAbsent(a.Offset, b.Offset)
	case *CommonTable:
		b, ok := b.(*CommonTable)
		return ok && a.Name.Equal(b.Name) && sameNames(a.Columns, b.Columns)
	case *Select:
		b, ok := b.(*Select)
		return ok && a.Distinct == b.Distinct && len(a.DistinctOn) == len(b.DistinctOn) && len(a.Items) == len(b.Items) && len(a.From) == len(b.From) &&
			bothPresentOrAbsent(a.Where, b.Where) && len(a.GroupBy) == len(b.GroupBy) && bothPresentOrAbsent(a.Having, b.Having)
	case *SetOperation:
		b, ok := b.(*SetOperation)
		return ok && a.Operator == b.Operator && a.All == b.All
	case *SelectItem:
		b, ok := b.(*SelectItem)
		return ok && a.Alias.Equal(b.Alias)
	case *OrderItem:
		b, ok := b.(*OrderItem)
		return ok && a.Desc == b.Desc && a.Nulls == b.Nulls
	}
	return false
}

func sameOwnValuesOfRelation(a, b Node) bool {
	switch a := a.(type) {
	case *TableAlias:
		b, ok := b.(*TableAlias)
		return ok && a.Name.Equal(b.Name) && sameNames(a.Columns, b.Columns)
	case *Table:
		b, ok := b.(*Table)
		return ok && sameNames(a.Path, b.Path) && (a.Alias == nil) == (b.Alias == nil)
	case *DerivedTable:
		b, ok := b.(*DerivedTable)
		return ok && a.Lateral == b.Lateral && (a.Alias == nil) == (b.Alias == nil)
	case *Join:
		b, ok := b.(*Join)
		return ok && a.Kind == b.Kind && a.Natural == b.Natural && bothPresentOrAbsent(a.On, b.On) && sameNames(a.Using, b.Using)
	case *SemanticView:
		b, ok := b.(*SemanticView)
		return ok && sameNames(a.Model, b.Model) && len(a.Dimensions) == len(b.Dimensions) && len(a.Facts) == len(b.Facts) &&
			len(a.Metrics) == len(b.Metrics) && bothPresentOrAbsent(a.Where, b.Where) && (a.Alias == nil) == (b.Alias == nil)
	}
	return false
}

func sameOwnValuesOfLeaf(a, b Node) bool {
	switch a := a.(type) {
	case *Star:
		b, ok := b.(*Star)
		return ok && sameNames(a.Qualifier, b.Qualifier)
	case *Parameter:
		b, ok := b.(*Parameter)
		return ok && a.Number == b.Number
	case *TimeLiteral:
		b, ok := b.(*TimeLiteral)
		return ok && a.Type == b.Type && a.Value == b.Value
	case *Interval:
		b, ok := b.(*Interval)
		return ok && a.Value == b.Value && a.Unit == b.Unit
	case *SessionValue:
		b, ok := b.(*SessionValue)
		return ok && a.Word == b.Word
	}
	return false
}

func sameOwnValuesOfCall(a, b Node) bool {
	switch a := a.(type) {
	case *Call:
		b, ok := b.(*Call)
		return ok && a.Function.Equal(b.Function) && a.Distinct == b.Distinct && len(a.Arguments) == len(b.Arguments) && len(a.OrderBy) == len(b.OrderBy) &&
			len(a.WithinGroup) == len(b.WithinGroup) && bothPresentOrAbsent(a.Filter, b.Filter) && (a.Over == nil) == (b.Over == nil)
	case *MeasureCall:
		b, ok := b.(*MeasureCall)
		return ok && len(a.Arguments) == len(b.Arguments) && bothPresentOrAbsent(a.Filter, b.Filter)
	case *NamedArgument:
		b, ok := b.(*NamedArgument)
		return ok && a.Name.Equal(b.Name)
	case *Window:
		b, ok := b.(*Window)
		return ok && len(a.PartitionBy) == len(b.PartitionBy) && len(a.OrderBy) == len(b.OrderBy) && (a.Frame == nil) == (b.Frame == nil)
	case *Frame:
		_, ok := b.(*Frame)
		return ok
	case *FrameBound:
		b, ok := b.(*FrameBound)
		return ok && a.Kind == b.Kind && bothPresentOrAbsent(a.Offset, b.Offset)
	}
	return false
}

func sameOwnValuesOfOperator(a, b Node) bool {
	switch a := a.(type) {
	case *InArray:
		b, ok := b.(*InArray)
		return ok && a.Not == b.Not && len(a.Casts) == len(b.Casts)
	case *InQuery:
		b, ok := b.(*InQuery)
		return ok && a.Not == b.Not
	case *Cast:
		b, ok := b.(*Cast)
		return ok && a.Try == b.Try
	case *TypeName:
		b, ok := b.(*TypeName)
		return ok && a.Name == b.Name && slices.Equal(a.Arguments, b.Arguments)
	case *Grouping:
		b, ok := b.(*Grouping)
		return ok && a.Kind == b.Kind && len(a.Items) == len(b.Items)
	case *ScalarSubquery:
		_, ok := b.(*ScalarSubquery)
		return ok
	case *Exists:
		_, ok := b.(*Exists)
		return ok
	}
	return false
}
