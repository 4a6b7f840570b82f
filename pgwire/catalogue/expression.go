package catalogue

import (
	"strconv"
	"strings"

	"github.com/semlayer/semlayer/pgwire/catalogue/internal/ducksql"
	"github.com/semlayer/semlayer/semsql/parse"
)

// resolveExpr prints an expression and finds its type.
func (r *resolver) resolveExpr(x parse.Expr, s *scope) (value, error) {
	switch x := x.(type) {
	case *parse.Column:
		return r.resolveColumn(x, s)
	case *parse.Parameter, *parse.Number, *parse.String, *parse.Bool, *parse.Null, *parse.TimeLiteral, *parse.SessionValue:
		return r.resolveLeaf(x)
	case *parse.Unary:
		return r.resolveUnary(x, s)
	case *parse.Binary:
		return r.resolveBinary(x, s)
	case *parse.Between, *parse.In, *parse.InQuery, *parse.Like, *parse.IsNull, *parse.IsTruth, *parse.Exists:
		return r.resolveTest(x, s)
	case *parse.Case:
		return r.resolveCase(x, s)
	case *parse.Cast:
		return r.resolveCast(x, s)
	case *parse.Call:
		return r.resolveCall(x, s)
	case *parse.ScalarSubquery:
		node, columns, err := r.resolveQuery(x.Query, s)
		if err != nil {
			return value{}, err
		}
		if len(columns) != 1 {
			return value{}, newError(x, stateSyntax, "subquery must return only one column")
		}
		return value{node: ducksql.Apply("(?)", node), typ: columns[0].value.typ, fields: columns[0].value.fields}, nil
	case parse.CatalogueExpr:
		return r.resolveCatalogueExpr(x, s)
	}
	return value{}, newUnsupportedError(x, "this expression")
}

// resolveColumn finds a column by its name, with or without the name of its relation.
func (r *resolver) resolveColumn(c *parse.Column, s *scope) (value, error) {
	name := fold(c.Path[len(c.Path)-1])
	if len(c.Path) == 1 {
		for at := s; at != nil; at = at.outer {
			found, err := findColumn(c, name, at.relations)
			if err != nil {
				return value{}, err
			}
			if found != nil {
				return found.value, nil
			}
		}
		return value{}, newError(c, stateUnknownColumn, `column "`+name+`" does not exist`)
	}
	of := fold(c.Path[len(c.Path)-2])
	for at := s; at != nil; at = at.outer {
		for _, rel := range at.relations {
			if rel.name != of {
				continue
			}
			for _, col := range rel.columns {
				if col.name == name {
					return col.value, nil
				}
			}
			return value{}, newError(c, stateUnknownColumn, "column "+of+"."+name+" does not exist")
		}
	}
	return value{}, newError(c, stateUnknownTable, `missing FROM-clause entry for table "`+of+`"`)
}

func findColumn(at parse.Node, name string, relations []*relation) (*column, error) {
	var found *column
	for _, rel := range relations {
		for _, c := range rel.merged {
			if c.name == name {
				return c, nil
			}
		}
	}
	for _, rel := range relations {
		for _, c := range rel.columns {
			if c.name != name {
				continue
			}
			if found != nil && !(c.hidden && found.hidden) {
				return nil, newError(at, stateAmbiguous, `column reference "`+name+`" is ambiguous`)
			}
			found = c
		}
	}
	return found, nil
}

func (r *resolver) resolveLeaf(x parse.Expr) (value, error) {
	switch x := x.(type) {
	case *parse.Parameter:
		return r.resolveParameter(x)
	case *parse.Number:
		return numberValue(x)
	case *parse.String:
		return unknownValue(x.Value), nil
	case *parse.Bool:
		return boolValue(x.Value), nil
	case *parse.Null:
		return value{node: ducksql.Apply("NULL"), typ: typeUnknown}, nil
	case *parse.TimeLiteral:
		return r.literalOf(x, x.Value, map[string]uint32{"date": typeDate, "time": typeTime, "timestamp": typeTimestamp, "timestamptz": typeTimestamptz}[x.Type])
	case *parse.SessionValue:
		return r.resolveSessionValue(x)
	}
	return value{}, newUnsupportedError(x, "this value")
}

// numberValue is a number with the type that PostgreSQL gives it.
func numberValue(x *parse.Number) (value, error) {
	if n, err := strconv.ParseInt(x.Text, 10, 64); err == nil {
		if n == int64(int32(n)) {
			return intValue(n, typeInt4), nil
		}
		return intValue(n, typeInt8), nil
	}
	f, err := strconv.ParseFloat(strings.ReplaceAll(x.Text, "_", ""), 64)
	if err != nil {
		return value{}, newError(x, stateSyntax, "a number cannot be read")
	}
	if strings.ContainsAny(x.Text, "eE") || len(x.Text) > 17 {
		return value{node: ducksql.Float(f), typ: typeNumeric}, nil
	}
	return value{node: ducksql.Apply("CAST(? AS DECIMAL(28, 9))", ducksql.Text(x.Text)), typ: typeNumeric}, nil
}

func (r *resolver) resolveUnary(x *parse.Unary, s *scope) (value, error) {
	v, err := r.resolveExpr(x.X, s)
	if err != nil {
		return value{}, err
	}
	if x.Operator == parse.OpNot {
		if v, err = r.coerce(x, v, typeBool); err != nil {
			return value{}, err
		}
		return value{node: ducksql.Apply("(NOT ?)", v.node), typ: typeBool}, nil
	}
	if v.typ == typeUnknown {
		if v, err = r.coerce(x, v, typeFloat8); err != nil {
			return value{}, err
		}
	}
	if !isNumber(v.typ) {
		return value{}, r.unknownOperator(x, x.Operator.String(), v)
	}
	if x.Operator == parse.OpPlus {
		return v, nil
	}
	return value{node: ducksql.Apply("(- ?)", v.node), typ: v.typ}, nil
}

func (r *resolver) unknownOperator(at parse.Node, operator string, operands ...value) error {
	text := ""
	for i, v := range operands {
		if i > 0 || len(operands) == 1 {
			text += operator + " "
		}
		text += spelling(v.typ)
		if i == 0 && len(operands) > 1 {
			text += " "
		}
	}
	return newError(at, stateUnknownFunction, "operator does not exist: "+text)
}

// spelling is the name of a type in SQL.
func spelling(t uint32) string {
	if of := elementOf(t); of != 0 && !isVector(t) {
		return spelling(of) + "[]"
	}
	switch t {
	case typeInt4:
		return "integer"
	case typeInt2:
		return "smallint"
	case typeInt8:
		return "bigint"
	case typeBool:
		return "boolean"
	case typeFloat8:
		return "double precision"
	case typeFloat4:
		return "real"
	case typeVarchar:
		return "character varying"
	case typeBpchar:
		return "character"
	case typeChar:
		return `"char"`
	case typeTimestamptz:
		return "timestamp with time zone"
	case typeTimestamp:
		return "timestamp without time zone"
	}
	return typesByOID()[t].Name
}

// resolveCondition prints a condition.
func (r *resolver) resolveCondition(x parse.Expr, s *scope) (ducksql.Node, error) {
	v, err := r.resolveExpr(x, s)
	if err != nil {
		return nil, err
	}
	if v, err = r.coerce(x, v, typeBool); err != nil {
		return nil, err
	}
	return v.node, nil
}

func (r *resolver) resolveCase(c *parse.Case, s *scope) (value, error) {
	var operand *value
	if c.Operand != nil {
		v, err := r.resolveExpr(c.Operand, s)
		if err != nil {
			return value{}, err
		}
		operand = &v
	}
	conditions, results := make([]ducksql.Node, len(c.Whens)), make([]value, 0, len(c.Whens)+1)
	for i, when := range c.Whens {
		condition, err := r.resolveWhen(when, operand, s)
		if err != nil {
			return value{}, err
		}
		conditions[i] = condition
		then, err := r.resolveExpr(when.Then, s)
		if err != nil {
			return value{}, err
		}
		results = append(results, then)
	}
	if c.Else != nil {
		otherwise, err := r.resolveExpr(c.Else, s)
		if err != nil {
			return value{}, err
		}
		results = append(results, otherwise)
	}
	if c.Else != nil { // its type comes first
		results = append([]value{results[len(results)-1]}, results[:len(results)-1]...)
	}
	typ, err := r.unify(c, results)
	if err != nil {
		return value{}, err
	}
	if c.Else != nil {
		results = append(results[1:], results[0])
	}
	parts := []ducksql.Node{ducksql.Apply("CASE")}
	for i, condition := range conditions {
		parts = append(parts, ducksql.Apply("WHEN ? THEN ?", condition, results[i].node))
	}
	if c.Else != nil {
		parts = append(parts, ducksql.Apply("ELSE ?", results[len(results)-1].node))
	}
	return value{node: ducksql.List{Separator: " ", Nodes: append(parts, ducksql.Apply("END"))}, typ: typ}, nil
}

func (r *resolver) resolveWhen(when *parse.When, operand *value, s *scope) (ducksql.Node, error) {
	if operand == nil {
		return r.resolveCondition(when.Condition, s)
	}
	v, err := r.resolveExpr(when.Condition, s)
	if err != nil {
		return nil, err
	}
	test, err := r.compare(when, "=", *operand, v)
	return test.node, err
}

func (r *resolver) resolveParameter(p *parse.Parameter) (value, error) {
	for len(r.declared) < p.Number {
		r.declared = append(r.declared, 0)
	}
	typ := r.declared[p.Number-1]
	if typ == typeUnknown {
		typ = 0
	}
	if r.params == nil {
		if typ != 0 {
			v := nullValue(typ)
			return v, nil
		}
		return value{node: ducksql.Apply("NULL"), typ: typeUnknown, parameter: p.Number}, nil
	}
	if p.Number > len(r.params) {
		return value{}, newError(p, stateBadParameter, "there is no parameter $"+strconv.Itoa(p.Number))
	}
	given := r.params[p.Number-1]
	switch {
	case given.Null && typ == 0:
		return value{node: ducksql.Apply("NULL"), typ: typeUnknown, parameter: p.Number}, nil
	case given.Null:
		return nullValue(typ), nil
	case typ == 0:
		v := unknownValue(given.Text)
		v.parameter = p.Number
		return v, nil
	}
	return r.literalOf(p, given.Text, typ)
}
