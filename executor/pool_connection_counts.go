package executor

// PoolUse counts the connections that an executor keeps.
type PoolUse struct {
	InUse int // carrying a statement, or rows that are still open
	Idle  int // open and waiting for work
	Max   int // the most there may be
}

// PoolReporter is an executor that keeps connections and can count them at any time,
// without waiting.
type PoolReporter interface{ PoolUse() PoolUse }
