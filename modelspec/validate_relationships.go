package modelspec

import (
	"strings"

	"github.com/semlayer/semlayer/modelspec/internal/cancel"
)

func checkRelationships(v *validation, m *SemanticModel) {
	names := newNames(v, "relationship")
	for r := range cancel.EachUntilDone(v.ctx, m.Relationships) {
		names.add(r.Name, r.Place)
		v.relationship(m, r)
	}
}

func (v *validation) relationship(m *SemanticModel, r *Relationship) {
	from := v.relationshipEnd(m, r, "from", r.From)
	to := v.relationshipEnd(m, r, "to", r.To)
	if len(r.FromColumns) == 0 && len(r.ToColumns) == 0 {
		v.error(CodeEmptyColumns, r.At("from_columns"), r.Position, "the relationship %s declares no column pairs", r.Name.Value)
	} else if len(r.FromColumns) != len(r.ToColumns) {
		v.error(CodeColumnCountMismatch, r.At("to_columns"), firstPosition(r.ToColumns, r.Position),
			"the relationship %s pairs %d from_columns with %d to_columns", r.Name.Value, len(r.FromColumns), len(r.ToColumns))
	}
	known := v.columns(r, "from_columns", r.FromColumns, from)
	known = v.columns(r, "to_columns", r.ToColumns, to) && known
	if from == nil || to == nil {
		return
	}
	if from == to {
		v.warn(CodeSelfRelationship, r.At("to"), r.To.Position,
			"the relationship %s joins %s to itself; only a reference that names it (%s.<field>) uses it", r.Name.Value, from.Name.Value, r.Name.Value)
	}
	if known && len(r.ToColumns) > 0 && r.DeclaredCardinality(v.basic) == "" && !to.CoversKey(r.ToColumns) {
		v.warn(CodeRelationshipTargetNotUnique, r.At("to_columns"), firstPosition(r.ToColumns, r.Position),
			"%s is not a primary or unique key of %s, so the join may fan out; declare the key, or cardinality: many_to_many for a deliberate pairing",
			columnList(r.ToColumns), to.Name.Value)
	}
}

func (v *validation) relationshipEnd(m *SemanticModel, r *Relationship, key string, name Text) *Dataset {
	if name.Value == "" {
		return nil
	}
	if d := v.datasets[strings.ToLower(name.Value)]; d != nil {
		return d
	}
	declared := func() []string { return namesOf(m.Datasets, func(d *Dataset) Text { return d.Name }) }
	v.error(CodeUnknownDataset, r.At(key), name.Position,
		"the relationship %s names the dataset %q, which is not declared; %s", r.Name.Value, name.Value, v.nearestName(name.Value, len(m.Datasets), declared))
	return nil
}

func (v *validation) columns(r *Relationship, key string, columns []Text, d *Dataset) bool {
	if d == nil {
		return false
	}
	ok := true
	for i, c := range columns {
		if v.hasField(d, c.Value) {
			continue
		}
		ok = false
		declared := func() []string { return namesOf(d.Fields, func(f *Field) Text { return f.Name }) }
		v.error(CodeUnknownColumn, indexedLocation(r.At(key), i), c.Position,
			"the relationship %s names %q, which is not a declared field of %s; %s", r.Name.Value, c.Value, d.Name.Value, v.nearestName(c.Value, len(d.Fields), declared))
	}
	return ok
}

func namesOf[T any](list []T, name func(T) Text) []string {
	out := make([]string, len(list))
	for i, x := range list {
		out[i] = name(x).Value
	}
	return out
}

func firstPosition(columns []Text, otherwise Position) Position {
	if len(columns) > 0 {
		return columns[0].Position
	}
	return otherwise
}

func columnList(columns []Text) string {
	values := make([]string, len(columns))
	for i, c := range columns {
		values[i] = c.Value
	}
	return "(" + strings.Join(values, ", ") + ")"
}
