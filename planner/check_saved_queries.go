package planner

import (
	"context"
	"errors"
	"fmt"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/planner/internal/params"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/planner/query"
)

// CodeSavedQueryInvalid is the code of a saved query that does not plan. It belongs to the
// compile stage, because the model is at fault.
const CodeSavedQueryInvalid = "saved_query_invalid"

// CheckSavedQueries plans every saved query of the catalog at the defaults of its parameters. A
// parameter without a default takes its first allowed value, else its minimum; a saved query
// with a parameter that has neither is not planned. It returns a compile error of code
// saved_query_invalid for each that does not plan, in the order of the model. The error is
// that of ctx when it ends first.
func (p *Planner) CheckSavedQueries(ctx context.Context, t Target) ([]*modelspec.CompileError, error) {
	var out []*modelspec.CompileError
	for _, s := range p.cat.Saved {
		bound, ok := bindSampleParams(s.Params, nil)
		if s.Err != nil || !ok {
			continue
		}
		err := p.checkSavedQuery(ctx, s, bound, t)
		if late := ctx.Err(); late != nil {
			return nil, late
		}
		if err != nil {
			out = append(out, savedQueryError(s, err))
		}
	}
	return out, nil
}

// TrySavedQuery plans a saved query of the catalog as CheckSavedQueries does. A parameter that declares no value takes values that fit
// where parameters can be: constants of conditions, bounds of ranges, time zones, units and numbers. The error is that of the last ones.
func (p *Planner) TrySavedQuery(ctx context.Context, s *catalog.SavedQuery, t Target) error {
	if s.Err != nil {
		return s.Err
	}
	var err error
	for _, text := range []func(at int) string{
		func(at int) string { return fmt.Sprintf("2024-01-%02d", 1+at%28) }, // bounds, the earlier ones first
		func(at int) string { return fmt.Sprintf("2024-01-%02d", 28-at%28) },
		func(int) string { return "UTC" },
		func(int) string { return "month" },
	} {
		bound, complete := bindSampleParams(s.Params, text)
		if err = p.checkSavedQuery(ctx, s, bound, t); err == nil || complete {
			return err
		}
	}
	return err
}

// CheckSavedQueryWithParams plans the saved query of a name with bound parameters. The error is that of a request that uses it.
func (p *Planner) CheckSavedQueryWithParams(ctx context.Context, name string, bound []query.ParamBinding, t Target) error {
	s := p.cat.SavedQuery(name)
	if s == nil || s.Err != nil {
		s = &catalog.SavedQuery{Name: name, Kind: catalog.SavedKindMetrics} // planning reports it
	}
	return p.checkSavedQuery(ctx, s, bound, t)
}

func (p *Planner) checkSavedQuery(ctx context.Context, s *catalog.SavedQuery, bound []query.ParamBinding, t Target) (err error) {
	switch s.Kind {
	case catalog.SavedKindDetail:
		_, err = p.PlanDetail(ctx, &query.DetailQuery{Saved: s.Name, Params: bound}, t)
	case catalog.SavedKindAttribution:
		_, err = p.PlanAttribution(ctx, &query.AttributeQuery{Saved: s.Name, Params: bound}, t)
	default:
		_, err = p.PlanMetrics(ctx, &query.MetricQuery{Saved: s.Name, Params: bound}, t)
	}
	return err
}

// bindSampleParams binds the parameters that have no default. complete: each declares a value; invent makes those of the others, by the
// position of the parameter.
func bindSampleParams(declared []*catalog.Param, invent func(at int) string) (bound []query.ParamBinding, complete bool) {
	complete = true
	for i, p := range declared {
		sample := query.ParamValue{Kind: params.JSONKindOf(p)}
		switch {
		case p.Default != nil:
			continue
		case len(p.Allowed) > 0:
			sample.Text = params.LiteralText(p.Allowed[0])
		case p.Min != nil:
			sample.Text = params.LiteralText(p.Min)
		case invent == nil:
			return nil, false
		default:
			complete = false
			sample.Text = inventedText(p.Type, invent(i))
		}
		bound = append(bound, query.ParamBinding{Name: p.Name, Values: []query.ParamValue{sample}})
	}
	return bound, complete
}

// inventedText returns a value of a type: text for strings and dates.
func inventedText(t catalog.ParamType, text string) string {
	switch t {
	case catalog.ParamInt, catalog.ParamFloat:
		return "1"
	case catalog.ParamBool:
		return "true"
	default:
		return text
	}
}

func savedQueryError(s *catalog.SavedQuery, err error) *modelspec.CompileError {
	out := &modelspec.CompileError{
		Code: CodeSavedQueryInvalid, Location: s.Location, Position: s.Position,
		Message: "the saved query " + s.Name + " does not plan: ", Hint: "see docs/extension.md#queries",
	}
	var (
		refused *planerr.Error
		broken  *modelspec.CompileError
	)
	switch {
	case errors.As(err, &refused):
		out.Message += refused.Message
		out.Candidates = refused.Candidates
		if retry := refused.SuggestedRetry; retry != "" {
			out.Hint = "the request would need " + retry + "; " + out.Hint
		}
	case errors.As(err, &broken):
		out.Message += broken.Message
		out.Candidates = broken.Candidates
	default:
		out.Message += err.Error()
	}
	return out
}
