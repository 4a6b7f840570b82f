package parse

// appendCatalogueExpr prints an expression that only catalogue statements have.
func appendCatalogueExpr(dst []byte, e CatalogueExpr) []byte {
	switch e := e.(type) {
	case *Operation:
		dst = appendExpr(dst, e.Left, levelOperator)
		dst = append(append(append(dst, ' '), e.Operator...), ' ')
		return appendExpr(dst, e.Right, levelOperator+1)
	case *Quantified:
		return appendQuantified(dst, e)
	case *Subscript:
		return appendSubscript(dst, e)
	case *PartOf:
		dst = append(appendExpr(append(dst, '('), e.X, levelOr), ")."...)
		if e.Name.Text == "" {
			return append(dst, '*')
		}
		return appendName(dst, e.Name, true)
	case *ArrayOf:
		return append(appendCommaSeparated(append(dst, "ARRAY["...), e.Items), ']')
	case *ArrayQuery:
		return append(appendQuery(append(dst, "ARRAY("...), e.Query), ')')
	case *RowOf:
		return append(appendCommaSeparated(append(dst, "ROW("...), e.Items), ')')
	case *Collated:
		return appendName(append(append(appendExpr(append(dst, '('), e.X, levelOr), ')'), " COLLATE "...), e.Collation, true)
	}
	return dst
}

// appendQuantified prints a comparison with each element, in the parentheses that every level takes.
func appendQuantified(dst []byte, e *Quantified) []byte {
	dst = append(append(append(appendExpr(dst, e.X, levelPrimary), ' '), e.Operator...), " ANY ("...)
	if e.All {
		dst = append(dst[:len(dst)-len("ANY (")], "ALL ("...)
	}
	if q, ok := e.Array.(*ArrayQuery); ok && e.Operator != "=" && e.Operator != "<>" {
		return append(appendQuery(dst, q.Query), ')')
	}
	return append(appendExpr(dst, e.Array, levelOr), ')')
}

func appendSubscript(dst []byte, e *Subscript) []byte {
	dst = append(appendExpr(append(dst, '('), e.X, levelOr), ")["...)
	if e.Index != nil {
		dst = appendExpr(dst, e.Index, levelOr)
	}
	if e.Slice {
		dst = append(dst, " : "...)
		if e.End != nil {
			dst = appendExpr(dst, e.End, levelOr)
		}
	}
	return append(dst, ']')
}

func printCatalogueRelation(dst []byte, r CatalogueRelation) []byte {
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
