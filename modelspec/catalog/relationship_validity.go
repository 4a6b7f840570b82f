package catalog

import "github.com/semlayer/semlayer/modelspec/sqlexpr"

// RelationshipValidity limits a relationship to the rows of its target that are valid at a time: a row
// of To matches a row of From where the columns are equal and From ≤ At < To. A null From or
// To is open, and a null At matches nothing.
type RelationshipValidity struct {
	At   *Field // of the dataset that the relationship leaves
	From *Field // of its target
	// To is nil where a row is valid until the next From of its key. Of rows with an equal
	// From, the one with the greatest primary key is valid.
	To *Field
}

// Fields lists the fields in the order at, from, to.
func (v *RelationshipValidity) Fields() []*Field {
	if v.To == nil {
		return []*Field{v.At, v.From}
	}
	return []*Field{v.At, v.From, v.To}
}

// ComparedType returns the type in which the fields are compared: a Date is its midnight where
// another field is a DateTime.
func (v *RelationshipValidity) ComparedType() sqlexpr.Type {
	widest := sqlexpr.TypeDate
	for _, f := range v.Fields() {
		widest = max(widest, f.Type)
	}
	return widest
}
