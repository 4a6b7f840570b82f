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
	project *projectImport
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

// readSavedQuery reads a saved query. Its metrics are known later.
func (p *projectImport) readSavedQuery(n *importer.Node) {
	if p.recordIfDisabled(n, "saved_query") {
		return
	}
	name := n.Get("name").String()
	o := p.report.ReadObject(n, "saved_query", name)
	if o == nil {
		return
	}
	defer o.Close()
	description, context := readDescriptionAndContext(o, name)
	q := &savedQuery{project: p, node: n, query: &draft.SavedQuery{Name: o.GetText("name"), Description: description, Synonyms: context.Synonyms}}
	if len(context.Other) > 0 {
		p.report.AddDropped(n, "saved_query key", name+".meta", "a saved query has no further keys")
	}
	for _, export := range o.GetList("exports") {
		p.report.AddDropped(export, "export", name+"."+export.Get("name").String(), "a service answers queries and writes no tables")
	}
	if tags := o.Get("tags"); tags != nil && (tags.Kind != importer.KindList || len(tags.Items) > 0) {
		o.RecordDroppedKey("tags", "it has no counterpart")
	}
	o.RecordDroppedKey("cache", "rows are not kept")
	if params := o.Get("query_params"); params != nil {
		if c := o.ReadChild(params, "query_params"); c != nil {
			q.metrics, q.groupBy, q.orderBy = textOfEachNode(c.GetList("metrics")), textOfEachNode(c.GetList("group_by")), textOfEachNode(c.GetList("order_by"))
			q.where, q.limit = filterTexts(c.Get("where")), c.GetText("limit")
			c.Close()
		}
	}
	p.savedQueries = append(p.savedQueries, q)
}

func textOfEachNode(list []*importer.Node) []string {
	var out []string
	for _, n := range list {
		out = append(out, n.String())
	}
	return out
}

// addSavedQueries adds the saved queries, after the metrics.
func (p *projectImport) addSavedQueries() {
	for _, q := range p.savedQueries {
		if err := q.buildQuery(); err != nil {
			p.report.AddDropped(q.node, "saved_query", q.query.Name, err.Error())
			continue
		}
		p.model.Queries = append(p.model.Queries, q.query)
		path := importer.SavedQueryPath(q.query.Name)
		switch {
		case len(q.lossy) > 0:
			p.report.AddApproximated(q.node, "saved_query", q.query.Name, "its metrics are approximated: "+strings.Join(q.lossy, ", "), path)
		case q.windows && q.query.Query.Where != "":
			p.report.AddApproximated(q.node, "saved_query", q.query.Name, "its condition also holds for the other periods of a window", path)
		case q.query.Query.Limit > 0 && len(q.query.Query.OrderBy) > 0:
			p.report.AddApproximated(q.node, "saved_query", q.query.Name, "nulls come last before the limit; in MetricFlow the warehouse orders them", path)
		default:
			p.report.AddExact(q.node, "saved_query", q.query.Name, path)
		}
	}
}

var queryNamePattern = regexp.MustCompile(`^[A-Za-z0-9_-]+$`)

func (q *savedQuery) buildQuery() error {
	switch {
	case !queryNamePattern.MatchString(q.query.Name):
		return errors.New("its name is not one of letters, digits, _ and -")
	case q.project.queryNames.IsTaken(q.query.Name):
		return errors.New("another saved query has the same name")
	case len(q.metrics) == 0:
		return errors.New("it has no metrics, and a list of values is not a query of metrics")
	}
	out := &q.query.Query
	for _, name := range q.metrics {
		x := q.project.metrics[name]
		if x == nil || x.state != metricStateAdded {
			return fmt.Errorf("its metric %s is not imported", name)
		}
		if len(x.losses) > 0 {
			q.lossy = append(q.lossy, x.name)
		}
		q.collectMeasures(x, map[string]bool{})
		out.Metrics = append(out.Metrics, x.became)
	}
	for _, text := range q.groupBy {
		column, err := q.groupByColumn(text)
		if err != nil {
			return err
		}
		out.GroupBy = append(out.GroupBy, column)
	}
	for _, text := range q.orderBy {
		order, err := q.orderByColumn(text)
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
	if out.Where, err = combineFiltersWithAnd(q, q.where); err != nil {
		return err
	}
	q.project.queryNames.ReserveFirstUnusedName(q.query.Name, q.query.Name)
	return nil
}

// collectMeasures collects the measures of a metric, those of the metrics that it is made of included.
func (q *savedQuery) collectMeasures(x *metric, seen map[string]bool) {
	if x == nil || seen[x.name] {
		return
	}
	seen[x.name] = true
	q.windows = q.windows || x.kind == "cumulative"
	inputs := x.inputs
	if c := x.conversion; c != nil && c.opportunities != nil && !slices.Contains(q.measures, c.opportunities) {
		q.measures = append(q.measures, c.opportunities) // conversions have the groups and the times of the base
	}
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
		q.collectMeasures(q.project.metrics[in.name], seen)
	}
}

// groupByColumn returns a field that the query groups by, in a column of MetricFlow's name.
func (q *savedQuery) groupByColumn(text string) (draft.GroupBy, error) {
	r, err := q.parseGroupBy(text)
	if err != nil {
		return draft.GroupBy{}, err
	}
	if r.isEntity {
		field, err := q.fieldOfEntityPath(r.path)
		return draft.GroupBy{Field: field, Name: r.path}, err
	}
	if r.path == "metric_time" {
		grain := r.grain
		for _, x := range q.measures {
			e := x.model.findDimension(x.timeDimension())
			if e == nil {
				return draft.GroupBy{}, errors.New("a measure of its metrics has no time dimension")
			}
			if r.grain == "" {
				grain = coarserGrain(grain, e.granularity)
			}
		}
		return newTimeGroupBy(r.path, r.path, grain)
	}
	model, e, err := q.findDimension(r.path)
	if err != nil {
		return draft.GroupBy{}, err
	}
	field := sqlexpr.FormatPath(model.dataset.Name, e.name)
	if e.kind == "time" {
		if r.grain == "" {
			r.grain = e.granularity
		}
		if e.granularity != "" && isFinerGrain(r.grain, e.granularity) {
			return draft.GroupBy{}, fmt.Errorf("it groups by %s by %s, which is finer than its granularity", r.path, r.grain)
		}
		return newTimeGroupBy(r.path, field, r.grain)
	}
	if r.grain != "" {
		return draft.GroupBy{}, fmt.Errorf("it gives %s a granularity, and it is not a time dimension", r.path)
	}
	return draft.GroupBy{Field: field, Name: r.path}, nil
}

func newTimeGroupBy(path, field, grain string) (draft.GroupBy, error) {
	if _, ok := sqlexpr.ParseGrain(grain); !ok {
		return draft.GroupBy{}, fmt.Errorf("it groups by %s without a granularity of a second or coarser", path)
	}
	return draft.GroupBy{Field: field, Grain: grain, Name: path + "__" + grain}, nil
}

// coarserGrain returns the coarser of two granularities.
func coarserGrain(a, b string) string {
	if isFinerGrain(a, b) {
		return b
	}
	return a
}

func isFinerGrain(a, b string) bool {
	fine, _ := sqlexpr.ParseGrain(a)
	coarse, _ := sqlexpr.ParseGrain(b)
	return fine < coarse
}

// parseGroupBy reads an item of group_by.
func (q *savedQuery) parseGroupBy(text string) (elementReference, error) {
	c, ok := parseTemplateCall(text)
	if !ok {
		return elementReference{}, fmt.Errorf("%q is not Dimension('…'), TimeDimension('…') or Entity('…')", text)
	}
	return c.toElementReference(text)
}

// orderByColumn returns a column of the result: a metric or a reference of group_by.
func (q *savedQuery) orderByColumn(text string) (draft.OrderBy, error) {
	c, ok := parseTemplateCall(text)
	if !ok || len(c.args) == 0 {
		return draft.OrderBy{}, fmt.Errorf("the order %q is not a call with a name", text)
	}
	var out draft.OrderBy
	c.methods = slices.DeleteFunc(c.methods, func(m templateCall) bool {
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
	r, err := c.toElementReference(text)
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

// findDimension returns the dimension of an entity path.
func (q *savedQuery) findDimension(path string) (*semanticModel, *entityOrDimension, error) {
	entity, name, qualified := cutAtLastDoubleUnderscore(path)
	if !qualified {
		return nil, nil, fmt.Errorf("it names the dimension %s without an entity", path)
	}
	if strings.Contains(entity, "__") {
		return nil, nil, fmt.Errorf("it names %s, a path over several entities", path)
	}
	var model *semanticModel
	var found *entityOrDimension
	for _, m := range q.project.semanticModels {
		if e := m.findDimension(name); e != nil && m.hasEntityAsKey(entity) {
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

// singleSemanticModel returns the semantic model of all of its measures, nil where there are several.
func (q *savedQuery) singleSemanticModel() *semanticModel {
	var model *semanticModel
	for _, x := range q.measures {
		if model != nil && model != x.model {
			return nil
		}
		model = x.model
	}
	return model
}

func (q *savedQuery) fieldOfDimensionPath(path, grain string) (string, error) {
	if path == "metric_time" {
		axis := ""
		for i, x := range q.measures {
			if i > 0 && x.timeDimension() != axis {
				return "", errors.New("it has a condition on metric_time, and its metrics have several time dimensions")
			}
			axis = x.timeDimension()
		}
		model := q.singleSemanticModel()
		if model == nil || model.findDimension(axis) == nil {
			return "", errors.New("it has a condition on metric_time, and its metrics have no time dimension")
		}
		return fieldSQLTruncatedToGrain(model.dataset.Name, model.findDimension(axis), path, grain)
	}
	model, e, err := q.findDimension(path)
	if err != nil {
		return "", err
	}
	return fieldSQLTruncatedToGrain(model.dataset.Name, e, path, grain)
}

// fieldOfEntityPath returns the column of an entity in the table of all measures: another table has no row
// for a value without a match.
func (q *savedQuery) fieldOfEntityPath(path string) (string, error) {
	model := q.singleSemanticModel()
	if model != nil {
		for _, e := range model.entities {
			if e.name == path && e.field.Name != "" {
				return sqlexpr.FormatPath(model.dataset.Name, e.name), nil
			}
		}
	}
	return "", fmt.Errorf("it names the entity %s, which is not one of the table of all its measures", path)
}

func (q *savedQuery) canConditionNameDataset(dataset string) bool {
	return slices.ContainsFunc(q.project.semanticModels, func(m *semanticModel) bool { return m.dataset.Name == dataset })
}
