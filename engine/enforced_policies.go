package engine

import (
	"context"
	"strings"
	"sync"

	lru "github.com/hashicorp/golang-lru/v2"

	"github.com/semlayer/semlayer/engine/describe"
	"github.com/semlayer/semlayer/engine/find"
	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/access"
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/planner"
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

// enforcedRoles returns the policies of an engine that is asked by readers alone; nil for any other.
func (e *Engine) enforcedRoles() *enforcedPolicies {
	if p := e.enforced.Load(); p != nil && p.policies.HasRoles {
		return p
	}
	return nil
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
	w.results.replacePolicies(file)
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
	view, err := p.applied.View(ctx, roles, func(cat *catalog.Catalog, q *catalog.SavedQuery) error {
		return planner.New(cat).TrySavedQuery(ctx, q, target)
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
		config: whole.config, revision: whole.revision, loadedAt: whole.loadedAt, cat: cat, definitions: whole.definitions, vendors: whole.vendors, expressions: expressionTextByMetric(view.Document),
		planner: plans, describer: describer, warehouses: whole.warehouses, hintTime: whole.hintTime, log: whole.log, statements: whole.statements,
		statementModel: sync.OnceValue(func() *semsql.Model { return semsql.New(cat) }),
		index:          func() *find.Index { return p.indexOfView(key, cat) },
		indexedValues:  new(indexedValues),
		viewLists:      newViewLists(cat, whole.warehouses.targets[embeddedDialect].planner, !view.SQL),
		rights:         &readerRights{view: view, viewKey: key, policiesHash: p.file.Hash},
	}
	if view.SeesAll {
		out.issues, out.failed = whole.issues, whole.failed
	}
	return out
}
