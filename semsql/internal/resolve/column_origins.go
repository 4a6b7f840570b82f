package resolve

import (
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/semsql/parse"
)

// ColumnOrigin is the column of a relation that an item shows as it is; the zero value for a computed one.
type ColumnOrigin struct{ Relation, Column string }

// OriginsOfItems returns the columns that the items of a select show.
func (s *Scope) OriginsOfItems(items []SelectItem) []ColumnOrigin {
	out := make([]ColumnOrigin, len(items))
	for i, item := range items {
		out[i] = s.originOfItem(item)
	}
	return out
}

func (s *Scope) originOfItem(item SelectItem) ColumnOrigin {
	_, isStar := item.Syntax.(*parse.Star)
	_, isColumn := item.Syntax.(*parse.Column)
	ref, isRef := item.Expr.(*sqlexpr.Ref)
	source := s.WideSource()
	wide := source != nil
	switch {
	case isStar && wide && s.withoutRows:
		return ColumnOrigin{source.Relation.Name, item.Name}
	case !isRef || !isStar && !isColumn:
		return ColumnOrigin{}
	}
	switch r := s.Refs.ReferenceOf(ref); {
	case r.Kind != FieldReferenceKind && r.Kind != MetricReferenceKind && r.Kind != MetricTimeReferenceKind:
		return ColumnOrigin{}
	case wide:
		return ColumnOrigin{source.Relation.Name, r.Column}
	case r.Kind == FieldReferenceKind:
		return ColumnOrigin{r.Field.Dataset.Name, r.Field.Name}
	case r.Kind == MetricReferenceKind && len(r.Metric.Datasets) == 1:
		return ColumnOrigin{r.Metric.Datasets[0].Name, r.Metric.Name}
	}
	return ColumnOrigin{}
}
