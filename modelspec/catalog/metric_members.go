package catalog

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// AddOperand returns a reference to an operand, adding it to the form when it is
// not there yet. Only compilers call it: a catalog is immutable.
func (f *ArithmeticOverOperands) AddOperand(at sqlexpr.Position, o Operand) *sqlexpr.Ref {
	i := slices.Index(f.Operands, o)
	if i < 0 {
		i = len(f.Operands)
		f.Operands = append(f.Operands, o)
	}
	return &sqlexpr.Ref{Position: at, ID: i}
}

// FormsOfAllDialects lists the metric's forms: the default first, then those of dialects
// in the order of their names. It is empty for a filter and for a failed metric.
func (m *Metric) FormsOfAllDialects() []*ArithmeticOverOperands {
	var out []*ArithmeticOverOperands
	if m.Forms.Default != nil {
		out = append(out, m.Forms.Default)
	}
	if len(m.Forms.ByDialect) == 0 {
		return out
	}
	for _, dialect := range slices.Sorted(maps.Keys(m.Forms.ByDialect)) {
		out = append(out, m.Forms.ByDialect[dialect])
	}
	return out
}

// MemberMetrics lists the metrics that the metric is made of directly, on any dialect: a
// filter's base, or what its arithmetic names.
func (m *Metric) MemberMetrics() []*Metric { return m.memberMetricsOfForms(m.FormsOfAllDialects()...) }

// MemberMetricsOnDialect lists the metrics that the metric is made of directly on one dialect, by
// the default form where the dialect has no form.
func (m *Metric) MemberMetricsOnDialect(dialect string) []*Metric {
	return m.memberMetricsOfForms(m.Forms.ForDialect(dialect))
}

func (m *Metric) memberMetricsOfForms(forms ...*ArithmeticOverOperands) []*Metric {
	var out []*Metric
	if m.Derive != nil && m.Derive.Base != nil {
		out = append(out, m.Derive.Base)
	}
	for _, form := range forms {
		if form == nil {
			continue
		}
		for _, o := range form.Operands {
			if member, ok := o.(*Metric); ok && !slices.Contains(out, member) {
				out = append(out, member)
			}
		}
	}
	return out
}

// DiffersBetween reports whether the model writes the metric, or one that it is made of, in another way for one dialect than for the other.
func (m *Metric) DiffersBetween(a, b string) bool {
	return m.Forms.ForDialect(a) != m.Forms.ForDialect(b) ||
		slices.ContainsFunc(m.MemberMetricsOnDialect(a), func(member *Metric) bool { return member.DiffersBetween(a, b) })
}

// LeafMeasures lists the measures under the metric, through all its members, each
// once, as its default forms name them.
func (m *Metric) LeafMeasures() []*Measure {
	l := leafMeasureCollector{metrics: map[*Metric]bool{}, measures: map[*Measure]bool{}}
	l.addMetric(m)
	return l.list
}

type leafMeasureCollector struct {
	metrics  map[*Metric]bool
	measures map[*Measure]bool
	list     []*Measure
}

func (l *leafMeasureCollector) addMetric(m *Metric) {
	if l.metrics[m] {
		return
	}
	l.metrics[m] = true
	if m.Derive != nil && m.Derive.Base != nil {
		l.addMetric(m.Derive.Base)
	}
	if form := m.Forms.Default; form != nil {
		for _, o := range form.Operands {
			switch o := o.(type) {
			case *Measure:
				l.addMeasure(o)
			case *Metric:
				l.addMetric(o)
			}
		}
	}
	if m.Window != nil && m.Window.Frame != nil && m.Window.Frame.Second != nil {
		l.addMeasure(m.Window.Frame.Second)
	}
}

func (l *leafMeasureCollector) addMeasure(m *Measure) {
	if !l.measures[m] {
		l.measures[m] = true
		l.list = append(l.list, m)
	}
}

// TimeAxisField returns the metric's time axis: the one it declares, that of all its members, else the single primary
// time field among its datasets; nil when there is none or several.
func (m *Metric) TimeAxisField() *Field {
	members := m.MemberMetrics()
	if m.TimeAxis != nil || len(members) == 0 {
		return cmp.Or(m.TimeAxis, m.SinglePrimaryTimeField())
	}
	shared := members[0].TimeAxisField()
	for _, member := range members[1:] {
		if member.TimeAxisField() != shared {
			return nil
		}
	}
	for _, measure := range m.directMeasures() {
		if axis := cmp.Or(measure.Home.PrimaryTime, m.SinglePrimaryTimeField()); axis != shared {
			return nil
		}
	}
	return shared
}

// directMeasures lists the measures that the metric's default form holds beside other metrics.
func (m *Metric) directMeasures() (out []*Measure) {
	if m.Forms.Default == nil {
		return nil
	}
	for _, o := range m.Forms.Default.Operands {
		if measure, ok := o.(*Measure); ok {
			out = append(out, measure)
		}
	}
	return out
}

// SinglePrimaryTimeField returns the single primary time field among the metric's datasets; nil when
// there is none or several.
func (m *Metric) SinglePrimaryTimeField() *Field {
	var only *Field
	for _, d := range m.Datasets {
		switch {
		case d.PrimaryTime == nil:
		case only != nil:
			return nil
		default:
			only = d.PrimaryTime
		}
	}
	return only
}

// ConformedDimensions lists the dimensions that every measure under the metric reaches
// along safe edges, in document order: the dimensions by which all members of a compose can be
// grouped.
func (c *Catalog) ConformedDimensions(m *Metric) []*Field {
	var out []*Field
	for _, d := range c.ConformedDatasets(m) {
		for f := range c.FieldsOf(d) {
			if f.Err == nil && !f.IsNoDimension() {
				out = append(out, f)
			}
		}
	}
	return out
}

// ConformedDatasets lists the datasets that every measure under the metric
// reaches along safe edges, in document order.
func (c *Catalog) ConformedDatasets(m *Metric) []*Dataset {
	var shared bitset
	for i, home := range m.Datasets {
		set := c.graph.reach[home.ID]
		if set == nil {
			set = newBitset(len(c.Datasets))
			set.add(home.ID)
		}
		if i == 0 {
			shared = slices.Clone(set)
			continue
		}
		shared.intersect(set)
	}
	var out []*Dataset
	for i, d := range c.Datasets {
		if shared != nil && shared.has(i) {
			out = append(out, d)
		}
	}
	return out
}

// IsNoDimension reports whether the model declares that a field is not a dimension.
func (f *Field) IsNoDimension() bool { return f.IsDimension != nil && !*f.IsDimension }

// DimensionRoleAndSource reports whether the field is offered as a dimension, and the source of that:
// "declared", or "inferred" with the property that it was inferred from, if any
// (inferred:time, inferred:primary_key, inferred:measure).
func (f *Field) DimensionRoleAndSource() (dimension bool, source string) {
	switch {
	case f.IsDimension != nil:
		return *f.IsDimension, "declared"
	case f.Declared:
		return true, "declared"
	case f.IsTime:
		return true, "inferred:time"
	case slices.ContainsFunc(f.Dataset.PrimaryKey, f.MatchesColumnName):
		return false, "inferred:primary_key"
	case f.MeasuredBy != nil:
		return false, "inferred:measure"
	}
	return true, "inferred"
}

// MatchesColumnName reports whether the field stands for a column of this name: by its
// own name, or because its expression is that column.
func (f *Field) MatchesColumnName(name string) bool {
	name = strings.Trim(name, `"`)
	return slices.ContainsFunc(f.PossibleColumnNames(), func(column string) bool { return strings.EqualFold(column, name) })
}

// PossibleColumnNames lists the names of the columns that the field may stand for: its own name,
// and that of the column which its expression is.
func (f *Field) PossibleColumnNames() []string {
	if column, ok := f.Expr.Default.(*sqlexpr.Column); ok {
		return []string{f.Name, column.Path[len(column.Path)-1].Text}
	}
	return []string{f.Name}
}
