package scope

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/query"
)

func TestParams_RepairKeepsValidValues(t *testing.T) {
	t.Run("the suggested binding keeps the values that are valid", func(t *testing.T) {
		number := func(text string) sqlexpr.Expr { return &sqlexpr.Number{Text: text} }
		p := &catalog.Param{Name: "n", Type: catalog.ParamInt, Default: number("2"), Min: number("1"), Max: number("1000000")}
		values := func(texts ...string) (out []query.ParamValue) {
			for _, text := range texts {
				out = append(out, query.ParamValue{Kind: query.NumberValue, Text: text})
			}
			return out
		}
		for _, c := range []struct {
			name        string
			given, want query.ParamBinding
		}{
			{"above the bound", query.ParamBinding{Values: values("1000001")}, query.ParamBinding{Values: values("1000000")}},
			{"below the bound", query.ParamBinding{Values: values("-7")}, query.ParamBinding{Values: values("1")}},
			{"as text", query.ParamBinding{Values: []query.ParamValue{{Kind: query.StringValue, Text: "7"}}}, query.ParamBinding{Values: values("7")}},
			{"a list with one too many", query.ParamBinding{List: true, Values: values("3", "0", "5", "3")}, query.ParamBinding{List: true, Values: values("3", "5")}},
			{"a list where one is wanted", query.ParamBinding{List: true, Values: values("3", "5")}, query.ParamBinding{Values: values("3")}},
			{"an empty list", query.ParamBinding{List: true}, query.ParamBinding{Values: values("2")}},
			{"in the domain, and too much for a window", query.ParamBinding{Values: values("500000")}, query.ParamBinding{Values: values("2")}},
		} {
			got, ok := repairedParamBinding(p, c.given)
			if diff := cmp.Diff(c.want, got); !ok || diff != "" {
				t.Errorf("%s: %v (-want +got)\n%s", c.name, ok, diff)
			}
		}
	})
}
