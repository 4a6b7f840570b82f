package modelspec

import (
	"strings"

	"github.com/semlayer/semlayer/modelspec/internal/cancel"
)

func checkRelationships(v *validator, m *SemanticModel) {
	names := newDuplicateNameFinder(v, "relationship")
	for r := range cancel.EachUntilDone(v.ctx, m.Relationships) {
		names.addNameOrDuplicateError(r.Name, r.Place)
		v.checkRelationship(m, r)
	}
}

func (v *validator) checkRelationship(m *SemanticModel, r *Relationship) {
	from := v.findRelationshipDataset(m, r, "from", r.From)
	to := v.findRelationshipDataset(m, r, "to", r.To)
	if len(r.FromColumns) == 0 && len(r.ToColumns) == 0 {
		v.addError(CodeEmptyColumns, r.MemberLocation("from_columns"), r.Position, "the relationship %s declares no column pairs", r.Name.Value)
	} else if len(r.FromColumns) != len(r.ToColumns) {
		v.addError(CodeColumnCountMismatch, r.MemberLocation("to_columns"), firstColumnPosition(r.ToColumns, r.Position),
			"the relationship %s pairs %d from_columns with %d to_columns", r.Name.Value, len(r.FromColumns), len(r.ToColumns))
	}
	known := v.checkRelationshipColumnsExist(r, "from_columns", r.FromColumns, from)
	known = v.checkRelationshipColumnsExist(r, "to_columns", r.ToColumns, to) && known
	if from == nil || to == nil {
		return
	}
	if from == to {
		v.addWarning(CodeSelfRelationship, r.MemberLocation("to"), r.To.Position,
			"the relationship %s joins %s to itself; only a reference that names it (%s.<field>) uses it", r.Name.Value, from.Name.Value, r.Name.Value)
	}
	if known && len(r.ToColumns) > 0 && r.DeclaredCardinality(v.basic) == UnprovenCardinality && !r.DeclaresValidity(v.basic) && !to.HasKeyInColumns(r.ToColumns) {
		v.addWarning(CodeRelationshipTargetNotUnique, r.MemberLocation("to_columns"), firstColumnPosition(r.ToColumns, r.Position),
			"%s is not a primary or unique key of %s, so the join may fan out; declare the key, or cardinality: many_to_many for a deliberate pairing",
			columnListText(r.ToColumns), to.Name.Value)
	}
}

func (v *validator) findRelationshipDataset(m *SemanticModel, r *Relationship, key string, name LocatedText) *Dataset {
	if name.Value == "" {
		return nil
	}
	if d := v.datasets[strings.ToLower(name.Value)]; d != nil {
		return d
	}
	declared := func() []string { return locatedTextValues(m.Datasets, func(d *Dataset) LocatedText { return d.Name }) }
	v.addError(CodeUnknownDataset, r.MemberLocation(key), name.Position,
		"the relationship %s names the dataset %q, which is not declared; %s", r.Name.Value, name.Value, v.nearestNamesHint(name.Value, len(m.Datasets), declared))
	return nil
}

func (v *validator) checkRelationshipColumnsExist(r *Relationship, key string, columns []LocatedText, d *Dataset) bool {
	if d == nil {
		return false
	}
	ok := true
	for i, c := range columns {
		if v.hasField(d, c.Value) {
			continue
		}
		ok = false
		declared := func() []string { return locatedTextValues(d.Fields, func(f *Field) LocatedText { return f.Name }) }
		v.addError(CodeUnknownColumn, locationOfListItem(r.MemberLocation(key), i), c.Position,
			"the relationship %s names %q, which is not a declared field of %s; %s", r.Name.Value, c.Value, d.Name.Value, v.nearestNamesHint(c.Value, len(d.Fields), declared))
		v.issues[len(v.issues)-1].Hint = "if it is a column of the source, semlayer fmt --declare adds the field"
	}
	return ok
}

func locatedTextValues[T any](list []T, name func(T) LocatedText) []string {
	out := make([]string, len(list))
	for i, x := range list {
		out[i] = name(x).Value
	}
	return out
}

func firstColumnPosition(columns []LocatedText, otherwise Position) Position {
	if len(columns) > 0 {
		return columns[0].Position
	}
	return otherwise
}

func columnListText(columns []LocatedText) string {
	values := make([]string, len(columns))
	for i, c := range columns {
		values[i] = c.Value
	}
	return "(" + strings.Join(values, ", ") + ")"
}
