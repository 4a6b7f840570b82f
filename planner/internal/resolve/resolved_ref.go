package resolve

import (
	"strings"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// Ref is a resolved reference: a field, and the path of relationships that the
// query named to reach it (empty for an unprefixed reference).
type Ref struct {
	Prefix []catalog.JoinStep
	Field  *catalog.Field
}

// OutputName returns the output column of the reference when it is grouped or projected
// plainly: the bare field name, or `<rel>__<field>`.
func (ref Ref) OutputName() string {
	if len(ref.Prefix) == 0 {
		return ref.Field.Name
	}
	return strings.Join(append(relationshipNamesOfPath(ref.Prefix), ref.Field.Name), "__")
}

// String returns the reference as a query would spell it.
func (ref Ref) String() string {
	if len(ref.Prefix) == 0 {
		return ref.Field.QualifiedName()
	}
	return sqlexpr.FormatPath(append(relationshipNamesOfPath(ref.Prefix), ref.Field.Name)...)
}

// PrefixStartDataset returns the dataset a prefixed reference leaves; nil for an unprefixed one.
func (ref Ref) PrefixStartDataset() *catalog.Dataset {
	if len(ref.Prefix) == 0 {
		return nil
	}
	return ref.Prefix[0].SourceDataset()
}

// SourceDataset returns the dataset at which a reference begins: that which its path leaves, else its
// field's own.
func (ref Ref) SourceDataset() *catalog.Dataset {
	if start := ref.PrefixStartDataset(); start != nil {
		return start
	}
	return ref.Field.Dataset
}

// IsSame reports whether two references name the same field by the same path.
func (ref Ref) IsSame(o Ref) bool {
	if ref.Field != o.Field || len(ref.Prefix) != len(o.Prefix) {
		return false
	}
	for i, s := range ref.Prefix {
		if s != o.Prefix[i] {
			return false
		}
	}
	return true
}

// PathText joins the relationship names of a path by dots, as a query writes them
// before the name of a field.
func PathText(path []catalog.JoinStep) string {
	return sqlexpr.FormatPath(relationshipNamesOfPath(path)...)
}

func relationshipNamesOfPath(path []catalog.JoinStep) []string {
	names := make([]string, len(path), len(path)+1)
	for i, s := range path {
		names[i] = s.Rel.Name
	}
	return names
}

// Refs are references, each once: a condition names one by its position.
type Refs []Ref

// IndexOrAdd returns the position of a reference, which is added where it is not there yet.
func (refs *Refs) IndexOrAdd(ref Ref) int {
	for i, known := range *refs {
		if known.IsSame(ref) {
			return i
		}
	}
	*refs = append(*refs, ref)
	return len(*refs) - 1
}

// AsColumnExpr returns the reference as an expression would name it.
func (ref Ref) AsColumnExpr() *sqlexpr.Column {
	if len(ref.Prefix) == 0 {
		return &sqlexpr.Column{Path: []sqlexpr.Name{{Text: ref.Field.Dataset.Name}, {Text: ref.Field.Name}}}
	}
	path := make([]sqlexpr.Name, 0, len(ref.Prefix)+1)
	for _, s := range ref.Prefix {
		path = append(path, sqlexpr.Name{Text: s.Rel.Name})
	}
	return &sqlexpr.Column{Path: append(path, sqlexpr.Name{Text: ref.Field.Name})}
}

// Text returns the reference as a condition would spell it.
func (ref Ref) Text() string { return sqlexpr.Format(ref.AsColumnExpr()) }

// ShortestPathLength returns the length of the shortest path of safe edges between two datasets; 0
// where there is none.
func ShortestPathLength(cat *catalog.Catalog, from, to *catalog.Dataset) int {
	best := 0
	for i, p := range cat.SafePaths(from, to, MaxCandidates) {
		if i == 0 || len(p) < best {
			best = len(p)
		}
	}
	return best
}
