package compile

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/extension"
	"github.com/semlayer/semlayer/modelspec/limits"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// QueryMetric is a metric that a query adds to the model. Dataset and TimeDimension are "" where
// the query is silent; they mean what the keys of the extension mean.
type QueryMetric struct {
	Location                                 string // in the query, as metrics/0
	Name, Expression, Dataset, TimeDimension string
	At                                       *QueryLevel // nil: at the level of the query
	// JoinsTexts allows LISTAGG, whose text has no bound.
	JoinsTexts bool
}

func (c *compiler) addQueryMetric(q QueryMetric) *modelspec.CompileError {
	if known := c.findMetricByName(q.Name); known != nil {
		return queryPartError(CodeDuplicateOutputNameInQuery, q.Location+"/name", "", "there is a metric %s already", known.cat.Name)
	}
	m, err := c.parseQueryMetric(q)
	if err != nil {
		return err
	}
	home, err := c.resolveDeclaredHome(m)
	if err != nil {
		err.Code = CodeUnknownDataset
		return err
	}
	if q.At != nil {
		if m.cat.At, err = c.newAtLevel(*q.At, q.Location+"/at"); err != nil {
			return err
		}
	}
	if m.cat.Forms.Default, err = c.lowerMetricExpression(m, m.source.Default, home, &c.measures); err != nil {
		return restateErrorForQuery(err, q.Location)
	}
	m.markAsComposeMetric()
	if err := c.checkLevelDepth(m.cat); err != nil {
		return err
	}
	for _, member := range m.cat.MemberMetrics() {
		if member.Err != nil {
			return member.Err
		}
	}
	if err := c.findMetricHomesAndTimeAxis(m); err != nil {
		return restateErrorForQuery(err, q.Location)
	}
	setKindAndTypeOfMetric(m.cat)
	c.cat.AddMetric(m.cat)
	c.byMetric[foldCase(q.Name)] = m
	return nil
}

func (c *compiler) parseQueryMetric(q QueryMetric) (*metricInProgress, *modelspec.CompileError) {
	location := q.Location + "/expression"
	expr, err := parseMetricQueryExpression(q.Expression, location, functionNamesAllowedInMetrics)
	if err != nil {
		return nil, err
	}
	if !q.JoinsTexts {
		if err := refuseListaggInQuery(expr, location); err != nil {
			return nil, err
		}
	}
	if err := c.refuseUnknownMetricNames(expr, location); err != nil {
		return nil, err
	}
	bytes, err := c.estimateTextFunctionCost(expr, nil, location)
	if err != nil {
		return nil, err
	}
	place := modelspec.Place{Location: q.Location}
	m := &metricInProgress{
		doc:    &modelspec.Metric{Place: place},
		cat:    &catalog.Metric{Name: q.Name, TextBytes: bytes},
		source: catalog.DialectVariants[parsedDialectEntry]{Default: newDialectEntryOfQueryExpression(expr, q.Expression)},
	}
	if q.Dataset != "" {
		m.ext.Dataset = extension.ObjectRef{Name: q.Dataset, Place: modelspec.Place{Location: q.Location + "/dataset"}}
	}
	if q.TimeDimension != "" {
		m.ext.TimeDimension = extension.ObjectRef{Name: q.TimeDimension, Place: modelspec.Place{Location: q.Location + "/time_dimension"}}
	}
	return m, nil
}

// refuseUnknownMetricNames rejects a bare name outside an aggregate that is not the name of a metric.
func (c *compiler) refuseUnknownMetricNames(expr sqlexpr.Expr, location string) *modelspec.CompileError {
	var failure *modelspec.CompileError
	sqlexpr.Walk(expr, func(e sqlexpr.Expr) bool {
		switch e := e.(type) {
		case *sqlexpr.Subquery, *sqlexpr.WindowCall:
			return false // which lowering rejects
		case *sqlexpr.Call:
			return failure == nil && sqlexpr.InfoOfFunction(e.Fn).Class == sqlexpr.ClassScalar
		case *sqlexpr.Column:
			name := e.Path[0]
			if len(e.Path) > 1 || failure != nil {
				break
			}
			if m := c.findMetricByName(name.Text); m != nil && (!name.Quoted || m.cat.Name == name.Text) {
				break
			}
			failure = c.unknownMetricError(name.Text, location)
		}
		return failure == nil
	})
	return failure
}

func (c *compiler) unknownMetricError(name, location string) *modelspec.CompileError {
	failure := queryPartError(CodeUnknownMetricInQuery, location, "", "%q is not a metric; a field must be inside an aggregate", shortenText(name))
	if len(c.fieldsOfBareName(name)) > 0 {
		failure.Hint = "aggregate the field: SUM(" + shortenText(name) + "), MIN(…), …"
	}
	failure.Candidates = c.nearestCandidates(name, c.metricNames)
	return failure
}

// findMetricHomesAndTimeAxis finds the homes and the time axis of a metric whose members have theirs.
func (c *compiler) findMetricHomesAndTimeAxis(m *metricInProgress) *modelspec.CompileError {
	for _, o := range m.cat.Forms.Default.Operands {
		switch o := o.(type) {
		case *catalog.Measure:
			m.cat.Datasets = appendUnique(m.cat.Datasets, o.Home)
		case *catalog.Metric:
			for _, d := range o.Datasets {
				m.cat.Datasets = appendUnique(m.cat.Datasets, d)
			}
		}
	}
	slices.SortFunc(m.cat.Datasets, func(a, b *catalog.Dataset) int { return a.ID - b.ID })
	if n := len(m.cat.Datasets); n > limits.MetricDatasets {
		return metricDatasetLimitError(m, n)
	}
	ref := m.ext.TimeDimension
	if !ref.IsSet() {
		return nil
	}
	axis, err := c.resolveTimeAxis(m)
	if err != nil {
		err.Code = CodeUnknownDimensionInQuery
		return err
	}
	if !slices.ContainsFunc(m.cat.Datasets, func(d *catalog.Dataset) bool { return c.cat.ReachesSafely(d, axis.Dataset) }) {
		return queryPartError(CodeBadRequest, ref.Location, "", "no row that the metric aggregates has one %s", axis.QualifiedName())
	}
	m.cat.TimeAxis = axis
	return nil
}
