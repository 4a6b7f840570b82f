package engine

import (
	"github.com/semlayer/semlayer/engine/memory"
	"github.com/semlayer/semlayer/executor"
)

// ExecutionStats holds the use of an engine's execution slots.
type ExecutionStats struct {
	Running  int // executions that hold a slot now
	Capacity int // number of slots
	// Refused counts the executions that found no slot since Open.
	Refused int64
}

// ExecutionStats reports the executions; it takes no lock.
func (e *Engine) ExecutionStats() ExecutionStats {
	l := ExecutionStats{Running: e.warehouses.slots.TakenCount(), Capacity: e.warehouses.slots.Capacity(), Refused: e.warehouses.slots.RefusedAcquireCount()}
	for _, c := range e.warehouses.connections.Load().list {
		if c.slots != nil {
			l.Refused += c.slots.RefusedAcquireCount()
		}
	}
	return l
}

// MemoryUse reports what requests hold of Config.Memory; nothing without one.
func (e *Engine) MemoryUse() []memory.PartUse { return e.config.Memory.Use() }

// acquireSlot takes a slot of the engine for an execution on a target, and one of its
// connection where the profile bounds them. The error is a *BusyError.
func (e *Engine) acquireSlot(t compileTarget) (release func(), err error) {
	own := func() {}
	if c := t.connection; c != nil && c.slots != nil {
		var ok bool
		if own, ok = c.slots.TryAcquire(); !ok {
			return nil, busyConnectionError(c.info.Name, c.slots.Capacity())
		}
	}
	shared, ok := e.warehouses.slots.TryAcquire()
	if !ok {
		own()
		return nil, busyError(e.warehouses.slots.Capacity(), "execution")
	}
	return func() {
		shared()
		own()
	}, nil
}

// PoolInfo is the use of the connections to one warehouse.
type PoolInfo struct {
	Connection string // name of the profile; "" for the embedded database
	Dialect    string
	executor.PoolUse
}

// Pools reports the connections of every warehouse that has been used and has a pool.
// It never blocks: a warehouse that is just being opened is left out.
func (e *Engine) Pools() []PoolInfo {
	var out []PoolInfo
	add := func(name, dialect string, db executor.Executor) {
		if p, ok := db.(executor.PoolReporter); ok {
			out = append(out, PoolInfo{name, dialect, p.PoolUse()})
		}
	}
	add("", embeddedDialect, e.warehouses.embeddedDB.executorIfOpen())
	for _, c := range e.warehouses.connections.Load().list {
		add(c.info.Name, c.info.Dialect, c.db.executorIfOpen())
	}
	return out
}
