package catalogue

import (
	"github.com/semlayer/semlayer/pgwire/catalogue/internal/ducksql"
	"github.com/semlayer/semlayer/semsql/parse"
)

// resolveTest prints the tests of SQL that have words.
func (r *resolver) resolveTest(x parse.Expr, s *scope) (value, error) {
	switch x := x.(type) {
	case *parse.Between:
		return r.resolveBetween(x, s)
	case *parse.In:
		return r.resolveIn(x, s)
	case *parse.InQuery:
		return r.resolveInQuery(x, s)
	case *parse.Like:
		return r.resolveLike(x, s)
	case *parse.IsNull:
		v, err := r.resolveExpr(x.X, s)
		return value{node: ducksql.Apply("(? IS"+notWord(x.Not)+" NULL)", v.node), typ: typeBool}, err
	case *parse.IsTruth:
		condition, err := r.resolveCondition(x.X, s)
		word := " FALSE)"
		if x.Want {
			word = " TRUE)"
		}
		return value{node: ducksql.Apply("(? IS"+notWord(x.Not)+word, condition), typ: typeBool}, err
	case *parse.Exists:
		node, _, err := r.resolveQuery(x.Query, s)
		return value{node: ducksql.Apply("EXISTS (?)", node), typ: typeBool}, err
	}
	return value{}, newUnsupportedError(x, "this test")
}

func notWord(not bool) string {
	if not {
		return " NOT"
	}
	return ""
}

func (r *resolver) resolveBetween(x *parse.Between, s *scope) (value, error) {
	values, err := r.resolveAll([]parse.Expr{x.X, x.Low, x.High}, s)
	if err != nil {
		return value{}, err
	}
	if _, err := r.unify(x, values); err != nil {
		return value{}, err
	}
	return value{node: ducksql.Apply("(?"+notWord(x.Not)+" BETWEEN ? AND ?)", nodesOf(values)...), typ: typeBool}, nil
}

func (r *resolver) resolveAll(list []parse.Expr, s *scope) ([]value, error) {
	out := make([]value, len(list))
	for i, x := range list {
		var err error
		if out[i], err = r.resolveExpr(x, s); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func (r *resolver) resolveIn(x *parse.In, s *scope) (value, error) {
	values, err := r.resolveAll(append([]parse.Expr{x.X}, x.Items...), s)
	if err != nil {
		return value{}, err
	}
	if values[0].typ == typeRecord {
		return r.inRows(x, values)
	}
	if _, err := r.unify(x, values); err != nil {
		return value{}, r.unknownOperator(x, "=", values[0], values[1])
	}
	nodes := nodesOf(values)
	return value{node: ducksql.Apply("(?"+notWord(x.Not)+" IN (?))", nodes[0], ducksql.Commas(nodes[1:])), typ: typeBool}, nil
}

// inRows prints (a, b) IN ((c, d), …) as equalities.
func (r *resolver) inRows(x *parse.In, values []value) (value, error) {
	tests := make([]ducksql.Node, 0, len(values)-1)
	for _, item := range values[1:] {
		test, err := r.compare(x, "=", values[0], item)
		if err != nil {
			return value{}, err
		}
		tests = append(tests, test.node)
	}
	form := "(?)"
	if x.Not {
		form = "(NOT (?))"
	}
	return value{node: ducksql.Apply(form, ducksql.List{Separator: " OR ", Nodes: tests}), typ: typeBool}, nil
}

func (r *resolver) resolveInQuery(x *parse.InQuery, s *scope) (value, error) {
	query, columns, err := r.resolveQuery(x.Query, s)
	if err != nil {
		return value{}, err
	}
	var list []parse.Expr
	if row, ok := x.X.(*parse.RowOf); ok {
		list = row.Items
	} else {
		list = []parse.Expr{x.X}
	}
	values, err := r.resolveAll(list, s)
	if err != nil {
		return value{}, err
	}
	if len(values) != len(columns) {
		return value{}, newError(x, stateSyntax, "subquery has another number of columns than the value before IN")
	}
	for i := range values {
		if values[i].typ == typeUnknown {
			if values[i], err = r.coerce(x, values[i], columns[i].value.typ); err != nil {
				return value{}, err
			}
		}
	}
	nodes := nodesOf(values)
	left := ducksql.Apply("?", nodes[0])
	if len(nodes) > 1 {
		left = ducksql.Apply("(?)", ducksql.Commas(nodes))
	}
	return value{node: ducksql.Apply("(?"+notWord(x.Not)+" IN (?))", left, query), typ: typeBool}, nil
}

func (r *resolver) resolveLike(x *parse.Like, s *scope) (value, error) {
	values, err := r.resolveAll([]parse.Expr{x.X, x.Pattern}, s)
	if err != nil {
		return value{}, err
	}
	var escape ducksql.Node = ducksql.Text(`\`)
	if x.Escape != nil {
		text, ok := x.Escape.(*parse.String)
		if !ok || len([]rune(text.Value)) > 1 {
			return value{}, newUnsupportedError(x.Escape, "an ESCAPE that is not one character")
		}
		escape = ducksql.Text(text.Value)
	}
	return r.matchLike(x, values[0], values[1], escape, x.Not, x.Fold)
}
