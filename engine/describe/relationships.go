package describe

import "github.com/semlayer/semlayer/modelspec/catalog"

// Relationship describes how two datasets are joined.
type Relationship struct {
	Name string `json:"name"`
	// From is the many side, To the one side; the columns are paired by position.
	From string `json:"from"`
	To   string `json:"to"`
	// Both are nil, as Valid is, for a reader who does not see a field of them.
	FromColumns []string `json:"from_columns,omitzero"`
	ToColumns   []string `json:"to_columns,omitzero"`
	// Cardinality is the model's word or what the keys prove: many_to_one,
	// one_to_one, many_to_many, or unproven, which counts as fanning out.
	Cardinality string `json:"cardinality"`
	JoinType    string `json:"join_type"` // left or inner
	// Valid names the fields that limit the rows of To to a time; nil: each is valid at any time.
	Valid *Validity `json:"valid,omitempty"`
	// Error is the code of the error that keeps the relationship from being used.
	Error     string `json:"error,omitempty"`
	AIContext any    `json:"ai_context,omitempty"`
}

// Validity names the fields that decide which row is valid: From <= At < To.
type Validity struct {
	At   string `json:"at"`           // field of the many side
	From string `json:"from"`         // field of the one side
	To   string `json:"to,omitempty"` // field of the one side; absent where a row is valid until the next of its key
}

// Relationships lists the relationships in the order of the model.
func (d *Describer) Relationships() []Relationship {
	out := make([]Relationship, 0, len(d.catalog.Relationships))
	view := d.catalog.ScopeView()
	for _, r := range d.catalog.Relationships {
		if view != nil && !view.FollowsRelationship(r) {
			continue
		}
		info := Relationship{
			Name:        r.Name,
			From:        r.From.Name,
			To:          r.To.Name,
			FromColumns: fieldNames(r.FromFields),
			ToColumns:   fieldNames(r.ToFields),
			Cardinality: r.Cardinality.String(),
			JoinType:    r.JoinType.String(),
			AIContext:   r.AIContext,
		}
		info.Valid = describeValidity(r.Valid)
		if catalog.HidesColumnsOf(r) {
			info.FromColumns, info.ToColumns, info.Valid = nil, nil, nil
		}
		if r.Err != nil {
			info.Error = r.Err.Code
		}
		out = append(out, info)
	}
	return out
}

func describeValidity(v *catalog.RelationshipValidity) *Validity {
	if v == nil {
		return nil
	}
	out := &Validity{At: v.At.Name, From: v.From.Name}
	if v.To != nil {
		out.To = v.To.Name
	}
	return out
}

func fieldNames(fields []*catalog.Field) []string {
	out := make([]string, len(fields))
	for i, f := range fields {
		out[i] = f.Name
	}
	return out
}
