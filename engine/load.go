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
	l := Load{Running: e.gate.InUse(), Capacity: e.gate.Cap(), Refused: e.gate.Refused()}
	for _, c := range e.remote.list {
		if c.gate != nil {
			l.Refused += c.gate.Refused()
		}
	}
	return l
}

// acquire takes a slot of the engine for an execution on a target, and one of its
// connection where the profile bounds them. The error is a *BusyError.
func (e *Engine) acquire(t target) (release func(), err error) {
	own := func() {}
	if c := t.connection; c != nil && c.gate != nil {
		var ok bool
		if own, ok = c.gate.TryAcquire(); !ok {
			return nil, busyConnection(c.info.Name, c.gate.Cap())
		}
	}
	shared, ok := e.gate.TryAcquire()
	if !ok {
		own()
		return nil, busy(e.gate.Cap(), "execution")
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
