package driver

import "time"

const (
	secondBatchRows = 4096
	maxBatchRows    = 65536
	maxBatchBytes   = 4 << 20
	// maxBatchAge bounds how long rows wait for their batch to fill: a selective filter over a
	// large table yields rows slowly.
	maxBatchAge = 100 * time.Millisecond
)

// BatchSizer decides the sizes of the batches of one result.
type BatchSizer struct {
	target  int
	likely  int
	started time.Time
}

// NewBatchSizer returns the sizer of a result whose first batch has first rows.
func NewBatchSizer(first int) BatchSizer { return BatchSizer{target: first, likely: first} }

// StartBatch begins the next batch.
func (s *BatchSizer) StartBatch() { s.started = time.Now() }

// ExpectedRows returns an estimate of the rows of the batch, for reserving memory: the
// target, unless the last batch was small. Most results are small and come in a few
// pieces, and memory for thousands of rows would be most of their cost.
func (s *BatchSizer) ExpectedRows() int { return s.likely }

// IsFull reports whether a batch of that size should be handed out. An empty batch is never
// full.
func (s *BatchSizer) IsFull(rows, bytes int) bool {
	return rows > 0 && (s.IsLarge(rows, bytes) || time.Since(s.started) >= maxBatchAge)
}

// IsLarge reports whether a batch has its rows or its bytes. It reads no clock.
func (s *BatchSizer) IsLarge(rows, bytes int) bool { return rows >= s.target || bytes >= maxBatchBytes }

// RaiseRowTarget sets a larger target for the next batch, after a batch of that many rows.
func (s *BatchSizer) RaiseRowTarget(rows int) {
	s.target = min(max(2*rows, 2*s.target, secondBatchRows), maxBatchRows)
	s.likely = min(2*rows, s.target)
}
