package scope

import (
	"strings"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// Ref is a resolved reference: a field, and the path of relationships that the
// query named to reach it (empty for an unprefixed reference).
type Ref struct {
	Prefix []catalog.Step
	Field  *catalog.Field
}

// Output is the output column of the reference when it is grouped or projected
// plainly: the bare field name, or `<rel>__<field>`.
func (r Ref) Output() string {
	if len(r.Prefix) == 0 {
		return r.Field.Name
	}
	return strings.Join(append(relNames(r.Prefix), r.Field.Name), "__")
}

// String is the reference as a query would spell it.
func (r Ref) String() string {
	if len(r.Prefix) == 0 {
		return r.Field.Qualified()
	}
	return sqlexpr.FormatPath(append(relNames(r.Prefix), r.Field.Name)...)
}

// Start is the dataset a prefixed reference leaves; nil for an unprefixed one.
func (r Ref) Start() *catalog.Dataset {
	if len(r.Prefix) == 0 {
		return nil
	}
	return r.Prefix[0].Source()
}

// Same reports whether two references name the same field by the same path.
func (r Ref) Same(o Ref) bool {
	if r.Field != o.Field || len(r.Prefix) != len(o.Prefix) {
		return false
	}
	for i, s := range r.Prefix {
		if s != o.Prefix[i] {
			return false
		}
	}
	return true
}

// PathText joins the relationship names of a path by dots, as a query writes them
// before the name of a field.
func PathText(path []catalog.Step) string { return sqlexpr.FormatPath(relNames(path)...) }

func relNames(path []catalog.Step) []string {
	names := make([]string, len(path), len(path)+1)
	for i, s := range path {
		names[i] = s.Rel.Name
	}
	return names
}
