package engine

import (
	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/modelspec/suggest"
	"github.com/semlayer/semlayer/planner"
	"github.com/semlayer/semlayer/planner/plan"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/sqlemit"
)

// localDialect is what the embedded database speaks, and the default.
const localDialect = "duckdb"

// target is where a query is compiled for.
type target struct {
	dialect *sqlemit.Dialect
	planner planner.Target
}

// allTargets prepares every dialect once, by canonical name.
func allTargets() map[string]target {
	out := map[string]target{}
	for _, name := range sqlemit.Names() {
		if d, ok := sqlemit.Lookup(name); ok {
			out[name] = target{d, planner.Target{Dialect: d.Name(), Caps: abilities(d.Capabilities())}}
		}
	}
	return out
}

// abilities are a dialect's capabilities as the planner knows them.
func abilities(c sqlemit.Capabilities) plan.Capabilities {
	out := plan.Capabilities{NoRangeFrames: !c.RangeFrames, NoGroupingSets: !c.GroupingSets}
	for _, fn := range c.NoWindow.Funcs() {
		if out.NoWindow == nil {
			out.NoWindow = map[sqlexpr.Func]bool{}
		}
		out.NoWindow[fn] = true
	}
	return out
}

// target chooses the dialect: the request's, else the connection's, else the
// embedded database's.
func (e *Engine) target(dialect, connection string) (target, error) {
	if connection != "" {
		return target{}, unknownConnection(connection)
	}
	if dialect == "" {
		return e.targets[localDialect], nil
	}
	if d, ok := sqlemit.Lookup(dialect); ok {
		return e.targets[d.Name()], nil
	}
	return target{}, &PlanError{
		Code:       planerr.CodeBadRequest,
		Message:    "unknown dialect " + clip(dialect),
		Candidates: suggest.Nearest(dialect, sqlemit.Names(), suggest.Limit),
	}
}

// executable refuses a target that the warehouse of the request cannot run.
func (t target) executable() error {
	if t.dialect.Name() == localDialect {
		return nil
	}
	return &PlanError{
		Code:           planerr.CodeBadRequest,
		Message:        "the embedded database speaks " + localDialect + ", not " + t.dialect.Name(),
		Candidates:     []string{localDialect},
		SuggestedRetry: `{"dialect":null}`,
	}
}

func unknownConnection(name string) error {
	return &ExecuteError{
		Code:    executor.CodeConfig,
		Message: "there is no connection named " + clip(name),
		Hint:    "no connections are configured; leave connection out to use the embedded database",
	}
}

// clip shortens a text of the caller's before a message repeats it.
func clip(s string) string {
	const most = 120
	r := []rune(s)
	if len(r) <= most {
		return s
	}
	return string(r[:most]) + "…"
}
