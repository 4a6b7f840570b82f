package engine

import (
	"context"
	"errors"
	"log/slog"
	"slices"

	"github.com/semlayer/semlayer/engine/describe"
	"github.com/semlayer/semlayer/engine/generate"
	"github.com/semlayer/semlayer/executor/semaphore"
	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/compile"
	"github.com/semlayer/semlayer/planner"
)

// Engine answers queries against one model. It is safe for concurrent use.
type Engine struct {
	config          Config
	revision        string
	issues          []Issue // of validation; warnings all
	cat             *catalog.Catalog
	failed          []*CompileError // in the order of the model
	vendors         []modelspec.VendorEntries
	planner         *planner.Planner
	describer       *describe.Describer
	targets         map[string]target // by dialect
	statements      *statementCache
	embeddedDB      *lazyExecutor
	data            DataReport
	generated       *generate.Output // nil for a model that was given
	connections     *connections
	slots           *semaphore.Semaphore
	validationSlots *semaphore.Semaphore
	log             *slog.Logger
	causes          causeLog
}

// Open loads, validates and compiles the model. It touches no warehouse; the
// embedded database is opened by the first execution, or by Warm.
//
// The error is a *LoadError when the text is not a model, and a *ModelError when
// validation found errors, and an *ExecuteError of code config when the file at
// ConnectionsPath cannot be read, Data are not tables, or DBPath, Setup or Data is set without
// a driver for the embedded database, and the error of ctx when that has ended. Compile errors do not
// keep an engine from opening: they answer the queries that use what did not compile,
// and CompileErrors lists them.
func Open(ctx context.Context, c Config) (*Engine, error) {
	c = c.withDefaults()
	if c.DBPath != "" || len(c.Setup) > 0 {
		if err := c.checkEmbeddedDriver(); err != nil {
			return nil, err
		}
	}
	embedded, data, err := newEmbeddedDB(ctx, c)
	if err != nil {
		return nil, err
	}
	var generated *generate.Output
	if c.generatesModel() {
		if generated, err = c.generateModel(ctx, embedded, c.modelName(data)); err != nil {
			return nil, errors.Join(err, embedded.close())
		}
		c.ModelPath, c.ModelText = generatedPath, generated.Text
	}
	doc, text, err := loadModel(c)
	if err != nil {
		return nil, err
	}
	issues, err := findIssues(ctx, doc, c.Basic)
	if err != nil {
		return nil, err
	}
	if modelspec.Invalid(issues) {
		return nil, &ModelError{Path: c.ModelPath, Issues: issues}
	}
	e, err := openDocument(ctx, c, doc, text, issues)
	if err != nil {
		return nil, err
	}
	e.embeddedDB, e.data, e.generated = embedded, data, generated
	return e, nil
}

// findIssues validates a document.
func findIssues(ctx context.Context, doc *modelspec.Document, basic bool) ([]Issue, error) {
	issues, err := modelspec.Validate(ctx, doc, modelspec.Basic(basic))
	if err != nil {
		return nil, err
	}
	if err := doc.ModelError(); err != nil {
		issues = append(issues, Issue{
			Severity: modelspec.SeverityError, Code: err.Code, Location: err.Location, Message: err.Message + ": " + err.Hint, Position: err.Position,
		})
	}
	return issues, nil
}

// openDocument opens an engine on a valid document, without an embedded database.
func openDocument(ctx context.Context, c Config, doc *modelspec.Document, text []byte, issues []Issue) (*Engine, error) {
	targets := allTargets()
	remote, err := openConnections(c, targets)
	if err != nil {
		return nil, err
	}
	kept, err := newStatementCache(c.StatementCache)
	if err != nil {
		return nil, err
	}
	cat, err := compile.Compile(ctx, doc, compile.Options{Basic: c.Basic})
	if err != nil {
		return nil, err
	}
	plans := planner.New(cat)
	failed, err := compileErrors(ctx, cat, plans, targets[embeddedDialect].planner)
	if err != nil {
		return nil, err
	}
	return &Engine{
		config:          c,
		revision:        revisionOf(text, c.mode()),
		issues:          issues,
		cat:             cat,
		failed:          failed,
		vendors:         doc.Model().OtherVendors(),
		targets:         targets,
		planner:         plans,
		describer:       describe.New(cat, plans, targets[embeddedDialect].planner),
		statements:      kept,
		connections:     remote,
		slots:           semaphore.New(c.MaxExecutions),
		validationSlots: semaphore.New(c.MaxValidations),
		log:             c.Logger,
	}, nil
}

func loadModel(c Config) (doc *modelspec.Document, text []byte, err error) {
	if c.ModelText != nil {
		doc, err = modelspec.Parse(c.ModelText)
		return doc, c.ModelText, err
	}
	if text, err = modelspec.ReadFile(c.ModelPath); err != nil {
		return nil, nil, err
	}
	doc, err = modelspec.ParseNamed(c.ModelPath, text)
	return doc, text, err
}

// Warm opens the embedded database now, so that a file that does not open is
// known before the first execution. Its error is an *ExecuteError.
func (e *Engine) Warm(ctx context.Context) error {
	_, err := e.embeddedDB.open(ctx)
	return err
}

// Close gives the database and all connections back. Executions still running
// end first.
func (e *Engine) Close() error { return errors.Join(e.embeddedDB.close(), e.connections.close()) }

// DataReport reports on the data files of the embedded database.
func (e *Engine) DataReport() DataReport {
	r := e.data
	r.Paths, r.Warnings = slices.Clone(r.Paths), slices.Clone(r.Warnings)
	return r
}

// Warnings lists what the model's author should know: the warnings of
// validation, then those of the compiler.
func (e *Engine) Warnings() []Warning {
	out := make([]Warning, 0, e.countWarnings())
	for _, i := range e.issues {
		out = append(out, Warning{Code: i.Code, Location: i.Location, Message: i.Message, Position: i.Position})
	}
	for _, w := range e.cat.Warnings {
		out = append(out, *w)
	}
	return out
}

func (e *Engine) countWarnings() int { return len(e.issues) + len(e.cat.Warnings) }

// CompileErrors lists the objects of the model that did not compile, and the saved queries
// that do not plan.
func (e *Engine) CompileErrors() []*CompileError {
	return append([]*CompileError(nil), e.failed...)
}

// Executing is the number of executions that run now.
func (e *Engine) Executing() int { return e.slots.InUse() }
