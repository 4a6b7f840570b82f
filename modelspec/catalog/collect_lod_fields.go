package catalog

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// AppendLODFieldsOfField appends the level-of-detail fields that the value of a field needs
// on a dialect, itself included, to those that are there, each once.
func (c *Catalog) AppendLODFieldsOfField(dst []*Field, f *Field, dialect string) []*Field {
	f = f.SourceField()
	if f.LOD == nil {
		return c.AppendLODFieldsOfExpr(dst, f.Expr.ForDialect(dialect), dialect)
	}
	if slices.Contains(dst, f) {
		return dst
	}
	dst = append(dst, f)
	if form := f.LOD.Measures.ForDialect(dialect); form != nil {
		for _, o := range form.Operands {
			if m, ok := o.(*Measure); ok {
				dst = c.AppendLODFieldsOfMeasure(dst, m, dialect)
			}
		}
	}
	return c.AppendLODFieldsOfExpr(dst, f.LOD.Where, dialect)
}

// AppendLODFieldsOfMeasure appends the level-of-detail fields that a measure needs on a dialect.
func (c *Catalog) AppendLODFieldsOfMeasure(dst []*Field, m *Measure, dialect string) []*Field {
	for _, e := range m.ArgumentAndOrderKey() {
		dst = c.AppendLODFieldsOfExpr(dst, e, dialect)
	}
	return dst
}

// AppendLODFieldsOfExpr appends the level-of-detail fields that an expression over fields
// needs on a dialect: a measure's argument or a predicate.
func (c *Catalog) AppendLODFieldsOfExpr(dst []*Field, e sqlexpr.Expr, dialect string) []*Field {
	for r := range sqlexpr.Refs(e) {
		dst = c.AppendLODFieldsOfField(dst, c.FieldByID(r.ID), dialect)
	}
	return dst
}

// ParamsOfLODFields lists the parameters of level-of-detail fields, each once.
func ParamsOfLODFields(fields []*Field) []*Param {
	var out []*Param
	for _, f := range fields {
		out = appendNewParams(out, f.LOD.Params)
	}
	return out
}

func appendNewParams(dst, params []*Param) []*Param {
	for _, p := range params {
		if !slices.Contains(dst, p) {
			dst = append(dst, p)
		}
	}
	return dst
}

// ReadsJoinedTables reports whether a field's value comes, in part, from joined tables: the field has a
// level of detail, or is computed from one that has, or from fields of other datasets. The table of a
// level of detail may have a row for a NULL grain, which an unmatched carrier row would meet.
func (f *Field) ReadsJoinedTables(dialect string) bool {
	if f.LOD != nil {
		return true
	}
	for range sqlexpr.Refs(f.Expr.ForDialect(dialect)) {
		return true
	}
	return false
}
