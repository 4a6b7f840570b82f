package engine

import (
	"context"

	"github.com/semlayer/semlayer/engine/describe"
)

// Rollups lists the rollups without an error in the order of the model, with what was last read of their tables. Nothing is read for it.
func (e *Engine) Rollups(ctx context.Context) []describe.Rollup {
	out := e.visible().describer.Rollups()
	for i := range out {
		out[i].States = append(out[i].States, e.knownRollupStates(ctx, out[i].Name)...)
	}
	return out
}

// knownRollupStates lists what was last read of the table of a rollup on the embedded database and on the connections of the reader.
func (e *Engine) knownRollupStates(ctx context.Context, name string) []describe.RollupState {
	r := e.cat.Rollup(name)
	if r == nil {
		return nil
	}
	var out []describe.RollupState
	add := func(t compileTarget) {
		state, ok := e.warehouses.rollups.lastState(tableStateKey(t, e.rollupProbes(ctx, t, r)))
		if !ok {
			return
		}
		if sql := e.rollupControlQuery(t); sql != "" {
			control, _ := e.warehouses.rollups.lastState(tableStateKey(t, []string{sql}))
			state = state.withRecord(r, control)
		}
		known := describe.RollupState{Connection: t.connectionName(), Available: state.available && len(state.retyped) == 0, Definition: e.definitionOf(r.Name, state.record, t)}
		if !state.asOf.IsZero() {
			known.AsOf = formatAsOf(state.asOf)
		}
		out = append(out, known)
	}
	if r.Local { // which is in the file of each connection that a query has asked
		connections := []compileTarget{e.warehouses.targets[embeddedDialect]}
		for _, c := range e.connectionsOfReader().list {
			connections = append(connections, c.target)
		}
		for _, t := range connections {
			if file := e.warehouses.local.known(e.localFilePath(t.connectionName())); file != nil && t.dialect != nil {
				add(e.localTargetOf(t, file))
			}
		}
		return out
	}
	add(e.warehouses.targets[embeddedDialect])
	for _, c := range e.connectionsOfReader().list {
		if c.target.dialect != nil {
			add(c.target)
		}
	}
	return out
}
