package engine

import "github.com/semlayer/semlayer/executor"

// Load is how busy the executions of an engine are.
type Load struct {
	Running  int // executions that hold a permit now
	Capacity int // permits there are
	// Refused counts the executions that found no permit since Open.
	Refused int64
}

// Load reports the executions; it takes no lock.
func (e *Engine) Load() Load {
	return Load{Running: e.gate.InUse(), Capacity: e.gate.Cap(), Refused: e.gate.Refused()}
}

// PoolInfo is the use of the connections to one warehouse.
type PoolInfo struct {
	Connection string // name of the profile; "" for the embedded database
	Dialect    string
	executor.PoolUse
}

// Pools reports the connections of every warehouse that has been used and keeps
// some. It waits for nobody: a warehouse that is just being opened is left out.
func (e *Engine) Pools() []PoolInfo {
	var out []PoolInfo
	add := func(name, dialect string, db executor.Executor) {
		if p, ok := db.(executor.Pooled); ok {
			out = append(out, PoolInfo{name, dialect, p.PoolUse()})
		}
	}
	add("", localDialect, e.local.peek())
	for _, c := range e.remote.list {
		add(c.info.Name, c.info.Dialect, c.db.peek())
	}
	return out
}
