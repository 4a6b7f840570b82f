package engine

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/importer"
	"github.com/semlayer/semlayer/modelspec/importer/cube"
	"github.com/semlayer/semlayer/modelspec/importer/lookml"
	"github.com/semlayer/semlayer/modelspec/importer/metricflow"
	"github.com/semlayer/semlayer/modelspec/importer/ossie"
	"github.com/semlayer/semlayer/modelspec/importer/snowflake"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/query"
	"github.com/semlayer/semlayer/sqlemit"
)

// importFormat is a package that reads the model of another tool.
type importFormat struct {
	name    string
	dialect string // the only one of its SQL, "" where the input may be for any
	read    func([]importer.SourceFile, importer.Options) (*importer.ImportedModel, error)
	// finish imports a format whose documents are models; it is nil where read makes one.
	finish func(context.Context, []importer.SourceFile, importer.Options, importer.PlanCheckFunc) (*importer.Result, error)
}

// importFormats are the models of other tools that Import reads.
var importFormats = []importFormat{
	{name: "metricflow", read: metricflow.Read},
	{name: "snowflake", dialect: "snowflake", read: snowflake.Read},
	{name: "cube", read: cube.Read},
	{name: "lookml", read: lookml.Read},
	{name: "ossie", finish: ossie.Import},
}

// ImportFormats lists the formats that Import reads.
func ImportFormats() []string {
	var names []string
	for _, f := range importFormats {
		names = append(names, f.name)
	}
	return names
}

// ImportDialect returns the canonical name of the dialect of the SQL in files of a format, "" where none is named. It is an error if
// there is no such dialect, or the format has another.
func ImportDialect(format, name string) (string, error) {
	if name == "" {
		return "", nil
	}
	d, known := sqlemit.LookupDialect(name)
	if !known {
		return "", fmt.Errorf("%q is not a dialect: %s", name, strings.Join(sqlemit.DialectNames(), ", "))
	}
	for _, f := range importFormats {
		if f.name == format && f.dialect != "" && f.dialect != d.Name() {
			return "", fmt.Errorf("the SQL of %s is in the dialect %s, not %s", format, f.dialect, d.Name())
		}
	}
	return d.Name(), nil
}

// Import makes a model from the files of another tool. All of it compiles: an object that
// does not is dropped, and its entry has the reason. The error has the file and line of an
// input that cannot be read.
func Import(ctx context.Context, format string, sources []importer.SourceFile, options importer.Options) (*importer.Result, error) {
	i := slices.IndexFunc(importFormats, func(f importFormat) bool { return f.name == format })
	if i < 0 {
		return nil, fmt.Errorf("%q is not a format of models: %s", format, strings.Join(ImportFormats(), ", "))
	}
	if err := importer.CheckSourceSizes(sources); err != nil {
		return nil, err
	}
	var err error
	if options.Dialect, err = ImportDialect(format, options.Dialect); err != nil {
		return nil, err
	}
	if finish := importFormats[i].finish; finish != nil {
		return finish(ctx, sources, options, func(ctx context.Context, model []byte) (map[string]string, error) {
			return unplannableReasonsByPath(ctx, model, embeddedDialect)
		})
	}
	imported, err := importFormats[i].read(sources, options)
	if err != nil {
		return nil, err
	}
	dialect := imported.Dialect
	if dialect == "" {
		dialect = embeddedDialect
	}
	return importer.FinishImport(ctx, imported, func(ctx context.Context, model []byte) (map[string]string, error) {
		return unplannableReasonsByPath(ctx, model, dialect)
	})
}

// unplannableReasonsByPath returns the reasons of the metrics that no query can have and of the saved
// queries that do not plan, by their path. A metric is queried by itself, and by the grains of
// its time axis, which a window needs.
func unplannableReasonsByPath(ctx context.Context, model []byte, dialect string) (map[string]string, error) {
	e, err := Open(ctx, Config{ModelText: model})
	if err != nil {
		return nil, err
	}
	reasons := map[string]string{}
	for _, m := range e.cat.Metrics {
		if err := e.compileMetricWithAnyGrain(ctx, m, dialect); err != nil {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			reasons[importer.MetricPath(m.Name)] = err.Error()
		}
	}
	for _, q := range e.cat.Saved {
		if _, err := e.compileToSQL(ctx, &query.MetricQuery{Saved: q.Name, Dialect: dialect}); err != nil {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			reasons[importer.SavedQueryPath(q.Name)] = err.Error()
		}
	}
	return reasons, e.Close()
}

// compileMetricWithAnyGrain compiles a query of one metric, by the groups that its windows need. The error is that of the query without a
// time.
func (e *Engine) compileMetricWithAnyGrain(ctx context.Context, m *catalog.Metric, dialect string) error {
	var required []query.GroupBy
	for _, f := range m.RequiredGroupByFields(dialect) {
		required = append(required, query.GroupBy{Field: f.QualifiedName()})
	}
	var first error
	for _, grain := range append([]string{""}, sqlexpr.GrainNames()...) {
		q := &query.MetricQuery{Metrics: []string{m.Name}, GroupBy: required, Dialect: dialect}
		if grain != "" {
			q.GroupBy = slices.Concat(required, []query.GroupBy{{Field: "metric_time", Grain: grain}})
		}
		_, err := e.compileToSQL(ctx, q)
		if err == nil {
			return nil
		}
		if first == nil {
			first = err
		}
	}
	return first
}
