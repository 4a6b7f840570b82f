package ossie

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/limits"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/planner/query"
)

// translateRowLevelQuery translates a query of fields.
func (t *translator) translateRowLevelQuery() (*Translation, error) {
	var err error
	if t.fields, err = parseProjectionItems("fields", t.query.Fields); err != nil {
		return nil, err
	}
	if err := t.checkFieldsHaveNoMeasures(); err != nil {
		return nil, err
	}
	if t.conditions, err = t.rowConditions(); err != nil {
		return nil, err
	}
	root, err := t.rootOfRowLevelQuery()
	if err != nil {
		return nil, err
	}
	out := &query.DetailQuery{From: root.Name, WhereSQL: printConditions(t.conditions), Limit: t.query.Limit}
	if out.Limit == nil {
		most := int64(limits.DetailRows)
		out.Limit = &most
	}
	out.TimeZone, out.WeekStart = t.timeZoneAndWeekStart()
	headers := make([]string, len(t.fields))
	for i := range t.fields {
		headers[i] = t.addField(out, root, i)
	}
	if out.OrderBy, err = t.orderByOfFields(); err != nil {
		return nil, err
	}
	checked, err := decodeWithHTTPLimits(out, query.DecodeDetail)
	return &Translation{Detail: checked, Headers: headers, query: t.query}, err
}

// addField projects an item and returns the header that its alias gives; an expression is a field that the query adds.
func (t *translator) addField(q *query.DetailQuery, root *catalog.Dataset, i int) (header string) {
	p := &t.fields[i]
	if c, grain, ok := fieldOfDateTrunc(p.expr); ok {
		p.column = resultColumnOfField(t.cat, c) + "__" + grain
		q.Fields = append(q.Fields, sqlexpr.Format(t.qualifyNames(c))+":"+grain)
		return p.alias
	}
	if c, ok := p.expr.(*sqlexpr.Column); ok {
		p.column = resultColumnOfField(t.cat, c)
		q.Fields = append(q.Fields, sqlexpr.Format(t.qualifyNames(c)))
		return p.alias
	}
	p.column = p.alias
	if p.column == "" {
		p.column = unusedName(t.cat, "field", i+1, t.fields)
	}
	q.With = append(q.With, query.LocalField{Dataset: root.Name, Name: p.column, Expression: sqlexpr.Format(t.qualifyNames(p.expr))})
	q.Fields = append(q.Fields, sqlexpr.FormatPath(root.Name, p.column))
	return ""
}

// orderByOfFields returns the order keys; an alias means the column that it renames.
func (t *translator) orderByOfFields() ([]query.OrderBy, error) {
	columns := slices.Clone(t.fields)
	for i, p := range t.fields {
		if p.alias != "" {
			t.fields[i].column = p.alias
		}
	}
	out, err := t.orderBy()
	for i := range out {
		if at := columnIndex(t.fields, out[i].Key); at >= 0 {
			out[i].Key = columns[at].column
		}
	}
	return out, err
}

// checkFieldsHaveNoMeasures rejects metrics and aggregates among the fields.
func (t *translator) checkFieldsHaveNoMeasures() error {
	for i, p := range t.fields {
		name, bare := singlePartColumnName(p.expr)
		if sqlexpr.HasAggregate(p.expr) || bare && t.cat.Metric(name) != nil && len(t.cat.FieldsNamed(name)) == 0 {
			return &Error{
				Code: CodeAggregateInScalarQuery, OwnCode: planerr.CodeMetricInDetailQuery,
				Message: planerr.ClipText(t.query.Fields[i]) + " aggregates, and fields have one value per row; write it into measures",
			}
		}
	}
	return nil
}

// rootOfRowLevelQuery returns the dataset whose rows the result has: among the named ones the only one that reaches all others
// without repeating rows, else the only other one.
func (t *translator) rootOfRowLevelQuery() (*catalog.Dataset, error) {
	var named []*catalog.Dataset
	add := func(e sqlexpr.Expr) {
		for _, c := range sqlexpr.ColumnReferences(e) {
			for _, d := range t.datasetsNamedByColumn(c) {
				if !slices.Contains(named, d) {
					named = append(named, d)
				}
			}
		}
	}
	for _, p := range t.fields {
		add(p.expr)
	}
	for _, e := range t.conditions {
		add(e)
	}
	if len(named) == 0 {
		return nil, t.unknownFieldError()
	}
	roots := t.datasetsThatReach(named, named)
	if len(roots) == 0 {
		roots = t.datasetsThatReach(t.cat.Datasets, named)
	}
	if len(roots) == 1 {
		return roots[0], nil
	}
	names := datasetNames(roots)
	if len(roots) == 0 {
		return nil, &Error{
			Code: CodeNoPath, OwnCode: planerr.CodeNoJoinPath, Candidates: datasetNames(named),
			Message: "no dataset reaches all datasets of the fields along many-to-one relationships",
		}
	}
	e := newUnsupportedQueryError(MissingCapabilityAmbiguousScalarRoot, "several datasets reach all fields, and their rows differ; add a field of one of them")
	e.Candidates = names
	return nil, e
}

func (t *translator) datasetsThatReach(from, all []*catalog.Dataset) (out []*catalog.Dataset) {
	for _, d := range from {
		if !slices.ContainsFunc(all, func(to *catalog.Dataset) bool { return to != d && !t.cat.ReachesSafely(d, to) }) {
			out = append(out, d)
		}
	}
	return out
}

// datasetsNamedByColumn returns the datasets that a reference names: that of the field, or the one that its first relationship leaves.
func (t *translator) datasetsNamedByColumn(c *sqlexpr.Column) []*catalog.Dataset {
	if f, d := t.fieldOf(c); f != nil {
		return []*catalog.Dataset{d}
	}
	if len(c.Path) > 1 {
		if r := t.cat.Relationship(c.Path[0].Text); r != nil {
			return []*catalog.Dataset{r.From}
		}
		if d := t.cat.Dataset(c.Path[0].Text); d != nil {
			return []*catalog.Dataset{d}
		}
	}
	return nil
}

// fieldOf returns the field that dataset.field or a bare name of one dataset means; nil for others.
func (t *translator) fieldOf(c *sqlexpr.Column) (*catalog.Field, *catalog.Dataset) {
	last := c.Path[len(c.Path)-1].Text
	switch len(c.Path) {
	case 1:
		if all := t.cat.FieldsNamed(last); len(all) == 1 {
			return all[0], all[0].Dataset
		}
	case 2:
		if d := t.cat.Dataset(c.Path[0].Text); d != nil {
			return t.cat.FindDatasetField(d, last), d
		}
	}
	return nil, nil
}

func (t *translator) unknownFieldError() error {
	e := &Error{Code: CodeNameNotFound, OwnCode: planerr.CodeUnknownDimension, Message: "no dataset of the model has the field " + planerr.ClipText(t.query.Fields[0])}
	if c, ok := t.fields[0].expr.(*sqlexpr.Column); ok {
		if name, bare := singlePartColumnName(c); bare {
			for _, f := range t.cat.FieldsNamed(name) {
				e.Candidates = append(e.Candidates, f.QualifiedName())
			}
		}
	}
	if len(e.Candidates) > 0 {
		e.Message = "several datasets have the field " + planerr.ClipText(t.query.Fields[0]) + "; name one of them"
	}
	return e
}

func datasetNames(all []*catalog.Dataset) []string {
	out := make([]string, len(all))
	for i, d := range all {
		out[i] = d.Name
	}
	return out
}
