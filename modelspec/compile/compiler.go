package compile

import (
	"context"
	"strings"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/extension"
	"github.com/semlayer/semlayer/modelspec/internal/cancel"
	"github.com/semlayer/semlayer/modelspec/suggest"
)

// Options are the settings of a compilation.
type Options struct {
	// Basic ignores the vendor extension and warns of every payload.
	Basic bool
	// Advice adds the warnings about fields whose role is left open, which are
	// for an author who validates a model.
	Advice bool
	// View is what a reader sees of the model; nil for an author, who sees all.
	View *View
}

// compilePhases in the order in which they run. Later ones rely on what earlier ones
// left in the catalog.
var compilePhases = []struct {
	name string
	run  func(*compiler)
}{
	{"datasets", (*compiler).addDatasets},
	{"payloads of datasets", (*compiler).readModelAndDatasetPayloads},
	{"parse fields", (*compiler).parseFields},
	{"expand fields", (*compiler).expandFields},
	{"time fields", (*compiler).markTimeFields},
	{"fields of sequences", (*compiler).addFieldsOfSequences},
	{"relationships", (*compiler).addRelationships},
	{"relationships of sequences", (*compiler).addRelationshipsOfSequences},
	{"join graph", (*compiler).indexCatalog},
	{"expand fields over several datasets", (*compiler).expandCrossDatasetFields},
	{"types", (*compiler).inferFieldTypes},
	{"levels of detail", (*compiler).lowerLODFields},
	{"sequences", (*compiler).resolveSequences},
	{"types of levels of detail", (*compiler).inferFieldTypes},
	{"calendars", (*compiler).addCalendars},
	{"metrics", (*compiler).addMetrics},
	{"derived metrics", (*compiler).resolveDeriveBlocks},
	{"windows", (*compiler).resolveWindows},
	{"names of measures", (*compiler).nameMeasures},
	{"rollups", (*compiler).addRollups},
	{"homes of metrics", (*compiler).findHomesOfMetrics},
	{"time axes", (*compiler).resolveMetricTimeAxes},
	{"references between metrics", (*compiler).checkMetricReferences},
	{"describe metrics", (*compiler).inferMetricKindsAndTypes},
	{"measured fields", (*compiler).markSummedOrAveragedFields},
	{"views", (*compiler).addViews},
	{"conformed dimensions", (*compiler).warnUngroupableMetrics},
	{"advice", (*compiler).adviseFieldRoles},
	{"clear what failed", (*compiler).discardPartialResults},
	{"diagnostics", (*compiler).storeSortedDiagnostics},
	{"index", (*compiler).indexCatalog},
}

// Compile lowers the document. It is meant for documents that Validate found
// valid. Of any other document it compiles the valid objects, and Catalog.Errors lists the
// errors of the rest.
//
// It checks ctx between objects. When ctx ends, the error is that of ctx and there is
// no catalog; there is no other error.
func Compile(ctx context.Context, doc *modelspec.Document, opts Options) (*catalog.Catalog, error) {
	c := &compiler{ctx: ctx, Options: opts, cat: &catalog.Catalog{}, warnings: doc.UnknownKeyWarnings(), measures: newUniqueMeasureTable(), ranking: suggest.NewRankingBudget(candidateRankingBudget), parsed: map[parseCacheKey]cachedParseResult{}}
	if c.model = doc.Model(); c.model == nil {
		c.model = &modelspec.SemanticModel{}
	}
	if err := doc.CheckSingleModel(); err != nil {
		c.addErrorOnce(err)
	}
	c.cat.Name, c.cat.Description, c.cat.AIContext = c.model.Name.Value, c.model.Description, c.model.AIContext
	for _, p := range compilePhases {
		p.run(c)
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	return c.cat, nil
}

// compiler is the state that the phases share.
type compiler struct {
	Options
	ctx   context.Context // of the one call of Compile
	model *modelspec.SemanticModel
	cat   *catalog.Catalog

	datasets  []*datasetInProgress
	byName    map[string]*datasetInProgress // by folded name
	bare      map[string][]*fieldInProgress // by folded name, all datasets
	metrics   []*metricInProgress
	byMetric  map[string]*metricInProgress // by folded name
	measures  uniqueMeasureTable
	snapshots uniqueNonAdditiveBlocks
	rollups   []*extension.Rollup
	views     []*extension.View
	extends   bool // cat is a finished model's, to which a query adds

	errors   []*modelspec.CompileError
	warnings []*modelspec.CompileWarning
	listed   map[*modelspec.CompileError]bool
	ranking  *suggest.RankingBudget

	pathsOf  map[pathEndpoints][][]catalog.JoinStep // safe ones, as far as they were searched
	parsed   map[parseCacheKey]cachedParseResult
	tokens   int // of all expressions and payloads so far
	tooLarge *modelspec.CompileError
	compared int // nodes of written out metrics so far
}

// datasetInProgress is one being compiled.
type datasetInProgress struct {
	doc    *modelspec.Dataset
	cat    *catalog.Dataset
	model  *catalog.Catalog            // the finished model that the dataset belongs to; nil while the model is compiled
	fields map[string]*fieldInProgress // by folded name, dropped ones included
	list   []*fieldInProgress

	timeDimension extension.ObjectRef
	calendar      *extension.Calendar // nil: the dataset is not a calendar
	sequence      *sequenceInProgress // nil: the dataset is not a sequence

	// Of a view, by folded name: fields that no name finds, and what keys and relationships read for them and for masked ones.
	hidden map[string]bool
	plain  map[string]*fieldInProgress
}

func foldCase(s string) string { return strings.ToLower(s) }

func (c *compiler) indexCatalog() {
	c.pathsOf = nil
	c.cat.Measures = c.measures.list
	c.cat.BuildIndexes()
}

func (c *compiler) addDatasets() {
	c.byName = make(map[string]*datasetInProgress, len(c.model.Datasets))
	for doc := range cancel.EachUntilDone(c.ctx, c.model.Datasets) {
		d := &datasetInProgress{doc: doc, fields: make(map[string]*fieldInProgress, len(doc.Fields)), cat: &catalog.Dataset{
			ID: len(c.datasets), Name: doc.Name.Value, PrimaryKey: valuesOfLocatedTexts(doc.PrimaryKey),
			Description: doc.Description, AIContext: doc.AIContext,
		}}
		for _, key := range doc.UniqueKeys {
			d.cat.UniqueKeys = append(d.cat.UniqueKeys, valuesOfLocatedTexts(key))
		}
		if source, err := modelspec.ParseDatasetSource(doc.Source.Value); err == nil {
			d.cat.Source = source // otherwise validation has rejected it
		}
		c.addRowsOfView(d)
		c.datasets = append(c.datasets, d)
		c.cat.Datasets = append(c.cat.Datasets, d.cat)
		if key := foldCase(doc.Name.Value); c.byName[key] == nil {
			c.byName[key] = d
		}
	}
}

func valuesOfLocatedTexts(texts []modelspec.LocatedText) []string {
	if len(texts) == 0 {
		return nil
	}
	out := make([]string, len(texts))
	for i, t := range texts {
		out[i] = t.Value
	}
	return out
}
