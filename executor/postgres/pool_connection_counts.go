package postgres

import "github.com/semlayer/semlayer/executor"

// PoolUse counts the connections of the pool.
func (e *Executor) PoolUse() executor.PoolUse {
	s := e.pool.Stat()
	return executor.PoolUse{InUse: int(s.AcquiredConns()), Idle: int(s.IdleConns()), Max: int(s.MaxConns())}
}
