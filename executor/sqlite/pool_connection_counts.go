package sqlite

import "github.com/semlayer/semlayer/executor"

// PoolUse counts the connections to the file.
func (e *Executor) PoolUse() executor.PoolUse {
	e.mu.Lock()
	defer e.mu.Unlock()
	return executor.PoolUse{InUse: e.slots.TakenCount(), Idle: len(e.idle), Max: e.slots.Capacity()}
}
