package engine

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/semlayer/semlayer/engine/memory"
	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/semaphore"
	"github.com/semlayer/semlayer/modelspec/access"
)

// ExecutionStats holds the use of an engine's execution slots.
type ExecutionStats struct {
	Running  int // executions that hold a slot now
	Capacity int // number of slots
	// Refused counts the executions that found no slot since Open.
	Refused int64
	// Connections are the running executions of each profile, and of the embedded database, whose name is "".
	Connections []ConnectionExecutions
}

// ConnectionExecutions counts the executions on one connection.
type ConnectionExecutions struct {
	Connection string
	Running    int
	// CredentialExpiry is when the password or token in use expires; zero where that is not known.
	CredentialExpiry time.Time
}

// ExecutionStats reports the executions; it takes no lock.
func (e *Engine) ExecutionStats() ExecutionStats {
	l := ExecutionStats{Running: e.warehouses.slots.TakenCount(), Capacity: e.warehouses.slots.Capacity(), Refused: e.warehouses.slots.RefusedAcquireCount()}
	l.Connections = append(l.Connections, ConnectionExecutions{Running: int(e.warehouses.embeddedRunning.Load())})
	for _, c := range e.warehouses.connections.Load().list {
		l.Connections = append(l.Connections, ConnectionExecutions{c.info.Name, int(c.running.Load()), c.credentialExpiry()})
		if c.slots != nil {
			l.Refused += c.slots.RefusedAcquireCount()
		}
	}
	return l
}

// MemoryUse reports what requests hold of Config.Memory; nothing without one.
func (e *Engine) MemoryUse() []memory.PartUse { return e.config.Memory.Use() }

// acquireSlot takes a slot of the engine for an execution on a target, and one of its
// connection where the profile bounds them. Where the quota of the context has a wait, it waits for its turn. The error is
// a *BusyError, or that of a context that ends during the wait.
func (e *Engine) acquireSlot(ctx context.Context, t compileTarget) (release func(), err error) {
	q, _ := access.QuotaFrom(ctx)
	name, own, running := "", (*semaphore.NonBlockingSemaphore)(nil), &e.warehouses.embeddedRunning
	if c := t.connection; c != nil {
		name, own, running = c.info.Name, c.slots, &c.running
	}
	shared, queues := e.warehouses.slots, e.warehouses.queues
	take := func() (func(), bool) {
		freeOwn := func() {}
		if own != nil {
			var ok bool
			if freeOwn, ok = own.TryAcquireQuietly(); !ok {
				return nil, false
			}
		}
		freeShared, ok := shared.TryAcquireQuietly()
		if !ok {
			freeOwn()
			return nil, false
		}
		running.Add(1)
		var once sync.Once // a slot may be given back twice
		return func() {
			once.Do(func() { running.Add(-1) })
			freeShared()
			freeOwn()
		}, true
	}
	if q.QueueMS != nil && *q.QueueMS > 0 {
		begun := time.Now()
		release, ok := queues.wait(ctx, name, q, time.Duration(*q.QueueMS)*time.Millisecond, take)
		recordQueue(ctx, begun)
		switch {
		case ok:
			return release, nil
		case ctx.Err() != nil:
			return nil, e.toExecuteError(ctx, ctx.Err())
		}
	} else if release, ok := queues.tryTake(q, take); ok {
		return release, nil
	}
	return nil, e.refuseSlot(q, name, own)
}

// refuseSlot counts an execution that got no slot, and returns its error.
func (e *Engine) refuseSlot(q access.Quota, name string, own *semaphore.NonBlockingSemaphore) error {
	if own != nil && own.TakenCount() >= own.Capacity() {
		own.CountRefusal()
		return busyConnectionError(name, own.Capacity())
	}
	shared := e.warehouses.slots
	shared.CountRefusal()
	if q.Concurrent > 0 && shared.TakenCount() < shared.Capacity() {
		return &BusyError{CodeBusy, fmt.Sprintf("the caller has %d executions at once, as many as its quota allows; try again soon", q.Concurrent)}
	}
	return busyError(shared.Capacity(), "execution")
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
