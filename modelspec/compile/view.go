package compile

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/extension"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// View is what a reader sees of a model. The document that is compiled with it lacks the datasets, relationships and metrics that are
// hidden.
type View struct {
	// Model is the whole model.
	Model *catalog.Catalog
	// Hidden are fields of Model that no name finds.
	Hidden map[*catalog.Field]bool
	// Masks are the values of fields of Model, over the columns of their datasets and the value that the field has by its expression.
	Masks map[*catalog.Field]sqlexpr.Expr
	// Rows are the rules of datasets of Model; a dataset without one has all its rows.
	Rows map[*catalog.Dataset]*catalog.RowRule
	// HidesSaved are the names of saved queries that need what is hidden.
	HidesSaved map[string]bool
}

// OwnValue returns a placeholder in a mask: for the value that the field has by its expression, over the values that the reader sees of the
// fields that it names.
func OwnValue() sqlexpr.Expr {
	return &sqlexpr.Column{Path: []sqlexpr.Name{{Text: ownValueName, Quoted: true}}}
}

// ownValueName is a name that no column has.
const ownValueName = "\x00own"

// ReplaceOwnValue puts a value in the places of OwnValue, and reports whether there are any.
func ReplaceOwnValue(mask, value sqlexpr.Expr) (out sqlexpr.Expr, found bool) {
	out = sqlexpr.Rewrite(mask, func(e sqlexpr.Expr) sqlexpr.Expr {
		if column, ok := e.(*sqlexpr.Column); ok && column.Path[0].Text == ownValueName {
			found = true
			return value
		}
		return nil
	})
	return out, found
}

func (c *compiler) addRowsOfView(d *datasetInProgress) {
	if c.View == nil {
		return
	}
	d.hidden, d.plain = map[string]bool{}, map[string]*fieldInProgress{}
	d.cat.Rows = c.View.Rows[c.View.Model.Dataset(d.cat.Name)]
}

func (c *compiler) savedQueriesOfView(all []*catalog.SavedQuery) []*catalog.SavedQuery {
	if c.View == nil {
		return all
	}
	return slices.DeleteFunc(all, func(q *catalog.SavedQuery) bool { return c.View.HidesSaved[q.Name] })
}

// fieldOfWholeModel returns the field of the whole model; nil for one that does not compile there.
func (c *compiler) fieldOfWholeModel(f *fieldInProgress) *catalog.Field {
	if c.View == nil {
		return nil
	}
	return c.View.Model.Dataset(f.ds.cat.Name).Field(f.cat.Name)
}

// isHiddenInView reports whether the reader does not see a field, and keeps its values for keys and relationships.
func (c *compiler) isHiddenInView(f *fieldInProgress) bool {
	whole := c.fieldOfWholeModel(f)
	if whole == nil || !c.View.Hidden[whole] {
		return false
	}
	f.ds.hidden[foldCase(f.cat.Name)] = true
	c.addPlainField(f, whole)
	return true
}

// maskInView gives a field the values that the reader sees.
func (c *compiler) maskInView(f *fieldInProgress) {
	whole := c.fieldOfWholeModel(f)
	if whole == nil || c.View.Masks[whole] == nil {
		return
	}
	c.addPlainField(f, whole)
	f.cat.Order = nil
	if _, ok := ReplaceOwnValue(c.View.Masks[whole], &sqlexpr.Null{}); ok {
		f.mask = c.View.Masks[whole]
		return
	}
	f.cat.Expr = catalog.DialectVariants[sqlexpr.Expr]{Default: c.View.Masks[whole]}
	f.cat.Err, f.cat.ErrByDialect = nil, nil
	f.cat.Type, f.joins, f.state = whole.Type, false, stateVisited
}

// maskVariants puts the expanded expressions of a field into its mask.
func maskVariants(v catalog.DialectVariants[sqlexpr.Expr], mask sqlexpr.Expr) catalog.DialectVariants[sqlexpr.Expr] {
	out := catalog.DialectVariants[sqlexpr.Expr]{}
	out.Default, _ = ReplaceOwnValue(mask, v.Default)
	for dialect, e := range v.ByDialect {
		if out.ByDialect == nil {
			out.ByDialect = map[string]sqlexpr.Expr{}
		}
		out.ByDialect[dialect], _ = ReplaceOwnValue(mask, e)
	}
	return out
}

func (c *compiler) addPlainField(f *fieldInProgress, whole *catalog.Field) {
	plain := *whole
	plain.Dataset = f.ds.cat
	c.cat.AddPlainField(&plain)
	f.ds.plain[foldCase(f.cat.Name)] = &fieldInProgress{doc: f.doc, ds: f.ds, cat: &plain, state: stateVisited}
}

// findKeyField finds the field that a key or a relationship names: its values are the plain ones also where the reader does not see them.
func (d *datasetInProgress) findKeyField(name string) *fieldInProgress {
	if f := d.plain[foldCase(name)]; f != nil {
		return f
	}
	return d.findFieldByName(name)
}

// hideCalendarPeriods takes the periods out of a calendar whose fields the reader does not see.
func (d *datasetInProgress) hideCalendarPeriods() {
	if d.calendar == nil || len(d.hidden) == 0 {
		return
	}
	isHidden := func(ref extension.ObjectRef) bool { return d.hidden[d.unqualifiedName(ref.Name)] }
	if isHidden(d.calendar.Date) {
		d.calendar = nil
		return
	}
	seen := *d.calendar
	seen.Periods = slices.DeleteFunc(slices.Clone(seen.Periods), func(p extension.CalendarPeriod) bool { return isHidden(p.Field) })
	d.calendar = &seen
	if len(seen.Periods) == 0 {
		d.calendar = nil
	}
}
