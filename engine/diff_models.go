package engine

import (
	"context"
	"slices"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/access"
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/compile"
	"github.com/semlayer/semlayer/modelspec/diff"
)

// ModelText is the text of a model, with a name for messages.
type ModelText struct {
	Path string
	Text []byte
}

// DiffOptions are the settings of DiffModels.
type DiffOptions struct {
	Basic bool // ignore the vendor extension
	// Queries are compiled on both models. A query that compiled and no longer does is
	// breaking, one with other SQL is changed.
	Queries []RequestLogEntry
	// Policies are those of the new model: added objects get the roles that see them. In a file for several models, the name of the
	// model is that of its file.
	Policies *access.File
}

// DiffModels lists what a query of the old model would notice of the new one, breaking
// differences first. It compiles both models, and queries where the models alone do not
// decide: which dimensions a metric accepts and whether its changes can be attributed. It
// reads no data.
//
// A model with errors is compared too. The error is a *modelspec.LoadError when a text is not a
// model, a *PoliciesError when the policies do not fit the new model, and that of ctx when it ends first.
func DiffModels(ctx context.Context, before, after ModelText, o DiffOptions) ([]diff.Entry, error) {
	old, err := openComparedModel(ctx, before, o.Basic)
	if err != nil {
		return nil, err
	}
	current, err := openComparedModel(ctx, after, o.Basic)
	if err != nil {
		return nil, err
	}
	if old.engine != nil && current.engine != nil { // both or none: the two judge alike
		old.model.Planner, current.model.Planner = comparedModelPlanner{old.engine}, comparedModelPlanner{current.engine}
	}
	entries, err := diff.Compare(ctx, old.model, current.model)
	if err != nil {
		return nil, err
	}
	saved, err := diffSavedQueries(ctx, old, current)
	if err != nil {
		return nil, err
	}
	entries = append(entries, saved...)
	logged, err := diffLoggedRequests(ctx, old.engine, current.engine, o.Queries)
	if err != nil {
		return nil, err
	}
	entries = append(entries, logged...)
	if err := addVisibleRoles(ctx, current, o.Policies, modelNameOfFile(after.Path), o.Basic, entries); err != nil {
		return nil, err
	}
	diff.SortEntries(entries)
	return entries, nil
}

// comparedModel is one of two models that are compared.
type comparedModel struct {
	model  diff.Model
	engine *Engine // nil for a model with errors of validation, which no server takes
}

func openComparedModel(ctx context.Context, m ModelText, basic bool) (comparedModel, error) {
	doc, err := modelspec.ParseWithPath(m.Path, m.Text)
	if err != nil {
		return comparedModel{}, err
	}
	issues, err := validateStructure(ctx, doc, basic)
	if err != nil {
		return comparedModel{}, err
	}
	if modelspec.HasErrors(issues) {
		cat, err := compile.Compile(ctx, doc, compile.Options{Basic: basic})
		return comparedModel{model: diff.Model{Catalog: cat, Document: doc, Issues: issues}}, err
	}
	e, err := openEngineOnDocument(ctx, Config{ModelPath: m.Path, ModelText: m.Text, Basic: basic}.withDefaults(), doc, m.Text, issues)
	if err != nil {
		return comparedModel{}, err
	}
	return comparedModel{diff.Model{Catalog: e.cat, Document: doc, Issues: issues}, e}, nil
}

// comparedModelPlanner answers the questions of a comparison by planning queries.
type comparedModelPlanner struct{ *Engine }

func (a comparedModelPlanner) CompileGroupedMetric(ctx context.Context, m *catalog.Metric, f *catalog.Field) (string, bool) {
	planned, err := a.describer.PlanMetricGroupedByField(ctx, m, f)
	if err != nil {
		return "", false
	}
	c, err := a.printPlanAsSQL(ctx, planned, a.warehouses.targets[embeddedDialect], false, "")
	if err != nil {
		return "", false
	}
	return c.sql, true
}

func (a comparedModelPlanner) IsComputable(ctx context.Context, m *catalog.Metric) bool {
	return a.describer.CheckMetricPlans(ctx, m) == nil
}

func (a comparedModelPlanner) IsAttributable(ctx context.Context, m *catalog.Metric) bool {
	return a.planner.IsAttributable(ctx, m.Name, a.warehouses.targets[embeddedDialect].planner)
}

// diffSavedQueries compiles the saved queries that both models have: one that compiled and no
// longer does is breaking. A query with a parameter to bind is not compiled.
func diffSavedQueries(ctx context.Context, old, current comparedModel) ([]diff.Entry, error) {
	if old.engine == nil || current.engine == nil {
		return nil, nil
	}
	var queries []RequestLogEntry
	var saved []*catalog.SavedQuery
	for _, q := range current.model.Catalog.Saved {
		if before := old.model.Catalog.SavedQuery(q.Name); before == nil || before.Err != nil || q.Err != nil || before.Kind != q.Kind || !allSavedQueryParamsHaveDefaults(before) || !allSavedQueryParamsHaveDefaults(q) {
			continue
		}
		body, err := MarshalWireJSON(map[string]string{"saved": q.Name})
		if err != nil {
			return nil, err
		}
		saved = append(saved, q)
		queries = append(queries, RequestLogEntry{Line: len(saved), Path: requestPathBySavedKind[q.Kind], Body: body})
	}
	entries, err := diffLoggedRequests(ctx, old.engine, current.engine, queries)
	var out []diff.Entry
	for _, e := range entries {
		if e.Property == diff.PropertyCompileError {
			q := saved[e.Line-1]
			e.Object, e.Name, e.Line, e.Location, e.Position = diff.ObjectSavedQuery, q.Name, 0, q.Location, q.Position
			out = append(out, e)
		}
	}
	return out, err
}

// allSavedQueryParamsHaveDefaults reports whether every parameter of a saved query has a default.
func allSavedQueryParamsHaveDefaults(q *catalog.SavedQuery) bool {
	return !slices.ContainsFunc(q.Params, func(p *catalog.Param) bool { return p.Default == nil })
}

var requestPathBySavedKind = map[catalog.SavedQueryKind]string{
	catalog.SavedKindMetrics: "/v1/query/compile", catalog.SavedKindDetail: "/v1/select/compile", catalog.SavedKindAttribution: "/v1/query/attribute",
}
