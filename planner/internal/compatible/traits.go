package compatible

import (
	"fmt"
	"strconv"
	"strings"
	"sync"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/metric"
)

// ModelTraits are what the lists and planning read of the metrics and fields of a model. They are found once for each dialect and
// shared by requests.
type ModelTraits struct {
	byDialect sync.Map // of func() *traitsOfAllObjects
}

// traitsOfAllObjects are the facts of all objects of a model.
type traitsOfAllObjects struct {
	metrics []metricTraits // by ID
	fields  []fieldTraits  // by ID; of dimensions alone
	// dimensions are the fields of each dataset that queries may group by, by ID of the dataset.
	dimensions [][]*catalog.Field
}

// fieldTraits are what the lists say of a field.
type fieldTraits struct {
	name    string   // with the dataset
	units   []string // "" alone for a field without grains
	isPlain bool     // a column of its dataset
	// kind is the number, from 1, of what planning reads of the field for every query: plain fields of one kind differ in
	// their names and datasets alone.
	kind int
}

// fieldPlanningTraits is what planning reads of a plain field for every query.
type fieldPlanningTraits struct {
	typ     sqlexpr.Type
	isTime  bool
	grain   sqlexpr.Grain
	encoded string
	primary bool   // the primary time of its dataset
	units   string // those that the lists try
}

func planningTraitsOfField(field *catalog.Field, units []string) fieldPlanningTraits {
	k := fieldPlanningTraits{
		typ: field.Type, isTime: field.AllowsTimeGrains(), grain: field.StoredGrain(), primary: field == field.Dataset.PrimaryTime,
		units: strings.Join(units, " "),
	}
	if field.Encoding != nil {
		k.encoded = field.Encoding.Text
	}
	return k
}

// metricTraits are what planning reads of a metric for every query.
type metricTraits struct {
	isPlain bool // arithmetic of plain aggregates
	homes   []metric.HomeDataset
	axes    []*catalog.Field // by measure; nil where a measure has none
	// form holds the expression and the measures, with the homes by their position. Plain metrics of one form differ in
	// their homes alone.
	form string
	// windowUsesField: it can name a field in its window.
	namesInWindow bool
	// isAlone: an axis is not a plain column, a home is a calendar, or the metric declares its grains, so that it is planned
	// like no other.
	isAlone bool
}

// traitsOfCatalog returns the facts of a model.
func (t *ModelTraits) traitsOfCatalog(cat *catalog.Catalog, dialect string) *traitsOfAllObjects {
	find, ok := t.byDialect.Load(dialect)
	if !ok {
		find, _ = t.byDialect.LoadOrStore(dialect, sync.OnceValue(func() *traitsOfAllObjects { return findObjectTraits(cat, dialect) }))
	}
	return find.(func() *traitsOfAllObjects)()
}

func findObjectTraits(cat *catalog.Catalog, dialect string) *traitsOfAllObjects {
	model, forms := modelClassifier{cat, dialect}, map[string]string{}
	out := &traitsOfAllObjects{
		metrics: make([]metricTraits, len(cat.Metrics)), fields: make([]fieldTraits, len(cat.Fields)), dimensions: make([][]*catalog.Field, len(cat.Datasets)),
	}
	for i, m := range cat.Metrics {
		out.metrics[i] = model.findMetricTraits(m, forms)
	}
	kinds := map[fieldPlanningTraits]int{}
	for _, field := range cat.Fields {
		if field.ErrorForDialect(dialect) == nil && !field.IsNoDimension() {
			units := grainNamesOf(cat, field)
			kind := planningTraitsOfField(field, units)
			if kinds[kind] == 0 {
				kinds[kind] = len(kinds) + 1
			}
			out.fields[field.ID] = fieldTraits{field.QualifiedName(), units, model.isPlainColumn(field), kinds[kind]}
			out.dimensions[field.Dataset.ID] = append(out.dimensions[field.Dataset.ID], field)
		}
	}
	return out
}

// findMetricTraits finds the facts of a metric. forms are the numbers of the forms so far.
func (c modelClassifier) findMetricTraits(m *catalog.Metric, forms map[string]string) metricTraits {
	reach, isPlain := c.inputsOfPlainMetric(m, nil)
	out := metricTraits{isPlain: isPlain, homes: reach.Homes, axes: reach.Axes, namesInWindow: mayWindowReferenceFields(m, c.dialect)}
	if !isPlain {
		return out
	}
	var b strings.Builder
	out.isAlone = len(m.Grains) > 0
	for _, h := range reach.Homes {
		b.WriteString("home" + strconv.FormatBool(h.DuplicateSensitive))
		if axis := h.Dataset.PrimaryTime; axis != nil {
			b.WriteString(" " + axis.Type.String() + axis.StoredGrain().String())
			out.isAlone = out.isAlone || !c.isPlainColumn(axis)
			if axis.Encoding != nil {
				b.WriteString(axis.Encoding.Text)
			}
		}
		out.isAlone = out.isAlone || h.Dataset.Calendar != nil
	}
	form := m.Forms.ForDialect(c.dialect)
	b.WriteString(sqlexpr.Format(form.Expr))
	for _, o := range form.Operands {
		measure := o.(*catalog.Measure)
		b.WriteString("; " + strconv.Itoa(homeIndex(reach.Homes, measure.Home)) + " " + strconv.Itoa(int(measure.Agg)) + " " +
			measure.Type.String() + strconv.FormatBool(measure.Arg == nil))
		if measure.Options != (catalog.AggOptions{}) {
			fmt.Fprintf(&b, " %v", measure.Options)
		}
		if r, ok := measure.Arg.(*sqlexpr.Ref); ok {
			b.WriteString(" " + c.extended.FieldByID(r.ID).Type.String())
		}
	}
	b.WriteString(m.Fill)
	number, known := forms[b.String()]
	if !known {
		number = "form " + strconv.Itoa(len(forms))
		forms[b.String()] = number
	}
	out.form = number
	return out
}

func homeIndex(homes []metric.HomeDataset, d *catalog.Dataset) int {
	for i, h := range homes {
		if h.Dataset == d {
			return i
		}
	}
	return -1
}
