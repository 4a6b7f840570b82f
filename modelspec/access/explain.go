package access

import (
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/compile"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// Explanation describes what a reader sees of a model, and what hides the rest.
type Explanation struct {
	Identity      ExplainedIdentity  `json:"identity"`
	Datasets      []ExplainedDataset `json:"datasets"`
	Metrics       []string           `json:"metrics"`
	HiddenMetrics []HiddenObject     `json:"hidden_metrics"`
	Connections   []string           `json:"connections"`
	SQL           bool               `json:"sql"`
	Limits        *Limits            `json:"limits,omitempty"`
}

// ExplainedIdentity is the reader.
type ExplainedIdentity struct {
	Name       string         `json:"name,omitempty"`
	Issuer     string         `json:"issuer,omitempty"`
	Roles      []string       `json:"roles"`
	Attributes map[string]any `json:"attributes"`
}

// ExplainedDataset is a dataset that the reader sees.
type ExplainedDataset struct {
	Name string `json:"name"`
	// Rows is the rule with the attributes of the reader, "all" or "none".
	Rows   string         `json:"rows"`
	Fields []string       `json:"fields"`
	Hidden []HiddenObject `json:"hidden"`
	Masked []MaskedField  `json:"masked"`
}

// HiddenObject is a field or a metric that the reader does not see, and what hides it.
type HiddenObject struct {
	Name string `json:"name"`
	Why  string `json:"why"`
}

// MaskedField is a field whose values the reader sees masked.
type MaskedField struct {
	Name string `json:"name"`
	Mask string `json:"mask"`
}

// Explain describes what readers with some values of attributes see. Identity, connections and limits are the caller's to add.
func (v *View) Explain(attributes sqlexpr.AttributeValues) *Explanation {
	out := &Explanation{Datasets: []ExplainedDataset{}, Metrics: []string{}, HiddenMetrics: []HiddenObject{}, SQL: v.SQL}
	for _, d := range v.Catalog.Datasets {
		out.Datasets = append(out.Datasets, v.explainDataset(d, attributes))
	}
	for _, m := range v.whole.Metrics {
		if v.Catalog.Metric(m.Name) != nil {
			out.Metrics = append(out.Metrics, m.Name)
		} else {
			out.HiddenMetrics = append(out.HiddenMetrics, HiddenObject{m.Name, v.Why(m.Name)})
		}
	}
	return out
}

func (v *View) explainDataset(d *catalog.Dataset, attributes sqlexpr.AttributeValues) ExplainedDataset {
	out := ExplainedDataset{Name: d.Name, Rows: "all", Fields: []string{}, Hidden: []HiddenObject{}, Masked: []MaskedField{}}
	if d.Rows != nil && d.Rows.Admits != nil {
		out.Rows = printRule(d.Rows, d.Rows.Admits.Expr.Default, attributes)
	}
	for _, f := range v.whole.Dataset(d.Name).Fields {
		if d.Field(f.Name) == nil {
			out.Hidden = append(out.Hidden, HiddenObject{f.Name, v.Why(f.QualifiedName())})
			continue
		}
		out.Fields = append(out.Fields, f.Name)
		if mask := v.masks[f]; mask != nil {
			mask, _ = compile.ReplaceOwnValue(mask, f.Expr.Default)
			out.Masked = append(out.Masked, MaskedField{f.Name, printRule(d.Rows, mask, attributes)})
		}
	}
	return out
}

// printRule prints an expression of a policy with the values of a reader.
func printRule(rule *catalog.RowRule, e sqlexpr.Expr, attributes sqlexpr.AttributeValues) string {
	e = sqlexpr.Rewrite(sqlexpr.BindUserAttributes(e, attributes), func(x sqlexpr.Expr) sqlexpr.Expr {
		switch x := x.(type) {
		case *sqlexpr.Ref:
			return rule.Model.FieldByID(x.ID).QualifiedNameExpr()
		case *sqlexpr.Column:
			if rule == nil {
				return nil
			}
			if part := rule.Part(x.Path[len(x.Path)-1]); part != nil {
				return &sqlexpr.Column{Path: []sqlexpr.Name{{Text: "(" + printRule(rule, part.Expr.Default, attributes) + ")"}}}
			}
		}
		return nil
	})
	if never, ok := e.(*sqlexpr.Bool); ok && !never.Value {
		return "none"
	}
	return sqlexpr.Format(e)
}
