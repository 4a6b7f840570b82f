package engine

import (
	"cmp"
	"strings"
	"sync"

	"github.com/semlayer/semlayer/engine/describe"
	"github.com/semlayer/semlayer/engine/find"
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/planner"
	"github.com/semlayer/semlayer/planner/plan"
	"github.com/semlayer/semlayer/semsql"
)

// InView returns the engine for requests in a view. Its lists, its candidates and the names of its queries are those of the view, the
// only relation of its statements is that of the view, and it has no other view, and no saved query of another or of none. It shares
// everything else. "" is the engine itself. The error is a *planerr.Error of code unknown_view, or the compile error of the view.
func (e *Engine) InView(name string) (*Engine, error) {
	if err := e.checkReader(); err != nil {
		return nil, err
	}
	if name == "" {
		return e, nil
	}
	v, err := planner.FindView(e.cat, name)
	if err != nil {
		return nil, e.withoutLocation(err)
	}
	if e.cat.ScopeView() != nil {
		return e, nil
	}
	lists, attributes := e.viewLists.of(v), e.cat.Attributes
	out := &Engine{
		config: e.config, revision: e.revision, loadedAt: e.loadedAt, issues: e.issues, failed: e.failed, vendors: e.vendors, expressions: e.expressions,
		cat: lists.catalog.ForReader(attributes), definitions: e.definitions, planner: lists.planner.ForReader(attributes), describer: lists.describer,
		warehouses: e.warehouses, generated: e.generated, hintTime: e.hintTime, log: e.log, statements: e.statements,
		index: lists.index, indexedValues: e.indexedValues, viewLists: e.viewLists, rights: e.rights,
		statementModel: func() *semsql.Model { return lists.statementModel().ForReader(attributes) },
	}
	return out, nil
}

// ServiceInView returns a service for requests in a view: an Engine or a Reader as InView returns it, any other service as it is.
func ServiceInView[S any](service S, name string) (S, error) {
	whole, ok := any(service).(interface{ InView(string) (*Engine, error) })
	if !ok || name == "" {
		return service, nil
	}
	scoped, err := whole.InView(name)
	if err != nil {
		var none S
		return none, err
	}
	return any(&Reader{scoped}).(S), nil
}

// viewLists holds what is made once for each view of a catalog.
type viewLists struct {
	catalog      *catalog.Catalog // without the attributes of a reader
	target       planner.Target
	hidesSources bool

	mu   sync.Mutex
	made map[*catalog.View]*listsOfView
}

// listsOfView is what the engines of a view share, without the attributes of a reader.
type listsOfView struct {
	catalog        *catalog.Catalog
	planner        *planner.Planner
	describer      *describe.Describer
	index          func() *find.Index
	statementModel func() *semsql.Model
}

func newViewLists(cat *catalog.Catalog, t planner.Target, hidesSources bool) *viewLists {
	return &viewLists{catalog: cat, target: t, hidesSources: hidesSources, made: map[*catalog.View]*listsOfView{}}
}

func (l *viewLists) of(v *catalog.View) *listsOfView {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.made[v] == nil {
		cat := l.catalog.InView(v)
		plans := planner.New(cat)
		describer := describe.NewDescriber(cat, plans, l.target)
		if l.hidesSources {
			describer = describer.WithoutSources()
		}
		l.made[v] = &listsOfView{
			catalog: cat, planner: plans, describer: describer,
			index:          sync.OnceValue(func() *find.Index { return find.NewIndex(cat, embeddedDialect) }),
			statementModel: sync.OnceValue(func() *semsql.Model { return semsql.New(cat) }),
		}
	}
	return l.made[v]
}

// scopeKey is different for engines of views and of the whole model, whose statements differ.
func (e *Engine) scopeKey() string {
	v := e.cat.ScopeView()
	if v == nil {
		return ""
	}
	return "\x00in " + strings.ToLower(v.Name)
}

// descriptionInScope returns the description of the view that the engine is in, or else that of the model.
func (e *Engine) descriptionInScope() string {
	if v := e.cat.ScopeView(); v != nil {
		return cmp.Or(v.Description, e.cat.Description)
	}
	return e.cat.Description
}

// Views lists the views without an error in the order of the model.
func (e *Engine) Views() []describe.View { return e.visible().describer.Views() }

// ViewUse is the view that a query is in, with what of it acts by default.
type ViewUse = plan.ViewUse
