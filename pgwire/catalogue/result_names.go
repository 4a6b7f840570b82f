package catalogue

import (
	"strings"

	"github.com/semlayer/semlayer/semsql/parse"
)

// catalogueTypeNames are the names that PostgreSQL gives columns that are casts.
var catalogueTypeNames = map[string]string{
	"integer": "int4", "smallint": "int2", "bigint": "int8", "real": "float4", "double precision": "float8", "boolean": "bool",
	"character": "bpchar", "timestamp without time zone": "timestamp", "timestamp with time zone": "timestamptz", `"char"`: "char",
}

// nameOfExpr is the name that PostgreSQL gives a column without an alias. weak reports that a cast around
// the expression names it instead.
func nameOfExpr(x parse.Expr) (name string, weak bool) {
	switch x := x.(type) {
	case *parse.Column:
		return fold(x.Path[len(x.Path)-1]), false
	case *parse.Call:
		return fold(x.Function), false
	case *parse.SessionValue:
		return x.Word, false
	case *parse.Collated:
		return nameOfExpr(x.X)
	case *parse.PartOf:
		return fold(x.Name), false
	case *parse.Subscript:
		return nameOfExpr(x.X)
	case *parse.Extract:
		return "extract", false
	case *parse.Exists:
		return "exists", false
	case *parse.ArrayOf, *parse.ArrayQuery:
		return "array", false
	case *parse.RowOf:
		return "row", false
	case *parse.Cast:
		if name, weak := nameOfExpr(x.X); !weak {
			return name, false
		}
		return nameOfType(x.To), true
	case *parse.Case:
		return nameOfCase(x)
	case *parse.ScalarSubquery:
		return nameOfQuery(x.Query)
	}
	return "?column?", true
}

func nameOfType(t *parse.TypeName) string {
	name := strings.TrimSuffix(t.Name, "[]")
	if known, ok := catalogueTypeNames[name]; ok {
		return known
	}
	return name
}

func nameOfCase(c *parse.Case) (string, bool) {
	if c.Else != nil {
		if name, weak := nameOfExpr(c.Else); !weak {
			return name, false
		}
	}
	return "case", true
}

func nameOfQuery(q *parse.Query) (string, bool) {
	body := q.Body
	for {
		switch b := body.(type) {
		case *parse.Select:
			if len(b.Items) == 0 {
				return "?column?", true
			}
			if b.Items[0].Alias.Text != "" {
				return fold(b.Items[0].Alias), false
			}
			return nameOfExpr(b.Items[0].X)
		case *parse.SetOperation:
			body = b.Left
		case *parse.Query:
			body = b.Body
		default:
			return "?column?", true
		}
	}
}
