package engine

import (
	"context"
	"encoding/json"
	"maps"
	"slices"

	"github.com/semlayer/semlayer/engine/describe"
	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/modelspec/suggest"
	"github.com/semlayer/semlayer/planner"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/planner/query"
)

// SavedQueries lists the saved queries in the order of the model. A query, a detail query or an
// attribution uses one by its name in Saved.
func (e *Engine) SavedQueries() []describe.SavedQuery { return e.visible().describer.SavedQueries() }

// BindSavedQueryArguments reads texts as the values of the parameters of a saved query, and plans the query with them. A text
// that is not of its parameter's type is bound as it is, and planning rejects it. The error is a *planerr.Error or the
// *modelspec.CompileError of a broken saved query.
func (e *Engine) BindSavedQueryArguments(ctx context.Context, name string, texts map[string]string) (bound []query.ParamBinding, err error) {
	defer e.recoverToError(&err)
	if s := e.cat.SavedQuery(name); s != nil {
		for _, argument := range slices.Sorted(maps.Keys(texts)) {
			p := s.Param(argument)
			if p == nil {
				return nil, unknownSavedArgumentError(s, argument)
			}
			bound = append(bound, query.ParamBinding{Name: argument, Values: []query.ParamValue{{Kind: paramValueKindOfText(p.Type, texts[argument]), Text: texts[argument]}}})
		}
	}
	if err := e.planner.CheckSavedQueryWithParams(ctx, name, bound, e.warehouses.targets[embeddedDialect].planner); err != nil {
		return nil, e.toPlanError(ctx, err)
	}
	return bound, nil
}

func unknownSavedArgumentError(s *catalog.SavedQuery, argument string) error {
	names := make([]string, len(s.Params))
	for i, p := range s.Params {
		names[i] = p.Name
	}
	return &planerr.Error{
		Code:       planerr.CodeUnknownMetricParam,
		Message:    "the saved query " + s.Name + " has no parameter " + planerr.ClipText(argument),
		Candidates: suggest.Nearest(argument, names, suggest.MaxCandidates),
	}
}

// paramValueKindOfText returns the JSON type of a text that is read as a value of a parameter.
func paramValueKindOfText(t catalog.ParamType, text string) query.ParamValueJSONType {
	switch isNumber := text != "" && (text[0] == '-' || text[0] >= '0' && text[0] <= '9') && json.Valid([]byte(text)); {
	case isNumber && (t == catalog.ParamInt || t == catalog.ParamFloat):
		return query.NumberValue
	case t == catalog.ParamBool && (text == "true" || text == "false"):
		return query.BoolValue
	}
	return query.StringValue
}

// SavedQueryBody returns the body of a saved query as JSON, with :name in place of each parameter; nil where the model has no
// such query. The error is that of a broken one.
func (e *Engine) SavedQueryBody(name string) ([]byte, error) {
	s := e.visible().cat.SavedQuery(name)
	if s == nil {
		return nil, nil
	}
	if s.Err != nil {
		return nil, s.Err
	}
	out := []byte{'{'}
	for i, k := range s.Body {
		if i > 0 {
			out = append(out, ',')
		}
		key, err := MarshalWireJSON(k.Name)
		if err != nil {
			return nil, err
		}
		out = append(append(out, key...), ':')
		for _, part := range k.Parts {
			text, err := savedBodyPartJSON(part)
			if err != nil {
				return nil, err
			}
			out = append(out, text...)
		}
	}
	return append(out, '}'), nil
}

func savedBodyPartJSON(part catalog.SavedBodyPart) ([]byte, error) {
	switch part := part.(type) {
	case catalog.SavedBodyJSONText:
		return []byte(part), nil
	case catalog.SavedBodyParamPlaceholder:
		return MarshalWireJSON(":" + part.Param)
	case catalog.SavedBodyCondition:
		return MarshalWireJSON(sqlexpr.Format(part.Condition))
	}
	return nil, nil
}

// declaredSavedQueryName returns the declared name of a saved query.
func (e *Engine) declaredSavedQueryName(name string) string {
	if name == "" {
		return ""
	}
	if s := e.cat.SavedQuery(name); s != nil {
		return s.Name
	}
	return name
}

// queryOrSavedMetrics returns the metrics that a query names, else those of its saved query.
func (e *Engine) queryOrSavedMetrics(metrics []string, saved string) []string {
	if len(metrics) > 0 || saved == "" {
		return metrics
	}
	if s := e.cat.SavedQuery(saved); s != nil {
		return s.Metrics
	}
	return nil
}

// compileErrorsOfCatalog lists the objects of a catalog that did not compile and the saved queries
// that do not plan, in the order of the model.
func compileErrorsOfCatalog(ctx context.Context, cat *catalog.Catalog, plans *planner.Planner, t planner.Target) ([]*modelspec.CompileError, error) {
	unplanned, err := plans.CheckSavedQueries(ctx, t)
	if err != nil {
		return nil, err
	}
	views, err := planner.CheckViews(ctx, cat, t)
	if err != nil {
		return nil, err
	}
	out := slices.Concat(cat.Errors, unplanned, views)
	slices.SortStableFunc(out, func(a, b *modelspec.CompileError) int { return a.Position.Compare(b.Position) })
	return out, nil
}
