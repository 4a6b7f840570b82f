package resolve

import (
	"errors"
	goast "go/ast"
	goparser "go/parser"
	gotoken "go/token"
	"os"
	"reflect"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/compile"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/semsql/parse"
	"github.com/semlayer/semlayer/semsql/relations"
	"github.com/semlayer/semlayer/semsql/sqlerror"
)

// expressions returns one expression of each kind.
func expressions() []parse.Expr {
	status := &parse.Column{Path: []parse.Name{{Text: "status"}}}
	number, text := &parse.Number{Text: "1"}, &parse.String{Value: "a"}
	query := &parse.Query{Body: &parse.Select{Items: []*parse.SelectItem{{X: number}}}}
	return []parse.Expr{
		status, &parse.Star{}, &parse.Parameter{Number: 1}, number, text, &parse.Bool{}, &parse.Null{},
		&parse.TimeLiteral{Type: "date", Value: "2024-01-31"}, &parse.Interval{Value: "3", Unit: "month"}, &parse.SessionValue{Word: "current_date"},
		&parse.Unary{Op: sqlexpr.OpNeg, X: number}, &parse.Binary{Op: sqlexpr.OpEq, L: status, R: text},
		&parse.Between{X: number, Lo: number, Hi: number}, &parse.In{X: status, Items: []parse.Expr{text}}, &parse.InQuery{X: status, Query: query},
		&parse.InArray{X: status, Array: &parse.String{Value: "{a}"}},
		&parse.Like{X: status, Pattern: text}, &parse.IsNull{X: status}, &parse.IsTruth{X: &parse.Bool{}},
		&parse.Case{Whens: []parse.When{{Cond: &parse.Bool{}, Then: number}}}, &parse.Cast{X: number, To: &parse.TypeName{Name: "text"}},
		&parse.Extract{Part: "year", X: status}, &parse.Call{Function: parse.Name{Text: "lower"}, Arguments: []parse.Expr{status}},
		&parse.MeasureCall{Metric: &parse.Column{Path: []parse.Name{{Text: "revenue"}}}}, &parse.ScalarSubquery{Query: query}, &parse.Exists{Query: query},
		&parse.Grouping{Kind: parse.GroupingRollup, Items: []parse.Expr{status}},
	}
}

// declaredExpressions lists the expressions of the parser's file: structs that embed the position of an expression, and names of sqlexpr's
// nodes.
func declaredExpressions(t *testing.T) []string {
	t.Helper()
	tree, err := goparser.ParseFile(gotoken.NewFileSet(), "../../parse/expression_tree.go", nil, goparser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	goast.Inspect(tree, func(n goast.Node) bool {
		spec, ok := n.(*goast.TypeSpec)
		if !ok {
			return true
		}
		_, isName := spec.Type.(*goast.SelectorExpr)
		isExpr := isName && spec.Name.Name != "Expr" && spec.Name.Name != "When"
		if st, ok := spec.Type.(*goast.StructType); ok {
			_, isExpr = st.Fields.List[0].Type.(*goast.SelectorExpr)
		}
		if isExpr {
			out = append(out, spec.Name.Name)
		}
		return true
	})
	slices.Sort(out)
	return out
}

func TestLower_HasACaseForEveryExpression(t *testing.T) {
	text, err := os.ReadFile("../../testdata/shop.yaml")
	if err != nil {
		t.Fatal(err)
	}
	doc, err := modelspec.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	cat, err := compile.Compile(t.Context(), doc, compile.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s := &Statement{Cat: cat, Schema: relations.NewSchema(cat)}
	scope, err := s.NewScope(nil, &parse.Select{From: []parse.Relation{&parse.Table{Path: []parse.Name{{Text: "orders"}}}}})
	if err != nil {
		t.Fatal(err)
	}
	var kinds []string
	for _, e := range expressions() {
		kinds = append(kinds, reflect.TypeOf(e).Elem().Name())
		var refused *sqlerror.Error
		lowered, err := scope.LowerExpr(e)
		switch {
		case err == nil && lowered == nil:
			t.Errorf("%T becomes nothing", e)
		case errors.As(err, &refused) && refused.Code == planerr.CodeInternal:
			t.Errorf("%T: %v", e, err)
		}
	}
	slices.Sort(kinds)
	if diff := cmp.Diff(declaredExpressions(t), kinds); diff != "" {
		t.Errorf("kinds of expressions\n%s", diff)
	}
}

type unknownExpr struct{ parse.Column }

// A node that the mapping does not have is an error, never guessed.
func TestLower_RefusesUnknownNodes(t *testing.T) {
	scope := &Scope{Statement: &Statement{}}
	var refused *sqlerror.Error
	if _, err := scope.LowerExpr(&unknownExpr{}); !errors.As(err, &refused) || refused.Code != planerr.CodeInternal {
		t.Errorf("%v", err)
	}
}
