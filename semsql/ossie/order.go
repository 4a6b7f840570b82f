package ossie

import (
	"slices"
	"strconv"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/planner/query"
)

// orderBy returns the order keys. NULL is last in every order of the planner.
func (t *translator) orderBy() ([]query.OrderBy, error) {
	var out []query.OrderBy
	for i, o := range t.query.OrderBy {
		place := "order_by/" + strconv.Itoa(i)
		p, err := t.projectionOfOrderKey(place, o.Field)
		if err != nil {
			return nil, err
		}
		first := o.Nulls == nullsFirst || o.Nulls == "" && o.Direction == descending
		if first && !t.isNeverNull(p) {
			return nil, t.nullsFirstError(place, o)
		}
		out = append(out, query.OrderBy{Key: p.column, Desc: o.Direction == descending})
	}
	return out, nil
}

// projectionOfOrderKey returns the item of the query that an order key names: by its column, or by the same expression.
func (t *translator) projectionOfOrderKey(place, text string) (*projectionItem, error) {
	e, err := parseExpression(place+"/field", text)
	if err != nil {
		return nil, err
	}
	for _, items := range [][]projectionItem{t.measures, t.dimensions, t.fields} {
		if name, ok := singlePartColumnName(e); ok {
			if at := columnIndex(items, name); at >= 0 {
				return &items[at], nil
			}
		}
	}
	for _, items := range [][]projectionItem{t.measures, t.dimensions, t.fields} {
		for i := range items {
			if t.isSameExpression(e, items[i].expr) {
				return &items[i], nil
			}
		}
	}
	return nil, t.unknownOrderKeyError(place, text, e)
}

// isSameExpression reports whether two expressions are one, or name one field.
func (t *translator) isSameExpression(a, b sqlexpr.Expr) bool {
	return sqlexpr.Equal(t.qualifyNames(a), t.qualifyNames(b))
}

func (t *translator) unknownOrderKeyError(place, text string, e sqlexpr.Expr) error {
	var columns []string
	for _, p := range slices.Concat(t.dimensions, t.measures, t.fields) {
		columns = append(columns, p.column)
	}
	message := place + " is " + planerr.ClipText(text) + ", which the query does not select"
	out := newUnsupportedQueryError(MissingCapabilityOrderByUnselected, message)
	if c, ok := e.(*sqlexpr.Column); ok && !t.isKnownName(c) {
		out = &Error{Code: CodeNameNotFound, Message: message}
	}
	out.OwnCode, out.Candidates = planerr.CodeUnknownOrderKey, columns
	return out
}

// isKnownName reports whether a name is a field or a metric of the model.
func (t *translator) isKnownName(c *sqlexpr.Column) bool {
	if name, bare := singlePartColumnName(c); bare {
		return len(t.cat.FieldsNamed(name)) > 0 || t.cat.Metric(name) != nil
	}
	return len(t.datasetsNamedByColumn(c)) > 0
}

// nullsFirstError rejects an order with NULL before other values. The replacement has NULL last.
func (t *translator) nullsFirstError(place string, o OrderKey) error {
	what := "requests NULL first"
	if o.Nulls == "" {
		what = "is DESC, which means NULL first"
	}
	e := newUnsupportedQueryError(MissingCapabilityNullsFirst, place+" "+what+", and this engine sorts NULL last; write \"nulls\": \"LAST\"")
	q := *t.query
	q.OrderBy = slices.Clone(q.OrderBy)
	for i := range q.OrderBy {
		if q.OrderBy[i].Nulls == nullsFirst || q.OrderBy[i].Direction == descending {
			q.OrderBy[i].Nulls = nullsLast
		}
	}
	e.Replacement = &q
	return e
}

// isNeverNull reports whether the model proves that a column has no NULL: a count, a metric whose NULL is filled, or a
// column of the primary key of the dataset whose rows the query reads.
func (t *translator) isNeverNull(p *projectionItem) bool {
	if name, bare := singlePartColumnName(p.expr); bare && columnIndex(t.measures, p.column) >= 0 {
		m := t.cat.Metric(name)
		return m != nil && m.Err == nil && m.Window == nil && m.Derive == nil && (m.Fill != "" || isCountMetric(m))
	}
	c, ok := p.expr.(*sqlexpr.Column)
	if !ok {
		return false
	}
	f, _ := t.fieldOf(c)
	return f != nil && t.readsOnlyRowsOfDataset(f.Dataset) && isPrimaryKeyField(f)
}

func isCountMetric(m *catalog.Metric) bool {
	form := m.Forms.Default
	if form == nil || m.At != nil || len(m.Forms.ByDialect) > 0 || len(form.Operands) != 1 {
		return false
	}
	measure, ok := form.Operands[0].(*catalog.Measure)
	_, plain := form.Expr.(*sqlexpr.Ref)
	return ok && plain && measure.NonAdditive == nil && (measure.Agg == catalog.AggCount || measure.Agg == catalog.AggCountDistinct)
}

// isPrimaryKeyField reports whether a field is a column of the primary key of its dataset.
func isPrimaryKeyField(f *catalog.Field) bool {
	return slices.ContainsFunc(f.Dataset.PrimaryKey, func(column string) bool { return f.Dataset.FieldOfKeyColumn(column) == f })
}

// readsOnlyRowsOfDataset reports whether all rows that the query reads are those of a dataset.
func (t *translator) readsOnlyRowsOfDataset(d *catalog.Dataset) bool {
	if t.query.isScalar() {
		root, err := t.rootOfRowLevelQuery()
		return err == nil && root == d
	}
	for _, p := range t.measures {
		name, bare := singlePartColumnName(p.expr)
		if !bare {
			return false
		}
		m := t.cat.Metric(name)
		if m == nil || len(m.Datasets) != 1 || m.Datasets[0] != d {
			return false
		}
	}
	return len(t.measures) > 0
}
