package parse

import "github.com/semlayer/semlayer/modelspec/sqlexpr"

// appendCatalogueExpr prints an expression that only catalogue statements have.
func appendCatalogueExpr(dst []byte, e CatalogueExpr) []byte {
	switch e := e.(type) {
	case *CatalogueOperation:
		dst = appendExpr(dst, e.Left, sqlexpr.PrecedenceConcat)
		dst = append(append(append(dst, ' '), e.Operator...), ' ')
		return appendExpr(dst, e.Right, sqlexpr.PrecedenceConcat+1)
	case *QuantifiedComparison:
		return appendQuantifiedComparison(dst, e)
	case *Subscript:
		return appendSubscript(dst, e)
	case *FieldSelection:
		dst = append(appendExpr(append(dst, '('), e.X, sqlexpr.PrecedenceOr), ")."...)
		if e.Name.Text == "" {
			return append(dst, '*')
		}
		return appendName(dst, e.Name, true)
	case *ArrayConstructor:
		return append(appendCommaSeparated(append(dst, "ARRAY["...), e.Items), ']')
	case *ArraySubquery:
		return append(appendQuery(append(dst, "ARRAY("...), e.Query), ')')
	case *RowConstructor:
		return append(appendCommaSeparated(append(dst, "ROW("...), e.Items), ')')
	case *Variadic:
		return appendExpr(append(dst, "VARIADIC "...), e.X, sqlexpr.PrecedenceOr)
	case *Collated:
		return appendName(append(append(appendExpr(append(dst, '('), e.X, sqlexpr.PrecedenceOr), ')'), " COLLATE "...), e.Collation, true)
	}
	return dst
}

// appendQuantifiedComparison prints a comparison with each element, in the parentheses that every level takes.
func appendQuantifiedComparison(dst []byte, e *QuantifiedComparison) []byte {
	dst = append(append(append(appendExpr(dst, e.X, sqlexpr.PrecedencePrimary), ' '), e.Operator...), " ANY ("...)
	if e.All {
		dst = append(dst[:len(dst)-len("ANY (")], "ALL ("...)
	}
	if q, ok := e.Array.(*ArraySubquery); ok && e.Operator != "=" && e.Operator != "<>" {
		return append(appendQuery(dst, q.Query), ')')
	}
	return append(appendExpr(dst, e.Array, sqlexpr.PrecedenceOr), ')')
}

func appendSubscript(dst []byte, e *Subscript) []byte {
	dst = append(appendExpr(append(dst, '('), e.X, sqlexpr.PrecedenceOr), ")["...)
	if e.Index != nil {
		dst = appendExpr(dst, e.Index, sqlexpr.PrecedenceOr)
	}
	if e.Slice {
		dst = append(dst, " : "...)
		if e.End != nil {
			dst = appendExpr(dst, e.End, sqlexpr.PrecedenceOr)
		}
	}
	return append(dst, ']')
}

func appendCatalogueRelation(dst []byte, r CatalogueRelation) []byte {
	switch r := r.(type) {
	case *FunctionTable:
		if r.Lateral {
			dst = append(dst, "LATERAL "...)
		}
		dst = appendCall(dst, r.Call)
		if r.Ordinality {
			dst = append(dst, " WITH ORDINALITY"...)
		}
		return appendAlias(dst, r.Alias)
	case *AliasedJoin:
		return appendAlias(append(appendRelation(append(dst, '('), r.Join), ')'), r.Alias)
	}
	return dst
}

func appendValues(dst []byte, v *Values) []byte {
	dst = append(dst, "VALUES "...)
	for i, row := range v.Rows {
		if i > 0 {
			dst = append(dst, ", "...)
		}
		dst = append(appendCommaSeparated(append(dst, '('), row.Items), ')')
	}
	return dst
}
