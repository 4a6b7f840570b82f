package catalogue

import (
	"strconv"
	"strings"

	"github.com/semlayer/semlayer/pgwire/catalogue/internal/ducksql"
	"github.com/semlayer/semlayer/semsql/parse"
)

// translateExpr prints an expression, finds its type and estimates its length as text.
func (r *translator) translateExpr(x parse.Expr, s *scope) (typedExpr, error) {
	siblings, isRead := r.estimate.parts, r.estimate.readsGathered
	r.estimate.parts, r.estimate.readsGathered = nil, makesText(x)
	v, err := r.translateExprByKind(x, s)
	if err == nil {
		err = r.estimateTextBytes(x, &v)
	}
	if isRead && v.gathered && !r.estimate.readsGathered && r.views == 0 { // PostgreSQL's own definitions of views have no bound
		v.node = boundGatheredText(x, v, r.estimate.oneRow)
	}
	siblings = append(siblings, textPart{v.textBytes, v.gathered, v.typ == jsonTypeOID})
	r.estimate.parts, r.estimate.readsGathered = siblings, isRead
	return v, err
}

func (r *translator) translateExprByKind(x parse.Expr, s *scope) (typedExpr, error) {
	switch x := x.(type) {
	case *parse.Column:
		return r.translateColumn(x, s)
	case *parse.Parameter, *parse.Number, *parse.String, *parse.Bool, *parse.Null, *parse.TimeLiteral, *parse.SessionValue:
		return r.translateLeafExpr(x)
	case *parse.Interval:
		return newIntervalExpr(x.Value + " " + x.Unit), nil
	case *parse.Unary:
		return r.translateUnary(x, s)
	case *parse.Binary:
		return r.translateBinary(x, s)
	case *parse.Between, *parse.In, *parse.InQuery, *parse.Like, *parse.IsNull, *parse.IsTruth, *parse.Exists:
		return r.translateKeywordPredicate(x, s)
	case *parse.Case:
		return r.translateCase(x, s)
	case *parse.Cast:
		return r.translateCast(x, s)
	case *parse.Call:
		return r.translateCall(x, s)
	case *parse.ScalarSubquery:
		node, columns, err := r.translateQuery(x.Query, s)
		if err != nil {
			return typedExpr{}, err
		}
		if len(columns) != 1 {
			return typedExpr{}, newStatementError(x, sqlstateSyntaxError, "subquery must return only one column")
		}
		return typedExpr{node: ducksql.FillTemplate("(?)", node), typ: columns[0].value.typ, fields: columns[0].value.fields, textBytes: columns[0].value.textBytes, gathered: columns[0].value.gathered}, nil
	case parse.CatalogueExpr:
		return r.translateCatalogueOnlyExpr(x, s)
	}
	return typedExpr{}, newUnsupportedError(x, "this expression")
}

// translateColumn finds a column by its name, with or without the name of its relation.
func (r *translator) translateColumn(c *parse.Column, s *scope) (typedExpr, error) {
	name := parse.FoldName(c.Path[len(c.Path)-1])
	if len(c.Path) == 1 {
		for at := s; at != nil; at = at.outer {
			found, err := findColumn(c, name, at.relations)
			if err != nil {
				return typedExpr{}, err
			}
			if found != nil {
				return found.value, nil
			}
		}
		return typedExpr{}, newStatementError(c, sqlstateUndefinedColumn, `column "`+name+`" does not exist`)
	}
	of := parse.FoldName(c.Path[len(c.Path)-2])
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
			return typedExpr{}, newStatementError(c, sqlstateUndefinedColumn, "column "+of+"."+name+" does not exist")
		}
	}
	return typedExpr{}, newStatementError(c, sqlstateUndefinedTable, `missing FROM-clause entry for table "`+of+`"`)
}

func findColumn(at parse.Node, name string, relations []*scopeRelation) (*scopeColumn, error) {
	var found *scopeColumn
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
				return nil, newStatementError(at, sqlstateAmbiguousColumn, `column reference "`+name+`" is ambiguous`)
			}
			found = c
		}
	}
	return found, nil
}

func (r *translator) translateLeafExpr(x parse.Expr) (typedExpr, error) {
	switch x := x.(type) {
	case *parse.Parameter:
		return r.translateParameter(x)
	case *parse.Number:
		return newNumberLiteral(x)
	case *parse.String:
		return newUntypedLiteral(x.Value), nil
	case *parse.Bool:
		return newBoolExpr(x.Value), nil
	case *parse.Null:
		return typedExpr{node: ducksql.FillTemplate("NULL"), typ: unknownTypeOID}, nil
	case *parse.TimeLiteral:
		return r.parseLiteral(x, x.Value, map[string]uint32{"date": dateTypeOID, "time": timeTypeOID, "timestamp": timestampTypeOID, "timestamptz": timestamptzTypeOID}[x.Type])
	case *parse.SessionValue:
		return r.translateSessionValue(x)
	}
	return typedExpr{}, newUnsupportedError(x, "this value")
}

// newNumberLiteral returns a number with the type that PostgreSQL gives it.
func newNumberLiteral(x *parse.Number) (typedExpr, error) {
	if n, err := strconv.ParseInt(x.Text, 10, 64); err == nil {
		if n == int64(int32(n)) {
			return newIntExpr(n, int4TypeOID), nil
		}
		return newIntExpr(n, int8TypeOID), nil
	}
	node, ok := numericNode(strings.ReplaceAll(x.Text, "_", ""))
	if !ok {
		return typedExpr{}, newStatementError(x, sqlstateSyntaxError, "a number cannot be read")
	}
	if node == nil {
		return typedExpr{}, newUnsupportedError(x, "a number with so many digits")
	}
	return typedExpr{node: node, typ: numericTypeOID, scale: scaleOfNumberText(x.Text)}, nil
}

// numericNode prints a numeric; nil for one that has more digits than the engine keeps, and false for a text that is not a number.
func numericNode(text string) (node ducksql.Node, ok bool) {
	const (
		floatDigits    = 15
		integerDigits  = 19 // of DECIMAL(28, 9)
		fractionDigits = 9
	)
	text = strings.TrimSpace(text)
	f, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return nil, false
	}
	mantissa, _, hasExponent := strings.Cut(strings.ToLower(text), "e")
	integer, fraction, _ := strings.Cut(strings.TrimLeft(mantissa, "+-0"), ".")
	switch {
	case !hasExponent && len(integer) <= integerDigits && len(fraction) <= fractionDigits && !strings.ContainsAny(text, "xXiInN"):
		return ducksql.FillTemplate("CAST(? AS DECIMAL(28, 9))", ducksql.TextLiteral(text)), true
	case len(integer)+len(strings.TrimLeft(fraction, "0")) <= floatDigits || strings.TrimRight(integer+fraction, "0") == "":
		return ducksql.FloatLiteral(f), true
	}
	return nil, true
}

func (r *translator) translateUnary(x *parse.Unary, s *scope) (typedExpr, error) {
	v, err := r.translateExpr(x.X, s)
	if err != nil {
		return typedExpr{}, err
	}
	if x.Op == parse.OpNot {
		if v, err = r.coerceToType(x, v, boolTypeOID); err != nil {
			return typedExpr{}, err
		}
		return typedExpr{node: ducksql.FillTemplate("(NOT ?)", v.node), typ: boolTypeOID}, nil
	}
	if v.typ == unknownTypeOID {
		if v, err = r.coerceToType(x, v, float8TypeOID); err != nil {
			return typedExpr{}, err
		}
	}
	if !isNumericType(v.typ) {
		return typedExpr{}, r.unknownOperatorError(x, x.Op.String(), v)
	}
	if x.Op == parse.OpPlus {
		return v, nil
	}
	return typedExpr{node: ducksql.FillTemplate("(- ?)", v.node), typ: v.typ, scale: v.scale}, nil
}

func (r *translator) unknownOperatorError(at parse.Node, operator string, operands ...typedExpr) error {
	text := ""
	for i, v := range operands {
		if i > 0 || len(operands) == 1 {
			text += operator + " "
		}
		text += typeSpelling(v.typ)
		if i == 0 && len(operands) > 1 {
			text += " "
		}
	}
	return newStatementError(at, sqlstateUndefinedFunction, "operator does not exist: "+text)
}

// typeSpelling returns the name of a type in SQL.
func typeSpelling(t uint32) string {
	if of := elementTypeOf(t); of != 0 && !isVectorType(t) {
		return typeSpelling(of) + "[]"
	}
	switch t {
	case computedIntervalType:
		return "interval"
	case int4TypeOID:
		return "integer"
	case int2TypeOID:
		return "smallint"
	case int8TypeOID:
		return "bigint"
	case boolTypeOID:
		return "boolean"
	case float8TypeOID:
		return "double precision"
	case float4TypeOID:
		return "real"
	case varcharTypeOID:
		return "character varying"
	case bpcharTypeOID:
		return "character"
	case charTypeOID:
		return `"char"`
	case timestamptzTypeOID:
		return "timestamp with time zone"
	case timestampTypeOID:
		return "timestamp without time zone"
	}
	return typesByOID()[t].Name
}

// translateCondition prints a condition.
func (r *translator) translateCondition(x parse.Expr, s *scope) (ducksql.Node, error) {
	v, err := r.translateExpr(x, s)
	if err != nil {
		return nil, err
	}
	if v, err = r.coerceToType(x, v, boolTypeOID); err != nil {
		return nil, err
	}
	return v.node, nil
}

func (r *translator) translateCase(c *parse.Case, s *scope) (typedExpr, error) {
	var operand *typedExpr
	if c.Operand != nil {
		v, err := r.translateExpr(c.Operand, s)
		if err != nil {
			return typedExpr{}, err
		}
		operand = &v
	}
	conditions, results := make([]ducksql.Node, len(c.Whens)), make([]typedExpr, 0, len(c.Whens)+1)
	for i, when := range c.Whens {
		condition, err := r.translateWhenCondition(when, operand, s)
		if err != nil {
			return typedExpr{}, err
		}
		conditions[i] = condition
		then, err := r.translateExpr(when.Then, s)
		if err != nil {
			return typedExpr{}, err
		}
		results = append(results, then)
	}
	if c.Else != nil {
		otherwise, err := r.translateExpr(c.Else, s)
		if err != nil {
			return typedExpr{}, err
		}
		results = append(results, otherwise)
	}
	if c.Else != nil { // its type comes first
		results = append([]typedExpr{results[len(results)-1]}, results[:len(results)-1]...)
	}
	typ, err := r.unifyTypes(c, results)
	if err != nil {
		return typedExpr{}, err
	}
	if c.Else != nil {
		results = append(results[1:], results[0])
	}
	parts := []ducksql.Node{ducksql.FillTemplate("CASE")}
	for i, condition := range conditions {
		parts = append(parts, ducksql.FillTemplate("WHEN ? THEN ?", condition, results[i].node))
	}
	if c.Else != nil {
		parts = append(parts, ducksql.FillTemplate("ELSE ?", results[len(results)-1].node))
	}
	return typedExpr{node: ducksql.SeparatedList{Separator: " ", Nodes: append(parts, ducksql.FillTemplate("END"))}, typ: typ}, nil
}

func (r *translator) translateWhenCondition(when parse.When, operand *typedExpr, s *scope) (ducksql.Node, error) {
	if operand == nil {
		return r.translateCondition(when.Cond, s)
	}
	v, err := r.translateExpr(when.Cond, s)
	if err != nil {
		return nil, err
	}
	test, err := r.translateComparison(parse.Position(when.At), "=", *operand, v)
	return test.node, err
}

func (r *translator) translateParameter(p *parse.Parameter) (typedExpr, error) {
	for len(r.declared) < p.Number {
		r.declared = append(r.declared, 0)
	}
	typ := r.declared[p.Number-1]
	if typ == unknownTypeOID {
		typ = 0
	}
	if r.params == nil {
		if typ != 0 {
			v := newNullExpr(typ)
			return v, nil
		}
		return typedExpr{node: ducksql.FillTemplate("NULL"), typ: unknownTypeOID, parameter: p.Number}, nil
	}
	if p.Number > len(r.params) {
		return typedExpr{}, newStatementError(p, sqlstateProtocolViolation, "there is no parameter $"+strconv.Itoa(p.Number))
	}
	given := r.params[p.Number-1]
	switch {
	case given.Null && typ == 0:
		return typedExpr{node: ducksql.FillTemplate("NULL"), typ: unknownTypeOID, parameter: p.Number}, nil
	case given.Null:
		return newNullExpr(typ), nil
	case typ == 0:
		v := newUntypedLiteral(given.Text)
		v.parameter = p.Number
		return v, nil
	}
	return r.parseLiteral(p, given.Text, typ)
}
