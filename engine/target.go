package engine

import (
	"github.com/semlayer/semlayer/executor/profile"
	"github.com/semlayer/semlayer/modelspec/suggest"
	"github.com/semlayer/semlayer/planner"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/sqlemit"
)

// embeddedDialect is what the embedded database speaks, and the default.
const embeddedDialect = "duckdb"

// target is where a query is compiled for.
type target struct {
	dialect    *sqlemit.Dialect
	planner    planner.Target
	connection *connection // nil for the embedded database
}

// targetsOfDialects prepares every dialect once, by canonical name.
func targetsOfDialects() map[string]target {
	out := map[string]target{}
	for _, name := range sqlemit.Names() {
		if d, ok := sqlemit.Lookup(name); ok {
			out[name] = target{dialect: d, planner: planner.Target{Dialect: d.Name(), Caps: d.Capabilities()}}
		}
	}
	return out
}

// withTextComparison is the target with the comparison of texts that a profile asks for.
func (t target) withTextComparison(s profile.Settings) target {
	m, ok := s.(*profile.MySQL)
	if !ok || !m.ByCodePoint {
		return t
	}
	t.dialect, t.planner.Caps.TextByCast = t.dialect.ByCodePoint()
	return t
}

// appendCacheKey appends what a statement depends on.
func (t target) appendCacheKey(to []byte) []byte {
	to = append(to, t.dialect.Name()...)
	if t.planner.Caps.TextByCast {
		to = append(to, " by code point"...)
	}
	return to
}

// target chooses the dialect: the request's, else the connection's, else the
// embedded database's. A request that names both must mean the same.
func (e *Engine) target(dialect, connection string) (target, error) {
	if connection == "" && dialect == "" {
		return e.warehouses.targets[embeddedDialect], nil
	}
	var asked *sqlemit.Dialect
	if dialect != "" {
		var ok bool
		if asked, ok = sqlemit.Lookup(dialect); !ok {
			return target{}, &PlanError{
				Code:       planerr.CodeBadRequest,
				Message:    "unknown dialect " + planerr.Clip(dialect),
				Candidates: suggest.Nearest(dialect, sqlemit.Names(), suggest.Limit),
			}
		}
	}
	if connection == "" {
		return e.warehouses.targets[asked.Name()], nil
	}
	t, err := e.warehouses.connections.Load().target(connection)
	if err != nil {
		return target{}, err
	}
	if asked != nil && asked.Name() != t.dialect.Name() {
		return target{}, dialectMismatch("the connection "+planerr.Clip(connection), t.dialect, asked)
	}
	return t, nil
}

// checkExecutable refuses a target that the warehouse of the request cannot run.
func (t target) checkExecutable() error {
	if t.connection != nil {
		return t.connection.configErr
	}
	if t.dialect.Name() == embeddedDialect {
		return nil
	}
	local, _ := sqlemit.Lookup(embeddedDialect)
	return dialectMismatch("the embedded database", local, t.dialect)
}

func dialectMismatch(who string, speaks, asked *sqlemit.Dialect) error {
	return &PlanError{
		Code:           planerr.CodeBadRequest,
		Message:        who + " speaks " + speaks.Name() + ", not " + asked.Name(),
		Candidates:     []string{speaks.Name()},
		SuggestedRetry: `{"dialect":null}`,
	}
}
