package resolve

import (
	"strconv"
	"strings"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/semsql/parse"
)

// lowerCast casts a value; a constant is read as the type.
func (s *Scope) lowerCast(e *parse.Cast) (sqlexpr.Expr, error) {
	x, err := s.LowerExpr(e.X)
	if err != nil {
		return nil, err
	}
	cast, err := parseExpressionTemplate(e, "CAST(:a0 AS "+typeInExpressionLanguage(e.To)+")", x)
	if err != nil {
		return nil, err
	}
	if text, ok := x.(*sqlexpr.String); ok {
		to, ok := cast.(*sqlexpr.Cast)
		switch {
		case !ok:
		case s.Types.learnType(text, s.TypeOf(cast)):
			return exampleOfType(s.TypeOf(cast), text.Position), nil
		case len(to.To.Args) == 0:
			return readTextAsType(text, to.To.Type, cast)
		}
	}
	return cast, nil
}

// typeNameByPostgresName are types of PostgreSQL under the names that the language has for them.
var typeNameByPostgresName = map[string]string{"bpchar": "char", "name": "text", "int4": "integer", "int8": "bigint", "float4": "real", "float8": "double precision"}

// typeInExpressionLanguage returns a type as the expression language writes it.
func typeInExpressionLanguage(t *parse.TypeName) string {
	name := plainWordsOrUnknownWord(t.Name)
	if known, ok := typeNameByPostgresName[name]; ok {
		name = known
	}
	if len(t.Arguments) == 0 {
		return name
	}
	first, rest, _ := strings.Cut(name, " with")
	var args []string
	for _, n := range t.Arguments {
		args = append(args, strconv.Itoa(n))
	}
	out := first + "(" + strings.Join(args, ", ") + ")"
	if rest != "" {
		out += " with" + rest
	}
	return out
}
