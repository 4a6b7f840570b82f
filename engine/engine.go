package engine

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/semlayer/semlayer/engine/describe"
	"github.com/semlayer/semlayer/engine/find"
	"github.com/semlayer/semlayer/engine/generate"
	"github.com/semlayer/semlayer/engine/internal/rollups"
	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/compile"
	"github.com/semlayer/semlayer/planner"
	"github.com/semlayer/semlayer/semsql"
)

// Engine answers queries against one model. It is safe for concurrent use.
type Engine struct {
	config         Config
	revision       string
	loadedAt       time.Time
	issues         []modelspec.Issue // of validation; warnings all
	cat            *catalog.Catalog
	definitions    *rollups.Definitions      // of the whole model, also in the engine of a reader
	failed         []*modelspec.CompileError // in the order of the model
	vendors        []modelspec.VendorEntryCount
	expressions    map[string]string // of metrics, as written
	planner        *planner.Planner
	describer      *describe.Describer
	statementModel func() *semsql.Model // maps SQL statements; made at the first one
	index          func() *find.Index   // of names; made for the first question
	indexedValues  *indexedValues
	viewLists      *viewLists
	statements     *statementCache
	warehouses     *Warehouses
	ownsWarehouses bool                          // Close closes them
	generated      *generate.ModelTextWithReport // nil for a model that was given
	hintTime       time.Duration                 // after which hints about an empty result are given up
	log            *slog.Logger
	enforced       atomic.Pointer[enforcedPolicies] // nil without a policies file, and for an engine of a reader
	document       *modelspec.Document              // with a policies file: the views of readers are compiled from it
	rights         *readerRights                    // of the reader; nil for an engine without readers
}

// Open loads, validates and compiles the model. It touches no warehouse; the
// embedded database is opened by the first execution, or by OpenEmbedded.
//
// The error is a *modelspec.LoadError when the text is not a model, and a *ModelError when
// validation found errors, and an *ExecuteError of code config when the file at
// ConnectionsPath cannot be read, Data are not tables, or DBPath, Setup or Data is set without
// a driver for the embedded database, and the error of ctx when that has ended. Compile errors do not
// keep an engine from opening: they answer the queries that use what did not compile,
// and CompileErrors lists them.
//
// A program with several models, or whose model changes while it runs, opens Warehouses and
// their OpenModel for each text.
func Open(ctx context.Context, c Config) (*Engine, error) {
	c, err := c.withDefaults().withPolicies()
	if err != nil {
		return nil, err
	}
	w, err := newWarehouses(ctx, c)
	if err != nil {
		return nil, err
	}
	var generated *generate.ModelTextWithReport
	if c.generatesModel() {
		if generated, err = w.GenerateModel(ctx); err != nil {
			return nil, errors.Join(err, w.embeddedDB.close())
		}
		c.ModelPath, c.ModelText = generatedModelPath, generated.Text
	}
	doc, text, err := readModelDocument(c)
	if err != nil {
		return nil, err
	}
	issues, err := validateConfiguredModel(ctx, c, doc)
	if err != nil {
		return nil, err
	}
	if err := w.prepareConnections(); err != nil {
		return nil, err
	}
	e, err := compileModelForWarehouses(ctx, w, c, doc, text, issues)
	if err != nil {
		return nil, err
	}
	e.generated, e.ownsWarehouses = generated, true
	if c.As == nil || c.Policies == nil {
		return e, nil
	}
	reader, err := e.AsClaims(ctx, *c.As)
	if err != nil {
		return nil, errors.Join(err, e.Close())
	}
	reader.ownsWarehouses = true
	return reader.Engine, nil
}

// openEngineOnDocument opens an engine on a valid document.
func openEngineOnDocument(ctx context.Context, c Config, doc *modelspec.Document, text []byte, issues []modelspec.Issue) (*Engine, error) {
	w, err := OpenWarehouses(ctx, c)
	if err != nil {
		return nil, err
	}
	e, err := compileModelForWarehouses(ctx, w, c, doc, text, issues)
	if err != nil {
		return nil, err
	}
	e.ownsWarehouses = true
	return e, nil
}

func readModelDocument(c Config) (doc *modelspec.Document, text []byte, err error) {
	if c.ModelText != nil {
		doc, err = modelspec.Parse(c.ModelText)
		return doc, c.ModelText, err
	}
	if text, err = modelspec.ReadModelFileText(c.ModelPath); err != nil {
		return nil, nil, err
	}
	doc, err = modelspec.ParseWithPath(c.ModelPath, text)
	return doc, text, err
}

// validateStructure validates a document.
func validateStructure(ctx context.Context, doc *modelspec.Document, basic bool) ([]modelspec.Issue, error) {
	issues, err := modelspec.Validate(ctx, doc, modelspec.WithBasicMode(basic))
	if err != nil {
		return nil, err
	}
	if err := doc.CheckSingleModel(); err != nil {
		issues = append(issues, modelspec.Issue{
			Severity: modelspec.SeverityError, Code: err.Code, Location: err.Location, Message: err.Message + ": " + err.Hint, Position: err.Position,
		})
	}
	return issues, nil
}

// validateConfiguredModel validates the model of a configuration and returns its issues, warnings all; without
// those that only an author who validates asks for. The error is a *ModelError where the model has errors.
func validateConfiguredModel(ctx context.Context, c Config, doc *modelspec.Document) ([]modelspec.Issue, error) {
	issues, err := validateStructure(ctx, doc, c.Basic)
	if err != nil {
		return nil, err
	}
	if modelspec.HasErrors(issues) {
		return nil, &ModelError{Path: c.ModelPath, Issues: issues}
	}
	return slices.DeleteFunc(issues, func(i modelspec.Issue) bool { return modelspec.IsAdvice(i.Code) }), nil
}

// compileModelForWarehouses compiles a valid model for these warehouses.
func compileModelForWarehouses(ctx context.Context, w *Warehouses, c Config, doc *modelspec.Document, text []byte, issues []modelspec.Issue) (*Engine, error) {
	kept, err := newStatementCache(c.StatementCache)
	if err != nil {
		return nil, err
	}
	cat, err := compile.Compile(ctx, doc, compile.Options{Basic: c.Basic})
	if err != nil {
		return nil, err
	}
	plans := planner.New(cat)
	failed, err := compileErrorsOfCatalog(ctx, cat, plans, w.targets[embeddedDialect].planner)
	if err != nil {
		return nil, err
	}
	e := &Engine{
		config:         c,
		hintTime:       maxHintTime,
		revision:       modelRevision(text, c.extensionModeName()),
		loadedAt:       time.Now().UTC().Truncate(time.Millisecond),
		issues:         issues,
		cat:            cat,
		definitions:    rollups.NewDefinitions(cat),
		failed:         failed,
		vendors:        doc.Model().IgnoredExtensionVendors(),
		expressions:    expressionTextByMetric(doc),
		planner:        plans,
		describer:      describe.NewDescriber(cat, plans, w.targets[embeddedDialect].planner),
		statementModel: sync.OnceValue(func() *semsql.Model { return semsql.New(cat) }),
		index:          sync.OnceValue(func() *find.Index { return find.NewIndex(cat, embeddedDialect) }),
		indexedValues:  new(indexedValues),
		viewLists:      newViewLists(cat, w.targets[embeddedDialect].planner, false),
		statements:     kept,
		warehouses:     w,
		log:            c.Logger,
	}
	w.results.addEngine(e)
	return e, w.enforcePolicies(ctx, e, doc)
}

// OpenEmbedded opens the embedded database now, so that a file that does not open is
// known before the first execution. Its error is an *ExecuteError.
func (e *Engine) OpenEmbedded(ctx context.Context) error {
	return e.warehouses.OpenEmbedded(ctx)
}

// Close gives the database and all connections back. Executions still running
// end first. An engine of Warehouses.OpenModel leaves them open.
func (e *Engine) Close() error {
	e.warehouses.policing.Lock()
	delete(e.warehouses.policed, e)
	e.warehouses.policing.Unlock()
	e.warehouses.results.removeEngine(e)
	if !e.ownsWarehouses {
		return nil
	}
	return e.warehouses.Close()
}

// DataFilesReport reports on the data files of the embedded database.
func (e *Engine) DataFilesReport() DataFilesReport { return e.warehouses.DataFilesReport() }

// Warnings lists what the model's author should know: the warnings of
// validation, then those of the compiler.
func (e *Engine) Warnings() []modelspec.CompileWarning {
	out := make([]modelspec.CompileWarning, 0, e.totalWarningCount())
	for _, i := range e.issues {
		out = append(out, modelspec.CompileWarning{Code: i.Code, Location: i.Location, Message: i.Message, Position: i.Position})
	}
	for _, w := range e.cat.Warnings {
		out = append(out, *w)
	}
	return out
}

func (e *Engine) totalWarningCount() int { return len(e.issues) + len(e.cat.Warnings) }

// CompileErrors lists the objects of the model that did not compile, and the saved queries
// that do not plan.
func (e *Engine) CompileErrors() []*modelspec.CompileError {
	return append([]*modelspec.CompileError(nil), e.failed...)
}

// RunningExecutions returns the number of executions that run now.
func (e *Engine) RunningExecutions() int { return e.warehouses.slots.TakenCount() }
