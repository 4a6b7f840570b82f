package plan_test

import (
	"reflect"
	"testing"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/plan"
)

// Each expression of each node counts: one that IsVolatile does not reach would keep a result that changes by itself.
func TestIsVolatile_ReadsEveryExpressionOfEveryNode(t *testing.T) {
	now := &sqlexpr.Call{Fn: sqlexpr.FnCurrentDate}
	constant := &sqlexpr.Number{Text: "1"}
	nodes := []plan.Node{
		&plan.Derived{}, &plan.Join{}, &plan.Filter{}, &plan.Aggregate{}, &plan.GroupingSets{}, &plan.HomeRows{}, &plan.Snapshots{}, &plan.Repeat{}, &plan.Window{},
		&plan.Combine{}, &plan.Project{}, &plan.Sort{}, &plan.Limit{}, &plan.Offset{}, &plan.FirstColumns{}, &plan.SemiJoin{}, &plan.Union{}, &plan.Numbers{}, &plan.Scan{},
	}
	if len(nodes) != len(nodeTypeNames(t)) {
		t.Fatalf("%d of the %d nodes are tested", len(nodes), len(nodeTypeNames(t)))
	}
	expressions := 0
	for _, n := range nodes {
		kind := reflect.TypeOf(n).Elem()
		for i := range kind.NumField() {
			for _, set := range []struct {
				expr sqlexpr.Expr
				want bool
			}{{constant, false}, {now, true}} {
				of := reflect.New(kind)
				fillPlan(of.Elem(), constant)
				if !fillExpr(of.Elem().Field(i), set.expr) {
					continue
				}
				expressions++
				node, _ := of.Interface().(plan.Node)
				if got := plan.IsVolatile(node); got != set.want {
					t.Errorf("%s.%s: volatile is %v with %T", kind.Name(), kind.Field(i).Name, got, set.expr)
				}
			}
		}
	}
	if expressions < 20 {
		t.Errorf("only %d expressions are tested", expressions)
	}
}

// fillPlan gives the inputs of a node, so that it can be walked.
func fillPlan(n reflect.Value, constant sqlexpr.Expr) {
	input := reflect.ValueOf(&plan.Scan{Alias: "t"})
	for i := range n.NumField() {
		f := n.Field(i)
		if f.CanSet() && f.Kind() == reflect.Interface && input.Type().AssignableTo(f.Type()) && f.Type() == reflect.TypeFor[plan.Node]() {
			f.Set(input)
		}
		fillExpr(f, constant)
	}
}

// fillExpr sets the expressions in a field and reports whether it has any.
func fillExpr(f reflect.Value, e sqlexpr.Expr) bool {
	if !f.CanSet() {
		return false
	}
	switch {
	case f.Type() == reflect.TypeFor[sqlexpr.Expr]():
		f.Set(reflect.ValueOf(e))
		return true
	case f.Kind() == reflect.Slice:
		one := reflect.New(f.Type().Elem()).Elem()
		if !fillExpr(one, e) {
			return false
		}
		f.Set(reflect.Append(reflect.Zero(f.Type()), one))
		return true
	case f.Kind() == reflect.Pointer && f.Type().Elem().Kind() == reflect.Struct && f.Type() == reflect.TypeFor[*plan.JoinValidity]():
		one := reflect.New(f.Type().Elem())
		f.Set(one)
		return fillExpr(one.Elem(), e)
	case f.Kind() == reflect.Struct:
		found := false
		for i := range f.NumField() {
			found = fillExpr(f.Field(i), e) || found
		}
		return found
	}
	return false
}

func TestIsVolatile_QueryTexts(t *testing.T) {
	for text, want := range map[string]bool{
		"SELECT a, SUM(b) AS b FROM t WHERE c IN (1, 2) GROUP BY a":                     false,
		"SELECT CAST(a AS DECIMAL(10, 2)) FROM (SELECT a FROM t) AS s":                  false,
		"SELECT ROW_NUMBER() OVER (PARTITION BY a ORDER BY b) FROM t":                   false,
		"SELECT 'now() is text', \"random\" FROM t -- now()\n":                          false,
		"SELECT * FROM t WHERE d >= CURRENT_DATE":                                       true,
		"SELECT * FROM t WHERE d >= now()":                                              true,
		"SELECT * FROM t WHERE d >= now /* the present */ ()":                           true,
		"SELECT random() AS r FROM t":                                                   true,
		"SELECT \"random\"() AS r FROM t":                                               true,
		"SELECT * FROM t WHERE owner = current_user":                                    true,
		"SELECT * FROM t TABLESAMPLE 10 PERCENT":                                        true,
		"SELECT * FROM t WHERE d > 'today'::date":                                       true,
		`SELECT 'a\' now() FROM t`:                                                      true,
		"SELECT our_own_function(a) FROM t":                                             true,
		"SELECT a FROM t WHERE a > (SELECT AVG(a) FROM t) AND EXISTS (SELECT 1 FROM u)": false,
		"WITH s AS (SELECT a FROM t) SELECT COALESCE(a, 0) FROM s UNION ALL (SELECT 1)": false,
	} {
		scan := &plan.Scan{Alias: "t", Source: sqlexpr.DatasetTableOrQuery{Query: text}}
		if got := plan.IsVolatile(&plan.Filter{Input: scan}); got != want {
			t.Errorf("%s: volatile is %v", text, got)
		}
	}
}
