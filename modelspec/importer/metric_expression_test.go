package importer_test

import (
	"errors"
	"testing"

	"github.com/semlayer/semlayer/modelspec/importer"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

func TestAggregateExpression_ReplacesMeasuresAndArguments(t *testing.T) {
	for _, c := range []struct{ text, want, failed string }{
		{"SUM(price * items) / COUNT(DISTINCT buyer)", "SUM(t.f1) / COUNT(DISTINCT t.f2)", ""},
		{"revenue - SUM(cost)", "m_revenue - SUM(t.f1)", ""},
		{"COUNT(*) + COUNT(1)", "COUNT(*) + COUNT(1)", ""},
		{"SUM(revenue)", "", "an aggregate of a measure has no counterpart"},
		{"SUM(price + revenue)", "", "an aggregate of a measure has no counterpart"},
		{"MAX(SUM(price))", "", "an aggregate of an aggregate has no counterpart"},
		{"price / SUM(items)", "", "it names price outside of an aggregate, which is not a measure"},
		{"SUM(price) OVER ()", "", "a window function has no counterpart"},
		{"SUM(hidden)", "", "no such column"},
		{"SUM(", "", "its SQL cannot be read: expected an expression after ( at position 5, found end of text"},
	} {
		fields := 0
		a := &importer.AggregateExpressionRewriter{
			Member: func(column *sqlexpr.Column) sqlexpr.Expr {
				if column.Path[0].Text != "revenue" {
					return nil
				}
				return &sqlexpr.Column{Path: []sqlexpr.Name{{Text: "m_revenue"}}}
			},
			Field: func(expression string) (string, error) {
				if expression == "hidden" {
					return "", errors.New("no such column")
				}
				fields++
				return "t.f" + string(rune('0'+fields)), nil
			},
		}
		got, err := a.RewriteForMetric(c.text)
		if c.failed != "" {
			if err == nil || err.Error() != c.failed {
				t.Errorf("%s: %v, want %s", c.text, err, c.failed)
			}
			continue
		}
		if err != nil || got != c.want {
			t.Errorf("%s: %s, %v, want %s", c.text, got, err, c.want)
		}
		if want := c.want == "COUNT(*) + COUNT(1)"; a.CountsRows != want {
			t.Errorf("%s: counts rows: %v", c.text, a.CountsRows)
		}
	}
}
