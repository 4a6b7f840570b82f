package mysql

import "github.com/semlayer/semlayer/executor"

// PoolUse counts the connections of the pool.
func (e *Executor) PoolUse() executor.PoolUse {
	s := e.pool.Stats()
	return executor.PoolUse{InUse: s.InUse, Idle: s.Idle, Max: s.MaxOpenConnections}
}
