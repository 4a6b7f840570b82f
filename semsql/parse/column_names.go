package parse

import (
	"strings"

	"github.com/semlayer/semlayer/modelspec/lexical"
)

// UnnamedColumn is the name that PostgreSQL gives a column that has no other.
const UnnamedColumn = "?column?"

// ColumnName returns the name that PostgreSQL gives the column of an expression without an alias.
func ColumnName(e Expr) string {
	name, _ := columnName(e)
	return name
}

// columnName also reports whether the name is of a value: a CASE or a cast around it keeps such a name.
func columnName(e Expr) (name string, ofValue bool) {
	switch e := e.(type) {
	case *Column:
		return FoldName(e.Path[len(e.Path)-1]), true
	case *FieldSelection:
		return FoldName(e.Name), true
	case *MeasureCall:
		return columnName(e.Metric)
	case *Subscript:
		return columnName(e.X)
	case *Collated:
		return columnName(e.X)
	case *Call:
		return strings.ToLower(e.Function.Text), true
	case *SessionValue:
		return e.Word, true
	case *Extract:
		return "extract", true
	case *Exists:
		return "exists", true
	case *ArrayConstructor, *ArraySubquery:
		return "array", true
	case *RowConstructor:
		return "row", true
	case *Cast:
		if e.Literal {
			return UnnamedColumn, false
		}
		return columnNameOr(e.X, e.To.CatalogueName())
	case *Case:
		return columnNameOr(e.Else, "case")
	case *TimeLiteral:
		return e.Type, false
	case *Interval:
		return "interval", false
	case *ScalarSubquery:
		return columnNameOfBody(e.Query.Body)
	}
	return UnnamedColumn, false
}

func columnNameOr(e Expr, other string) (name string, ofValue bool) {
	if name, ofValue = columnName(e); ofValue {
		return name, true
	}
	return other, false
}

// columnNameOfBody returns the name of the first column of a query.
func columnNameOfBody(b QueryBody) (name string, ofValue bool) {
	switch b := b.(type) {
	case *SetOperation:
		return columnNameOfBody(b.Left)
	case *Query:
		return columnNameOfBody(b.Body)
	case *Select:
		switch {
		case len(b.Items) == 0:
		case b.Items[0].Alias.Text != "":
			return FoldName(b.Items[0].Alias), true
		default:
			return columnName(b.Items[0].X)
		}
	}
	return UnnamedColumn, false
}

// FoldName returns the text of a name as PostgreSQL compares it.
func FoldName(n Name) string {
	if n.Quoted {
		return n.Text
	}
	return string(lexical.AppendLower(nil, n.Text))
}

// catalogueNamesOfTypes are the types that have another name in the catalogue of PostgreSQL.
var catalogueNamesOfTypes = map[string]string{
	"integer": "int4", "smallint": "int2", "bigint": "int8", "real": "float4", "double precision": "float8", "boolean": "bool", "character": "bpchar", `"char"`: "char",
}

// CatalogueName returns the name of the type, or of the elements of an array, in the catalogue of PostgreSQL.
func (t *TypeName) CatalogueName() string {
	name := strings.TrimSuffix(t.Name, "[]")
	if other, ok := catalogueNamesOfTypes[name]; ok {
		return other
	}
	return name
}
