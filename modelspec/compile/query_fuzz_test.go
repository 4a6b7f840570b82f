package compile_test

import (
	"errors"
	"testing"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/compile"
)

// FuzzExtend gives each text of a query the same content: it compiles, or has an error at its place.
func FuzzExtend(f *testing.F) {
	for _, text := range []string{
		"SUM(amount)", "revenue / orders", "region || 'x'", "COUNT(*)", "COALESCE(MAX(orders.amount), 0)", "CASE WHEN amount > 1 THEN 1 END",
		"SUM(amount) OVER ()", "(SELECT 1)", ":p", "LISTAGG(status)", "\"Region\"", "customers.region", "broken", "amount BETWEEN 1 AND 2",
	} {
		f.Add(text)
	}
	doc, err := modelspec.Parse([]byte(expand(shopMetrics)))
	if err != nil {
		f.Fatal(err)
	}
	cat := catalogOf(f, doc, compile.Options{})
	f.Fuzz(func(t *testing.T, text string) {
		lod := lodField("mine", text)
		where := lodField("mine", "SUM(orders.amount)")
		where.LOD.Where = text
		for _, fields := range [][]compile.QueryField{nil, {rowField("mine", text)}, {lod}, {where}} {
			var metrics []compile.QueryMetric
			if fields == nil {
				metrics = []compile.QueryMetric{inline("asked", text), {Location: "metrics/1", Name: "again", Expression: text, Dataset: "orders"}}
			}
			out, err := compile.ExtendCatalog(t.Context(), cat, fields, metrics)
			var failure *modelspec.CompileError
			switch {
			case err == nil && out == nil, err != nil && !errors.As(err, &failure):
				t.Fatalf("%q: %v", text, err)
			case failure != nil && (failure.Code == "" || failure.Location == "" || failure.Message == ""):
				t.Fatalf("%q: %+v", text, failure)
			}
		}
	})
}
