package engine

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"sync"

	lru "github.com/hashicorp/golang-lru/v2"

	"github.com/semlayer/semlayer/engine/describe"
	"github.com/semlayer/semlayer/engine/find"
	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/access"
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/semsql"
)

// maxViews is the number of sets of roles whose views are kept, those that were used last.
const maxViews = 256

// maxViewIndexes is the number of views whose index of names is kept, those that were searched last.
const maxViewIndexes = 8

// enforcedPolicies are the policies of an engine. Once they have roles, no caller asks the whole model: As returns an engine that sees what
// its reader may, and without a reader there is nothing to see.
type enforcedPolicies struct {
	file     *access.File
	policies *access.Policies
	applied  *access.Applied
	whole    *Engine
	nothing  *Engine    // what is visible without a role
	making   sync.Mutex // of views
	views    *lru.Cache[string, *Engine]
	indexing sync.Mutex // of the list of indexes
	indexes  *lru.Cache[string, func() *find.Index]
}

// indexOfView returns the index of the names that are visible in a view.
func (p *enforcedPolicies) indexOfView(key string, cat *catalog.Catalog) *find.Index {
	p.indexing.Lock()
	index, ok := p.indexes.Get(key)
	if !ok {
		index = sync.OnceValue(func() *find.Index { return find.NewIndex(cat, embeddedDialect) })
		p.indexes.Add(key, index)
	}
	p.indexing.Unlock()
	return index()
}

// readerRights are what an engine of a reader is restricted to.
type readerRights struct {
	view *access.View
	// viewKey is different for views whose lists differ.
	viewKey string
	// key is different for readers whose statements differ.
	key string
	// identity is the reader, whose attributes the sessions of warehouses have.
	identity access.Identity
}

// Reader asks a model with the rights of one identity: it has every verb of Engine. Datasets consist of the rows that the identity may
// see, and what is hidden from it does not exist.
type Reader struct{ *Engine }

// As returns the model as an identity sees it. The error has code forbidden: no role of the identity is known, or it lacks an attribute
// that its roles read. An engine without roles is the same for every caller.
func (e *Engine) As(ctx context.Context, id access.Identity) (*Reader, error) {
	p := e.enforcedRoles()
	if p == nil {
		return &Reader{e}, nil
	}
	if err := id.Check(p.policies); err != nil {
		return nil, err
	}
	seen, err := p.engineOfRoles(ctx, id.KnownRoles(p.policies))
	if err != nil {
		return nil, p.whole.toExecuteError(ctx, err)
	}
	attributes := sqlexpr.AttributeValues{}
	var key strings.Builder
	for _, name := range seen.rights.view.Needs {
		v, _ := id.Attribute(p.policies, name)
		if declared, ok := p.file.AttributeNamed(name); !ok || declared.Type != v.Type || declared.List != v.List {
			return nil, &access.ForbiddenError{Code: access.CodeForbidden, Message: "the attribute " + name + " of the identity has another type than the policies declare"}
		}
		attributes[name] = sqlexpr.AttributeValue{List: v.List, Values: v.Literals()}
		key.WriteString(strconv.Quote(name) + "=" + string(v.Type))
		for _, item := range v.Items {
			key.WriteString("," + strconv.Quote(item))
		}
		key.WriteByte(0)
	}
	return &Reader{seen.forReader(id, attributes, key.String())}, nil
}

// AsClaims returns the model as an identity with these claims sees it, whose attributes get the types of the policies file. The error
// is that of As, or has code forbidden for an engine without a policies file.
func (e *Engine) AsClaims(ctx context.Context, c access.Claims) (*Reader, error) {
	p := e.enforced.Load()
	if p == nil {
		return nil, &access.ForbiddenError{Code: access.CodeForbidden, Message: "there are no policies: nothing decides what the identity sees", Hint: "open the engine with PoliciesPath or PoliciesText"}
	}
	return e.As(ctx, p.file.NewIdentity(c))
}

// AsCaller returns a service as the caller of ctx sees it: an Engine with roles in force as the Reader that access.WithIdentity names, any
// other service as it is. The error is that of Engine.As.
func AsCaller[S any](ctx context.Context, service S) (S, error) {
	e, ok := any(service).(*Engine)
	if !ok || e.enforcedRoles() == nil {
		return service, nil
	}
	id, _ := access.IdentityFrom(ctx)
	var none S
	reader, err := e.As(ctx, id)
	if err != nil {
		return none, err
	}
	return any(reader).(S), nil
}

// ViewKey is different for engines whose lists differ: those of other revisions of a model or its policies, and of readers with other
// roles.
func (e *Engine) ViewKey() string {
	if e.rights == nil {
		return e.revision
	}
	return e.revision + " " + e.rights.viewKey
}

// enforcedRoles returns the policies of an engine that is asked by readers alone; nil for any other.
func (e *Engine) enforcedRoles() *enforcedPolicies {
	if p := e.enforced.Load(); p != nil && p.policies.HasRoles {
		return p
	}
	return nil
}

// visible returns the engine whose lists are shown: with roles, nothing is visible without a reader.
func (e *Engine) visible() *Engine {
	if p := e.enforcedRoles(); p != nil {
		return p.nothing
	}
	return e
}

// judgePolicies judges policies against the model of an engine. The error is a *PoliciesError.
func (e *Engine) judgePolicies(ctx context.Context, file *access.File) (*enforcedPolicies, error) {
	policies := policiesOfModel(file, e.config.ModelName)
	p := &enforcedPolicies{file: file, policies: policies, whole: e}
	if !policies.HasRoles {
		return p, nil
	}
	applied, issues, err := file.Apply(ctx, policies, e.document, e.cat, e.config.Basic)
	if err != nil {
		return nil, err
	}
	if modelspec.HasErrors(issues) {
		return nil, &PoliciesError{Path: file.Name, Issues: issues}
	}
	p.applied = applied
	if p.views, err = lru.New[string, *Engine](maxViews); err != nil {
		return nil, err
	}
	if p.indexes, err = lru.New[string, func() *find.Index](maxViewIndexes); err != nil {
		return nil, err
	}
	p.nothing, err = p.engineOfRoles(ctx, nil)
	return p, err
}

// ReplacePolicies puts policies in force on all engines of these warehouses, and on those that are opened later. It changes nothing where
// they do not fit one of the models; the error is a *PoliciesError then. A request that has begun keeps the policies it began with.
func (w *Warehouses) ReplacePolicies(ctx context.Context, file *access.File) error {
	w.policing.Lock()
	defer w.policing.Unlock()
	judged := map[*Engine]*enforcedPolicies{}
	for e := range w.policed {
		var err error
		if judged[e], err = e.judgePolicies(ctx, file); err != nil {
			return err
		}
	}
	for e, p := range judged {
		e.enforced.Store(p)
	}
	w.policies = file
	return nil
}

// enforcePolicies puts the newest policies in force on a new engine.
func (w *Warehouses) enforcePolicies(ctx context.Context, e *Engine, doc *modelspec.Document) error {
	w.policing.Lock()
	defer w.policing.Unlock()
	if w.policies == nil {
		return nil
	}
	e.document = doc
	p, err := e.judgePolicies(ctx, w.policies)
	if err != nil {
		return err
	}
	e.enforced.Store(p)
	w.policed[e] = true
	return nil
}

// engineOfRoles returns the engine of readers with a set of known roles, which attributes are still to be bound to.
func (p *enforcedPolicies) engineOfRoles(ctx context.Context, roles []string) (*Engine, error) {
	key := strings.Join(roles, "\x00")
	if seen, ok := p.views.Get(key); ok {
		return seen, nil
	}
	p.making.Lock()
	defer p.making.Unlock()
	if seen, ok := p.views.Get(key); ok {
		return seen, nil
	}
	target := p.whole.warehouses.targets[embeddedDialect].planner
	view, err := p.applied.View(ctx, roles, func(cat *catalog.Catalog, q *catalog.SavedQuery) bool {
		return planner.New(cat).PlansSavedQuery(ctx, q, target)
	})
	if err != nil {
		return nil, err
	}
	seen := p.newEngineOfView(view, p.file.Hash+" "+key)
	p.views.Add(key, seen)
	return seen, nil
}

// newEngineOfView returns an engine over what is visible of a model.
// Statements of all views are kept in one cache, whose bound is that of the engine.
func (p *enforcedPolicies) newEngineOfView(view *access.View, key string) *Engine {
	whole, cat := p.whole, view.Catalog
	plans := planner.New(cat)
	describer := describe.NewDescriber(cat, plans, whole.warehouses.targets[embeddedDialect].planner)
	if !view.SQL {
		describer = describer.WithoutSources()
	}
	out := &Engine{
		config: whole.config, revision: whole.revision, loadedAt: whole.loadedAt, cat: cat, vendors: whole.vendors, expressions: expressionTextByMetric(view.Document),
		planner: plans, describer: describer, warehouses: whole.warehouses, hintTime: whole.hintTime, log: whole.log, statements: whole.statements,
		statementModel: sync.OnceValue(func() *semsql.Model { return semsql.New(cat) }),
		index:          func() *find.Index { return p.indexOfView(key, cat) },
		rights:         &readerRights{view: view, viewKey: key},
	}
	if view.SeesAll {
		out.issues, out.failed = whole.issues, whole.failed
	}
	return out
}

// forReader returns the engine for a reader with these attributes. It shares everything else.
func (e *Engine) forReader(id access.Identity, attributes sqlexpr.AttributeValues, key string) *Engine {
	model := e.statementModel
	return &Engine{
		config: e.config, revision: e.revision, loadedAt: e.loadedAt, issues: e.issues, failed: e.failed, vendors: e.vendors, expressions: e.expressions,
		cat: e.cat.ForReader(attributes), planner: e.planner.ForReader(attributes), describer: e.describer, warehouses: e.warehouses,
		hintTime: e.hintTime, log: e.log, statements: e.statements, index: e.index,
		statementModel: func() *semsql.Model { return model().ForReader(attributes) },
		rights:         &readerRights{view: e.rights.view, viewKey: e.rights.viewKey, key: key, identity: id},
	}
}

// checkReader rejects requests without a sender: roles decide who sees what, and the engine is asked without a reader.
func (e *Engine) checkReader() error {
	if e.enforcedRoles() == nil {
		return nil
	}
	return &access.ForbiddenError{Code: access.CodeForbidden, Message: "the request has no identity", Hint: "ask the engine As an identity"}
}

// readerKey is different for readers whose statements differ.
func (e *Engine) readerKey() string {
	if e.rights == nil {
		return ""
	}
	return "\x00" + strconv.Quote(e.rights.viewKey) + e.rights.key
}

// hidesSQL reports whether the reader sees neither SQL nor plans.
func (e *Engine) hidesSQL() bool { return e.rights != nil && !e.rights.view.SQL }

// checkSeesSQL refuses what shows SQL or a plan.
func (e *Engine) checkSeesSQL() error {
	if !e.hidesSQL() {
		return nil
	}
	return &access.ForbiddenError{Code: access.CodeForbidden, Message: "no role of the identity shows SQL and plans", Hint: "a role with the grant sql: true does"}
}

// grantsConnection reports whether the reader may use a connection; "" is the embedded database.
func (e *Engine) grantsConnection(name string) bool {
	return e.rights == nil || e.rights.view.ConnectionsAll || slices.Contains(e.rights.view.Connections, name)
}

// connectionsOfReader returns the connections without those that the reader may not use.
func (e *Engine) connectionsOfReader() *connectionSet {
	all := e.warehouses.connections.Load()
	if e.rights == nil || e.rights.view.ConnectionsAll {
		return all
	}
	out := *all
	out.list, out.names = nil, nil
	for _, c := range all.list {
		if e.grantsConnection(c.info.Name) {
			out.list, out.names = append(out.list, c), append(out.names, c.info.Name)
		}
	}
	if !e.grantsConnection(out.defaultName) {
		out.noDefault = true
	}
	return &out
}

// withoutLocation leaves the place out of a compile error for a reader: it counts what is hidden.
func (e *Engine) withoutLocation(err error) error {
	var broken *modelspec.CompileError
	if !errors.As(err, &broken) || e.rights == nil || e.rights.view.SeesAll || broken.Position == (modelspec.Position{}) { // of the text of a query
		return err
	}
	out := *broken
	out.Location, out.Position = "", modelspec.Position{}
	return &out
}

// forReaderWithoutSQL replaces the message of a warehouse, which can hold values, names and parts of rules.
func (e *Engine) forReaderWithoutSQL(err *ExecuteError) *ExecuteError {
	if !e.hidesSQL() {
		return err
	}
	said, ok := messagesWithoutSQL[err.Code]
	if !ok {
		return err
	}
	return &ExecuteError{Code: err.Code, Message: said}
}

// messagesWithoutSQL are the messages for readers without SQL, by code.
var messagesWithoutSQL = map[string]string{
	executor.CodeSQLRejected: "the warehouse rejected the statement",
	executor.CodeDriver:      "the warehouse could not run the statement",
	executor.CodeConnection:  "the warehouse cannot be reached",
	executor.CodeAuth:        "the warehouse did not accept the credentials of the service",
}

// PoliciesError are the errors of a policies file.
type PoliciesError struct {
	Path   string
	Issues []modelspec.Issue
}

// Error names the file and its first finding.
func (e *PoliciesError) Error() string {
	first := e.firstError()
	out := planerr.ClipText(e.Path) + ":" + strconv.Itoa(first.Position.Line) + ":" + strconv.Itoa(first.Position.Column) + ": " + first.Code + ": " + first.Message
	if more := len(e.Issues) - 1; more > 0 {
		out += " (and " + strconv.Itoa(more) + " more)"
	}
	return out
}

// ErrorCode returns the code of the first error.
func (e *PoliciesError) ErrorCode() string { return e.firstError().Code }

// firstError returns the first finding that is not a warning.
func (e *PoliciesError) firstError() modelspec.Issue {
	return e.Issues[slices.IndexFunc(e.Issues, func(i modelspec.Issue) bool { return i.Severity == modelspec.SeverityError })]
}
