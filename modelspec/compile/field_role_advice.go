package compile

import (
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/internal/cancel"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// warnUngroupableMetrics warns of combined metrics that cannot be grouped by anything.
func (c *compiler) warnUngroupableMetrics() {
	for m := range cancel.EachUntilDone(c.ctx, c.metrics) {
		if m.cat.Err != nil || m.cat.Derive == nil || !m.cat.Derive.Compose || len(m.cat.MemberMetrics()) < 2 {
			continue
		}
		offered := func(f *catalog.Field) bool { return f.IsDimension == nil || *f.IsDimension }
		shares := func(d *catalog.Dataset) bool { return slices.ContainsFunc(d.Fields, offered) }
		if !slices.ContainsFunc(c.cat.ConformedDatasets(m.cat), shares) {
			c.addWarning(CodeNoConformedDimensions, m.doc.Location, m.doc.Position,
				"the members of %s share no dimension: %s", m.cat.Name, strings.Join(namesOfMetrics(m.cat.MemberMetrics()), ", "))
		}
	}
}

func namesOfMetrics(metrics []*catalog.Metric) []string {
	var out []string
	for _, m := range metrics {
		out = append(out, m.Name)
	}
	return out
}

// adviseFieldRoles looks for fields whose role their author has probably not thought of.
// It is for authors who ask (validation), not for every start of a server.
func (c *compiler) adviseFieldRoles() {
	if c.Advice && len(c.model.Datasets) > 0 && len(c.model.Metrics) == 0 {
		c.addWarning(CodeNoMetrics, c.model.MemberLocation("metrics"), c.model.Position, "the model has no metrics: queries can list rows, and aggregate nothing; add the key metrics")
	}
	if c.Basic || !c.Advice {
		return
	}
	a := fieldRoleAdviser{compiler: c, keys: c.joinAndKeyFields()}
	for m := range cancel.EachUntilDone(c.ctx, c.cat.Metrics) {
		a.unsure = a.unsure || m.Err != nil
	}
	for d := range cancel.EachUntilDone(c.ctx, c.datasets) {
		for f := range cancel.EachUntilDone(c.ctx, d.list) {
			if f.cat.Err == nil {
				a.adviseField(f)
			}
		}
	}
}

type fieldRoleAdviser struct {
	*compiler
	keys map[*catalog.Field]bool // joined by, or unique
	// unsure: a metric failed, and what it was to aggregate is not known.
	unsure bool
}

func (c fieldRoleAdviser) adviseField(f *fieldInProgress) {
	if is := f.cat.IsDimension; is != nil {
		if by := f.cat.MeasuredBy; *is && by != nil {
			c.addWarning(CodeAggregatedDimension, f.doc.Location, f.doc.Position,
				"%s is declared a dimension, and the metric %s aggregates it as a measure; the declaration is honoured", f.cat.QualifiedName(), by.Name)
		}
		return
	}
	if _, source := f.cat.DimensionRoleAndSource(); source != "inferred" {
		return
	}
	var looks string
	switch {
	case isNamedLikeTime(f.cat):
		looks = "an unmarked time column"
	case c.keys[f.cat] || isNamedLikeKey(f.cat):
		looks = "a business key"
	case !c.unsure && isNamedLikeMeasurement(f.cat):
		looks = "a measurement"
	default:
		return
	}
	c.addWarning(CodeUnderdeclaredField, f.doc.Location, f.doc.Position,
		"%s looks like %s and is offered as a dimension; its custom_extensions entry of the vendor %s declares that with \"is_dimension\": true, or false to hide it",
		f.cat.QualifiedName(), looks, modelspec.ExtensionVendors()[0])
}

// FieldNeedsDeclaredRole reports whether validation requests the role of a field that declares none, by its
// name and datatype. isJoined: a relationship joins by it, or it is part of a unique key. A time
// field, a part of the primary key and a field that a metric sums have a role.
func FieldNeedsDeclaredRole(name string, datatype modelspec.Datatype, isJoined bool) bool {
	f := &catalog.Field{Name: name, Type: datatype.LogicalType()}
	return isJoined || isNamedLikeTime(f) || isNamedLikeKey(f) || isNamedLikeMeasurement(f)
}

// joinAndKeyFields returns the fields that relationships join by and the columns of
// unique keys.
func (c *compiler) joinAndKeyFields() map[*catalog.Field]bool {
	out := map[*catalog.Field]bool{}
	for _, r := range c.cat.Relationships {
		for _, f := range append(slices.Clone(r.FromFields), r.ToFields...) {
			out[f] = true
		}
	}
	for _, d := range c.cat.Datasets {
		unique := map[string]bool{}
		for _, key := range d.UniqueKeys {
			for _, column := range key {
				unique[foldCase(strings.Trim(column, `"`))] = true
			}
		}
		for _, f := range d.Fields {
			out[f] = out[f] || slices.ContainsFunc(f.PossibleColumnNames(), func(name string) bool { return unique[foldCase(name)] })
		}
	}
	return out
}

// splitNameIntoWords splits a name at underscores and at changes of case.
func splitNameIntoWords(name string) []string {
	var b strings.Builder
	lower := false
	for _, r := range name {
		upper := r >= 'A' && r <= 'Z'
		if upper && lower {
			b.WriteByte(' ')
		}
		lower = !upper
		b.WriteRune(r)
	}
	return strings.FieldsFunc(strings.ToLower(b.String()), func(r rune) bool { return r == '_' || r == ' ' || r == '-' })
}

func hasKnownWordInName(name string, last bool, known ...string) bool {
	parts := splitNameIntoWords(name)
	if last && len(parts) > 0 {
		parts = parts[len(parts)-1:]
	}
	return slices.ContainsFunc(parts, func(w string) bool { return slices.Contains(known, w) })
}

func isNamedLikeTime(f *catalog.Field) bool {
	if f.Type.IsDateOrTimestamp() {
		return true
	}
	if f.Type == sqlexpr.TypeBool || f.Type == sqlexpr.TypeDecimal || f.Type == sqlexpr.TypeFloat {
		return false
	}
	return hasKnownWordInName(f.Name, true, "date", "time", "timestamp", "datetime", "ts", "at", "day", "dt")
}

func isNamedLikeKey(f *catalog.Field) bool {
	if f.Type == sqlexpr.TypeBool || f.Type == sqlexpr.TypeDecimal || f.Type == sqlexpr.TypeFloat {
		return false
	}
	return hasKnownWordInName(f.Name, true, "id", "key", "uuid", "guid", "sku", "code", "number", "no", "hash")
}

func isNamedLikeMeasurement(f *catalog.Field) bool {
	switch f.Type {
	case sqlexpr.TypeDecimal, sqlexpr.TypeFloat:
		return true
	case sqlexpr.TypeInt, sqlexpr.TypeUnknown:
		return hasKnownWordInName(f.Name, false, "amount", "price", "cost", "qty", "quantity", "total", "revenue", "sum", "count",
			"balance", "fee", "tax", "discount", "profit", "margin", "weight", "length", "height", "width", "duration", "value", "score", "points")
	}
	return false
}
