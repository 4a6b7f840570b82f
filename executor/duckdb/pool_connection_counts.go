package duckdb

import "github.com/semlayer/semlayer/executor"

// PoolUse counts the connections to the database.
func (e *Executor) PoolUse() executor.PoolUse {
	e.mu.Lock()
	defer e.mu.Unlock()
	idle := 0
	if e.current != nil {
		idle = len(e.current.idle)
	}
	return executor.PoolUse{InUse: e.slots.TakenCount(), Idle: idle, Max: e.slots.Capacity()}
}
