package metricflow

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/semlayer/semlayer/modelspec/draft"
	"github.com/semlayer/semlayer/modelspec/importer"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// savedQuery is one saved query of a file.
type savedQuery struct {
	project *project
	node    *importer.Node
	query   *draft.SavedQuery
	metrics []string
	groupBy []string
	where   []string
	orderBy []string
	limit   string

	measures []*measure // that its metrics aggregate
	lossy    []string   // metrics that are approximated
	windows  bool       // a metric looks at rows of other periods
}

// addSavedQuery reads a saved query. Its metrics are known later.
func (p *project) addSavedQuery(n *importer.Node) {
	if p.disabled(n, "saved_query") {
		return
	}
	name := n.Get("name").String()
	o := p.report.Object(n, "saved_query", name)
	if o == nil {
		return
	}
	defer o.Close()
	description, context := meta(o, name)
	q := &savedQuery{project: p, node: n, query: &draft.SavedQuery{Name: o.Text("name"), Description: description, Synonyms: context.Synonyms}}
	if len(context.Other) > 0 {
		p.report.Dropped(n, "saved_query key", name+".meta", "a saved query has no further keys")
	}
	for _, export := range o.List("exports") {
		p.report.Dropped(export, "export", name+"."+export.Get("name").String(), "a service answers queries and writes no tables")
	}
	if tags := o.Get("tags"); tags != nil && (tags.Kind != importer.List || len(tags.Items) > 0) {
		o.Drop("tags", "it has no counterpart")
	}
	o.Drop("cache", "rows are not kept")
	if params := o.Get("query_params"); params != nil {
		if c := o.Child(params, "query_params"); c != nil {
			q.metrics, q.groupBy, q.orderBy = texts(c.List("metrics")), texts(c.List("group_by")), texts(c.List("order_by"))
			q.where, q.limit = filterTexts(c.Get("where")), c.Text("limit")
			c.Close()
		}
	}
	p.savedQueries = append(p.savedQueries, q)
}

func texts(list []*importer.Node) []string {
	var out []string
	for _, n := range list {
		out = append(out, n.String())
	}
	return out
}

// addQueries adds the saved queries, after the metrics.
func (p *project) addQueries() {
	for _, q := range p.savedQueries {
		if err := q.build(); err != nil {
			p.report.Dropped(q.node, "saved_query", q.query.Name, err.Error())
			continue
		}
		p.model.Queries = append(p.model.Queries, q.query)
		path := importer.QueryPath(q.query.Name)
		switch {
		case len(q.lossy) > 0:
			p.report.Approximated(q.node, "saved_query", q.query.Name, "its metrics are approximated: "+strings.Join(q.lossy, ", "), path)
		case q.windows && q.query.Query.Where != "":
			p.report.Approximated(q.node, "saved_query", q.query.Name, "its condition also holds for the other periods of a window", path)
		case q.query.Query.Limit > 0 && len(q.query.Query.OrderBy) > 0:
			p.report.Approximated(q.node, "saved_query", q.query.Name, "nulls come last before the limit; in MetricFlow the warehouse orders them", path)
		default:
			p.report.Exact(q.node, "saved_query", q.query.Name, path)
		}
	}
}

var queryName = regexp.MustCompile(`^[A-Za-z0-9_-]+$`)

func (q *savedQuery) build() error {
	switch {
	case !queryName.MatchString(q.query.Name):
		return errors.New("its name is not one of letters, digits, _ and -")
	case q.project.queryNames.Has(q.query.Name):
		return errors.New("another saved query has the name")
	case len(q.metrics) == 0:
		return errors.New("it has no metrics, and a list of values is not a query of metrics")
	}
	out := &q.query.Query
	for _, name := range q.metrics {
		x := q.project.metrics[name]
		if x == nil || x.state != added {
			return fmt.Errorf("its metric %s is not imported", name)
		}
		if len(x.losses) > 0 {
			q.lossy = append(q.lossy, x.name)
		}
		q.read(x, map[string]bool{})
		out.Metrics = append(out.Metrics, x.became)
	}
	for _, text := range q.groupBy {
		column, err := q.column(text)
		if err != nil {
			return err
		}
		out.GroupBy = append(out.GroupBy, column)
	}
	for _, text := range q.orderBy {
		order, err := q.order(text)
		if err != nil {
			return err
		}
		out.OrderBy = append(out.OrderBy, order)
	}
	if q.limit != "" {
		limit, err := strconv.Atoi(q.limit)
		if err != nil || limit < 1 {
			return fmt.Errorf("its limit %q is not a number of rows", q.limit)
		}
		out.Limit = limit
	}
	var err error
	if out.Where, err = condition(q, q.where); err != nil {
		return err
	}
	q.project.queryNames.Take(q.query.Name, q.query.Name)
	return nil
}

// read collects the measures of a metric, those of the metrics that it is made of included.
func (q *savedQuery) read(x *metric, seen map[string]bool) {
	if x == nil || seen[x.name] {
		return
	}
	seen[x.name] = true
	q.windows = q.windows || x.kind == "cumulative"
	inputs := x.inputs
	if x.measure != nil {
		of := x.own
		if of == nil {
			of = q.project.measures[x.measure.name]
		}
		if of == nil {
			inputs = append(inputs[:len(inputs):len(inputs)], x.measure)
		} else if !slices.Contains(q.measures, of) {
			q.measures = append(q.measures, of)
		}
	}
	for _, in := range inputs {
		q.windows = q.windows || in.offsetWindow != ""
		q.read(q.project.metrics[in.name], seen)
	}
}

// column is a field that the query groups by, in a column of MetricFlow's name.
func (q *savedQuery) column(text string) (draft.GroupBy, error) {
	r, err := q.reference(text)
	if err != nil {
		return draft.GroupBy{}, err
	}
	if r.isEntity {
		field, err := q.entity(r.path)
		return draft.GroupBy{Field: field, Name: r.path}, err
	}
	if r.path == "metric_time" {
		grain := r.grain
		for _, x := range q.measures {
			e := x.model.dimensionOf(x.timeDimension())
			if e == nil {
				return draft.GroupBy{}, errors.New("a measure of its metrics has no time dimension")
			}
			if r.grain == "" {
				grain = coarser(grain, e.granularity)
			}
		}
		return timeColumn(r.path, r.path, grain)
	}
	model, e, err := q.find(r.path)
	if err != nil {
		return draft.GroupBy{}, err
	}
	field := sqlexpr.FormatPath(model.dataset.Name, e.name)
	if e.kind == "time" {
		if r.grain == "" {
			r.grain = e.granularity
		}
		return timeColumn(r.path, field, r.grain)
	}
	if r.grain != "" {
		return draft.GroupBy{}, fmt.Errorf("it gives %s a granularity, and it is not a time dimension", r.path)
	}
	return draft.GroupBy{Field: field, Name: r.path}, nil
}

func timeColumn(path, field, grain string) (draft.GroupBy, error) {
	if !slices.Contains(grains, grain) {
		return draft.GroupBy{}, fmt.Errorf("it groups by %s without a granularity of a day or coarser", path)
	}
	return draft.GroupBy{Field: field, Grain: grain, Name: path + "__" + grain}, nil
}

// coarser is the coarser of two granularities.
func coarser(a, b string) string {
	if slices.Index(grains, a) < slices.Index(grains, b) {
		return b
	}
	return a
}

// reference reads an item of group_by.
func (q *savedQuery) reference(text string) (reference, error) {
	c, ok := parseCall(text)
	if !ok {
		return reference{}, fmt.Errorf("%q is not Dimension('…'), TimeDimension('…') or Entity('…')", text)
	}
	return c.reference(text)
}

// order is a column of the result: a metric or a reference of group_by.
func (q *savedQuery) order(text string) (draft.OrderBy, error) {
	c, ok := parseCall(text)
	if !ok || len(c.args) == 0 {
		return draft.OrderBy{}, fmt.Errorf("the order %q is not a call with a name", text)
	}
	var out draft.OrderBy
	c.methods = slices.DeleteFunc(c.methods, func(m call) bool {
		if m.name != "descending" || len(m.args) != 1 {
			return false
		}
		out.Descending = m.args[0] == "True"
		return true
	})
	if c.name == "Metric" && len(c.methods) == 0 {
		i := slices.Index(q.metrics, c.args[0])
		if i < 0 {
			return out, fmt.Errorf("it is ordered by the metric %s, which it does not have", c.args[0])
		}
		out.Key = q.query.Query.Metrics[i]
		return out, nil
	}
	r, err := c.reference(text)
	if err != nil {
		return out, err
	}
	for _, g := range q.query.Query.GroupBy {
		if g.Name == r.path || g.Name == r.path+"__"+r.grain || r.grain == "" && g.Name == r.path+"__"+g.Grain {
			out.Key = g.Name
			return out, nil
		}
	}
	return out, fmt.Errorf("it is ordered by %s, by which it does not group", r.path)
}

// find is the dimension of an entity path.
func (q *savedQuery) find(path string) (*semanticModel, *element, error) {
	entity, name, qualified := cutLast(path)
	if !qualified {
		return nil, nil, fmt.Errorf("it names the dimension %s without an entity", path)
	}
	if strings.Contains(entity, "__") {
		return nil, nil, fmt.Errorf("it names %s, a path over several entities", path)
	}
	var model *semanticModel
	var found *element
	for _, m := range q.project.semanticModels {
		if e := m.dimensionOf(name); e != nil && m.owns(entity) {
			if found != nil {
				return nil, nil, fmt.Errorf("it names %s, which several semantic models have", path)
			}
			model, found = m, e
		}
	}
	if found == nil {
		return nil, nil, fmt.Errorf("it names the dimension %s, which is not imported", path)
	}
	return model, found, nil
}

// own is the semantic model of all of its measures, nil where there are several.
func (q *savedQuery) own() *semanticModel {
	var model *semanticModel
	for _, x := range q.measures {
		if model != nil && model != x.model {
			return nil
		}
		model = x.model
	}
	return model
}

func (q *savedQuery) dimension(path, grain string) (string, error) {
	if path == "metric_time" {
		axis := ""
		for i, x := range q.measures {
			if i > 0 && x.timeDimension() != axis {
				return "", errors.New("it has a condition on metric_time, and its metrics have several time dimensions")
			}
			axis = x.timeDimension()
		}
		model := q.own()
		if model == nil || model.dimensionOf(axis) == nil {
			return "", errors.New("it has a condition on metric_time, and its metrics have no time dimension")
		}
		return model.period(model.dimensionOf(axis), path, grain)
	}
	model, e, err := q.find(path)
	if err != nil {
		return "", err
	}
	return model.period(e, path, grain)
}

// entity is the column of an entity in the table of all measures: another table has no row
// for a value without a match.
func (q *savedQuery) entity(path string) (string, error) {
	model := q.own()
	if model != nil {
		for _, e := range model.entities {
			if e.name == path && e.field.Name != "" {
				return sqlexpr.FormatPath(model.dataset.Name, e.name), nil
			}
		}
	}
	return "", fmt.Errorf("it names the entity %s, which is not one of the table of all its measures", path)
}

func (q *savedQuery) holds(dataset string) bool {
	return slices.ContainsFunc(q.project.semanticModels, func(m *semanticModel) bool { return m.dataset.Name == dataset })
}
