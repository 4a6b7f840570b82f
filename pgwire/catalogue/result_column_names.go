package catalogue

import (
	"strings"

	"github.com/semlayer/semlayer/semsql/parse"
)

// catalogueTypeNamesBySQLName are the names that PostgreSQL gives columns that are casts.
var catalogueTypeNamesBySQLName = map[string]string{
	"integer": "int4", "smallint": "int2", "bigint": "int8", "real": "float4", "double precision": "float8", "boolean": "bool",
	"character": "bpchar", "timestamp without time zone": "timestamp", "timestamp with time zone": "timestamptz", `"char"`: "char",
}

// columnNameOfExpr returns the name that PostgreSQL gives a column without an alias. weak reports that a cast around
// the expression names it instead.
func columnNameOfExpr(x parse.Expr) (name string, weak bool) {
	switch x := x.(type) {
	case *parse.Column:
		return foldName(x.Path[len(x.Path)-1]), false
	case *parse.Call:
		return foldName(x.Function), false
	case *parse.SessionValue:
		return x.Word, false
	case *parse.Collated:
		return columnNameOfExpr(x.X)
	case *parse.FieldSelection:
		return foldName(x.Name), false
	case *parse.Subscript:
		return columnNameOfExpr(x.X)
	case *parse.Extract:
		return "extract", false
	case *parse.Exists:
		return "exists", false
	case *parse.ArrayConstructor, *parse.ArraySubquery:
		return "array", false
	case *parse.RowConstructor:
		return "row", false
	case *parse.Cast:
		if name, weak := columnNameOfExpr(x.X); !weak {
			return name, false
		}
		return columnNameOfType(x.To), true
	case *parse.TimeLiteral:
		return columnNameOfType(&parse.TypeName{Name: x.Type}), true
	case *parse.Case:
		return columnNameOfCase(x)
	case *parse.ScalarSubquery:
		return columnNameOfQuery(x.Query)
	}
	return "?column?", true
}

func columnNameOfType(t *parse.TypeName) string {
	name := strings.TrimSuffix(t.Name, "[]")
	if known, ok := catalogueTypeNamesBySQLName[name]; ok {
		return known
	}
	return name
}

func columnNameOfCase(c *parse.Case) (string, bool) {
	if c.Else != nil {
		if name, weak := columnNameOfExpr(c.Else); !weak {
			return name, false
		}
	}
	return "case", true
}

func columnNameOfQuery(q *parse.Query) (string, bool) {
	body := q.Body
	for {
		switch b := body.(type) {
		case *parse.Select:
			if len(b.Items) == 0 {
				return "?column?", true
			}
			if b.Items[0].Alias.Text != "" {
				return foldName(b.Items[0].Alias), false
			}
			return columnNameOfExpr(b.Items[0].X)
		case *parse.SetOperation:
			body = b.Left
		case *parse.Query:
			body = b.Body
		default:
			return "?column?", true
		}
	}
}
