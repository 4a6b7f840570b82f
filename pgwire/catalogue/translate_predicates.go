package catalogue

import (
	"github.com/semlayer/semlayer/pgwire/catalogue/internal/ducksql"
	"github.com/semlayer/semlayer/semsql/parse"
)

// translateKeywordPredicate prints the tests of SQL that have words.
func (r *translator) translateKeywordPredicate(x parse.Expr, s *scope) (typedExpr, error) {
	switch x := x.(type) {
	case *parse.Between:
		return r.translateBetween(x, s)
	case *parse.In:
		return r.translateIn(x, s)
	case *parse.InQuery:
		return r.translateInQuery(x, s)
	case *parse.Like:
		return r.translateLike(x, s)
	case *parse.IsNull:
		v, err := r.translateExpr(x.X, s)
		return typedExpr{node: ducksql.FillTemplate("(? IS"+notKeywordIf(x.Not)+" NULL)", v.node), typ: boolTypeOID}, err
	case *parse.IsTruth:
		condition, err := r.translateCondition(x.X, s)
		word := " FALSE)"
		if x.Want {
			word = " TRUE)"
		}
		return typedExpr{node: ducksql.FillTemplate("(? IS"+notKeywordIf(x.Not)+word, condition), typ: boolTypeOID}, err
	case *parse.Exists:
		node, _, err := r.translateQuery(x.Query, s)
		return typedExpr{node: ducksql.FillTemplate("EXISTS (?)", node), typ: boolTypeOID}, err
	}
	return typedExpr{}, newUnsupportedError(x, "this test")
}

func notKeywordIf(not bool) string {
	if not {
		return " NOT"
	}
	return ""
}

func (r *translator) translateBetween(x *parse.Between, s *scope) (typedExpr, error) {
	values, err := r.translateExprs([]parse.Expr{x.X, x.Lo, x.Hi}, s)
	if err != nil {
		return typedExpr{}, err
	}
	if _, err := r.unifyTypes(x, values); err != nil {
		return typedExpr{}, err
	}
	return typedExpr{node: ducksql.FillTemplate("(?"+notKeywordIf(x.Not)+" BETWEEN ? AND ?)", nodesOfTypedExprs(values)...), typ: boolTypeOID}, nil
}

func (r *translator) translateExprs(list []parse.Expr, s *scope) ([]typedExpr, error) {
	out := make([]typedExpr, len(list))
	for i, x := range list {
		var err error
		if out[i], err = r.translateExpr(x, s); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func (r *translator) translateIn(x *parse.In, s *scope) (typedExpr, error) {
	values, err := r.translateExprs(append([]parse.Expr{x.X}, x.Items...), s)
	if err != nil {
		return typedExpr{}, err
	}
	if values[0].typ == recordTypeOID {
		return r.translateRowIn(x, values)
	}
	if _, err := r.unifyTypes(x, values); err != nil {
		return typedExpr{}, r.unknownOperatorError(x, "=", values[0], values[1])
	}
	nodes := nodesOfTypedExprs(values)
	return typedExpr{node: ducksql.FillTemplate("(?"+notKeywordIf(x.Not)+" IN (?))", nodes[0], ducksql.CommaList(nodes[1:])), typ: boolTypeOID}, nil
}

// translateRowIn prints (a, b) IN ((c, d), …) as equalities.
func (r *translator) translateRowIn(x *parse.In, values []typedExpr) (typedExpr, error) {
	tests := make([]ducksql.Node, 0, len(values)-1)
	for _, item := range values[1:] {
		test, err := r.translateComparison(x, "=", values[0], item)
		if err != nil {
			return typedExpr{}, err
		}
		tests = append(tests, test.node)
	}
	form := "(?)"
	if x.Not {
		form = "(NOT (?))"
	}
	return typedExpr{node: ducksql.FillTemplate(form, ducksql.SeparatedList{Separator: " OR ", Nodes: tests}), typ: boolTypeOID}, nil
}

func (r *translator) translateInQuery(x *parse.InQuery, s *scope) (typedExpr, error) {
	query, columns, err := r.translateQuery(x.Query, s)
	if err != nil {
		return typedExpr{}, err
	}
	var list []parse.Expr
	if row, ok := x.X.(*parse.RowConstructor); ok {
		list = row.Items
	} else {
		list = []parse.Expr{x.X}
	}
	values, err := r.translateExprs(list, s)
	if err != nil {
		return typedExpr{}, err
	}
	if len(values) != len(columns) {
		return typedExpr{}, newStatementError(x, sqlstateSyntaxError, "subquery has another number of columns than the value before IN")
	}
	for i := range values {
		if values[i].typ == unknownTypeOID {
			if values[i], err = r.coerceToType(x, values[i], columns[i].value.typ); err != nil {
				return typedExpr{}, err
			}
		}
	}
	nodes := nodesOfTypedExprs(values)
	left := ducksql.FillTemplate("?", nodes[0])
	if len(nodes) > 1 {
		left = ducksql.FillTemplate("(?)", ducksql.CommaList(nodes))
	}
	return typedExpr{node: ducksql.FillTemplate("(?"+notKeywordIf(x.Not)+" IN (?))", left, query), typ: boolTypeOID}, nil
}

func (r *translator) translateLike(x *parse.Like, s *scope) (typedExpr, error) {
	values, err := r.translateExprs([]parse.Expr{x.X, x.Pattern}, s)
	if err != nil {
		return typedExpr{}, err
	}
	var escape ducksql.Node = ducksql.TextLiteral(`\`)
	if x.Escape != nil {
		text, ok := x.Escape.(*parse.String)
		if !ok || len([]rune(text.Value)) > 1 {
			return typedExpr{}, newUnsupportedError(x.Escape, "an ESCAPE that is not one character")
		}
		escape = ducksql.TextLiteral(text.Value)
	}
	return r.translateLikeMatch(x, values[0], values[1], escape, x.Not, x.Fold)
}
