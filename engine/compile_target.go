package engine

import (
	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/profile"
	"github.com/semlayer/semlayer/modelspec/suggest"
	"github.com/semlayer/semlayer/planner"
	"github.com/semlayer/semlayer/planner/plan"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/sqlemit"
)

// embeddedDialect is what the embedded database speaks, and the default.
const embeddedDialect = "duckdb"

// compileTarget is where a query is compiled for.
type compileTarget struct {
	dialect    *sqlemit.Dialect
	planner    planner.Target
	connection *warehouseConnection // nil for the embedded database
	local      *localTarget         // nil for a statement on the connection
}

// compileTargetsByDialect prepares every dialect once, by canonical name.
func compileTargetsByDialect() map[string]compileTarget {
	out := map[string]compileTarget{}
	for _, name := range sqlemit.DialectNames() {
		if d, ok := sqlemit.LookupDialect(name); ok {
			out[name] = compileTarget{dialect: d, planner: planner.Target{Dialect: d.Name(), Caps: d.Capabilities()}}
		}
	}
	return out
}

// withProfileTextComparison returns the target with the comparison of texts that a profile requests.
func (t compileTarget) withProfileTextComparison(s profile.WarehouseSettings) compileTarget {
	m, ok := s.(*profile.MySQL)
	if !ok || !m.ByCodePoint {
		return t
	}
	t.dialect, t.planner.Caps.TextByCast = t.dialect.WithCodePointCollation()
	return t
}

// noting returns the target for a plan whose uses are noted.
func (t compileTarget) noting(uses *plan.Uses) compileTarget {
	t.planner.Uses = uses
	return t
}

// appendCacheKey appends what a statement depends on.
func (t compileTarget) appendCacheKey(to []byte) []byte {
	to = append(to, t.dialect.Name()...)
	if t.planner.Caps.TextByCast {
		to = append(to, " by code point"...)
	}
	if t.local != nil {
		to = append(append(to, " of the local file "...), t.local.file.id...)
	}
	return appendRollupTarget(to, t.planner.Rollups)
}

// chooseCompileTarget chooses the dialect: the request's, else the connection's, else that of the default
// connection or of the embedded database. A request that names both must mean the same.
func (e *Engine) chooseCompileTarget(dialect, connection string) (compileTarget, error) {
	if err := e.checkReader(); err != nil {
		return compileTarget{}, err
	}
	all := e.connectionsOfReader()
	if connection == "" && all.noDefault {
		return compileTarget{}, all.missingConnectionError()
	}
	if connection == "" && dialect == "" {
		if all.defaultName != "" {
			return all.targetOfConnection(all.defaultName)
		}
		return e.warehouses.targets[embeddedDialect], nil
	}
	var asked *sqlemit.Dialect
	if dialect != "" {
		var ok bool
		if asked, ok = sqlemit.LookupDialect(dialect); !ok {
			return compileTarget{}, &planerr.Error{
				Code:       planerr.CodeBadRequest,
				Message:    "unknown dialect " + planerr.ClipText(dialect),
				Candidates: suggest.Nearest(dialect, sqlemit.DialectNames(), suggest.MaxCandidates),
			}
		}
	}
	if connection == "" {
		if t, err := all.targetOfConnection(all.defaultName); err == nil && t.dialect.Name() == asked.Name() {
			return t, nil
		}
		return e.warehouses.targets[asked.Name()], nil
	}
	t, err := all.targetOfConnection(connection)
	if err != nil {
		return compileTarget{}, err
	}
	if asked != nil && asked.Name() != t.dialect.Name() {
		return compileTarget{}, dialectMismatchError("the connection "+planerr.ClipText(connection), t.dialect, asked)
	}
	return t, nil
}

// checkExecutable rejects a target that the warehouse of the request cannot run.
func (e *Engine) checkExecutable(t compileTarget) error {
	if t.connection != nil {
		if t.connection.configErr != nil && e.hidesSQL() {
			return &ExecuteError{Code: executor.CodeConfig, Message: messagesWithoutSQL[executor.CodeConfig]}
		}
		return t.connection.configErr
	}
	who, speaks := "the embedded database", e.warehouses.targets[embeddedDialect].dialect
	if all := e.connectionsOfReader(); all.defaultName != "" {
		own, err := all.targetOfConnection(all.defaultName)
		if err != nil {
			return err
		}
		who, speaks = "the default connection "+planerr.ClipText(all.defaultName), own.dialect
	} else if t.dialect.Name() == embeddedDialect {
		return nil
	}
	return dialectMismatchError(who, speaks, t.dialect)
}

func dialectMismatchError(who string, speaks, asked *sqlemit.Dialect) error {
	return &planerr.Error{
		Code:           planerr.CodeBadRequest,
		Message:        who + " speaks " + speaks.Name() + ", not " + asked.Name(),
		Candidates:     []string{speaks.Name()},
		SuggestedRetry: `{"dialect":null}`,
	}
}
