package engine

import (
	"context"

	"github.com/semlayer/semlayer/planner"
	"github.com/semlayer/semlayer/planner/plan"
	"github.com/semlayer/semlayer/planner/query"
)

// RollupSuggestions are rollups that serve logged requests.
type RollupSuggestions struct {
	Rollups []planner.SuggestedRollup
	// Failed are the requests that do not compile.
	Failed []FailedRequest
	// LeftOut are the branches that no rollup serves.
	LeftOut []BranchLeftOut
}

// FailedRequest is a request of a log that does not compile.
type FailedRequest struct {
	Line int
	Err  error
}

// BranchLeftOut is a branch of a logged request that no rollup serves: the first rule of GET /v1/rollups that none can meet.
type BranchLeftOut struct {
	Line          int
	Home          string
	Metrics       []string
	Rule, Message string
}

// SuggestRollups returns rollups that serve all requests of a log: one for each dataset whose rows they aggregate, and further ones where the
// requests drop different rows by INNER relationships, or a measure has no value over several groups. It reads no data. Requests for rows of
// a dataset are skipped. The error is that of ctx, or a *planerr.Error of a reader who does not see SQL.
func (e *Engine) SuggestRollups(ctx context.Context, requests []RequestLogEntry) (RollupSuggestions, error) {
	var out RollupSuggestions
	if err := e.checkSeesSQL(); err != nil {
		return out, err
	}
	var needs []plan.RollupNeed
	for _, r := range requests {
		uses, err := e.rollupNeedsOf(ctx, r)
		if ctx.Err() != nil {
			return out, ctx.Err()
		}
		if err != nil {
			out.Failed = append(out.Failed, FailedRequest{r.Line, err})
			continue
		}
		for _, use := range uses {
			if m := use.Need.Missing; m != nil {
				out.LeftOut = append(out.LeftOut, BranchLeftOut{r.Line, use.Home, use.Metrics, m.Rule, m.Message})
			}
			needs = append(needs, *use.Need)
		}
	}
	out.Rollups = planner.SuggestRollups(e.cat, needs)
	return out, nil
}

// rollupNeedsOf plans a request and returns its branches with what each needs.
func (e *Engine) rollupNeedsOf(ctx context.Context, r RequestLogEntry) (uses []RollupUse, err error) {
	defer e.recoverToError(&err)
	allowed := query.RollupsAllowed
	target := e.warehouses.targets[embeddedDialect].planner
	target.Rollups = &plan.RollupTarget{Needs: true}
	var planned []*planner.Planned
	switch queryPlaneOfPath(r.Path) {
	case PlaneMetric:
		body, err := query.DecodeMetric(r.Body)
		if err != nil {
			return nil, err
		}
		body.Rollups, body.MaxAge = &allowed, nil
		one, err := e.planner.PlanMetrics(ctx, body, target)
		if err != nil {
			return nil, e.toPlanError(ctx, err)
		}
		planned = append(planned, one)
	case PlaneAttribution:
		body, err := query.DecodeAttribute(r.Body)
		if err != nil {
			return nil, err
		}
		body.Rollups, body.MaxAge = &allowed, nil
		attribution, err := e.planner.PlanAttribution(ctx, body, target)
		if err != nil {
			return nil, e.toPlanError(ctx, err)
		}
		planned = attribution.Queries()
	}
	for _, p := range planned {
		uses = append(uses, p.Rollups...)
	}
	return uses, nil
}
