package catalog_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// params returns declarations with these names.
func params(names ...string) []*catalog.Param {
	var out []*catalog.Param
	for _, name := range names {
		out = append(out, &catalog.Param{Name: name})
	}
	return out
}

// levels returns a catalog of three level-of-detail fields, a over b, and b and c with
// parameters, and of a row field that reads a.
func levels() *catalog.Catalog {
	over := func(arg sqlexpr.Expr) catalog.DialectVariants[*catalog.ArithmeticOverOperands] {
		return catalog.DialectVariants[*catalog.ArithmeticOverOperands]{Default: &catalog.ArithmeticOverOperands{Operands: []catalog.Operand{&catalog.Measure{Arg: arg}}}}
	}
	return &catalog.Catalog{Fields: []*catalog.Field{
		{ID: 0, Name: "row", Expr: catalog.DialectVariants[sqlexpr.Expr]{Default: &sqlexpr.Ref{ID: 1}}},
		{ID: 1, Name: "a", LOD: &catalog.LOD{Params: params("pa"), Measures: over(&sqlexpr.Ref{ID: 2})}},
		{ID: 2, Name: "b", LOD: &catalog.LOD{Params: params("pb"), Where: &sqlexpr.IsNull{X: &sqlexpr.Ref{ID: 3}}}},
		{ID: 3, Name: "c", LOD: &catalog.LOD{Params: params("pc1", "pc2")}},
		{ID: 4, Name: "plain", Expr: catalog.DialectVariants[sqlexpr.Expr]{
			Default:   &sqlexpr.Column{},
			ByDialect: map[string]sqlexpr.Expr{"mysql": &sqlexpr.Ref{ID: 3}},
		}},
	}}
}

func TestLOD_FoundThroughOtherFields(t *testing.T) {
	c := levels()
	for _, x := range []struct {
		field, dialect, want string
	}{
		{"row", "duckdb", "a b c"},
		{"b", "duckdb", "b c"},
		{"plain", "duckdb", ""},
		{"plain", "mysql", "c"},
	} {
		var got []string
		for _, f := range c.Fields {
			if f.Name != x.field {
				continue
			}
			for _, lod := range c.AppendLODFieldsOfField(nil, f, x.dialect) {
				got = append(got, lod.Name)
			}
		}
		if names := strings.Join(got, " "); names != x.want {
			t.Errorf("%s on %s: %s, want %s", x.field, x.dialect, names, x.want)
		}
	}
	both := c.AppendLODFieldsOfExpr(c.AppendLODFieldsOfField(nil, c.Fields[3], "duckdb"), &sqlexpr.Ref{ID: 2}, "duckdb")
	if len(both) != 2 || both[0] != c.Fields[3] || both[1] != c.Fields[2] {
		t.Errorf("%v", both)
	}
}

func TestParams_AllThatValueDependsOn(t *testing.T) {
	c := levels()
	own := made("own", &catalog.Measure{Arg: &sqlexpr.Ref{ID: 3}})
	own.Params = params("x", "y")
	filter := filtered("filter", own)
	filter.Params, filter.Derive.Where = params("x", "z"), &sqlexpr.IsNull{X: &sqlexpr.Ref{ID: 2}}
	onMySQL := made("on_mysql", sumOf("plain"))
	onMySQL.Forms.ByDialect = map[string]*catalog.ArithmeticOverOperands{"mysql": {Operands: []catalog.Operand{own}}}
	for _, x := range []struct {
		metric        *catalog.Metric
		duckdb, mysql string
	}{
		{sumOf("none"), "", ""},
		{own, "x y pc1 pc2", "x y pc1 pc2"},
		{filter, "x z x y pc1 pc2 pb", "x z x y pc1 pc2 pb"},
		{made("twice", own, made("again", own, filter)), "x y pc1 pc2 x z pb", "x y pc1 pc2 x z pb"},
		{onMySQL, "", "x y pc1 pc2"},
		{made("by dialect", &catalog.Measure{Arg: &sqlexpr.Ref{ID: 4}}), "", "pc1 pc2"},
	} {
		names := func(dialect string) string {
			var out []string
			for _, p := range c.ParamsOfMetric(x.metric, dialect) {
				out = append(out, p.Name)
			}
			return strings.Join(out, " ")
		}
		if d := cmp.Diff([]string{x.duckdb, x.mysql}, []string{names("duckdb"), names("mysql")}); d != "" {
			t.Errorf("%s: %s", x.metric.Name, d)
		}
	}
}
