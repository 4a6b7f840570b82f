package executor

// PoolUse counts the connections that an executor keeps.
type PoolUse struct {
	InUse int // carrying a statement, or rows that are still open
	Idle  int // open and waiting for work
	Max   int // the most there may be
}

// Pooled is an executor that keeps connections and can count them at any time,
// without waiting.
type Pooled interface{ PoolUse() PoolUse }
