package batchsize

import "time"

const (
	secondRows = 4096
	maxRows    = 65536
	maxBytes   = 16 << 20
	// maxAge bounds how long rows wait for their batch to fill: a selective filter over a
	// large table yields rows slowly.
	maxAge = 100 * time.Millisecond
)

// Sizer decides the sizes of the batches of one result.
type Sizer struct {
	target  int
	likely  int
	started time.Time
}

// New returns the sizer of a result whose first batch has first rows.
func New(first int) Sizer { return Sizer{target: first, likely: first} }

// Start begins the next batch.
func (s *Sizer) Start() { s.started = time.Now() }

// ExpectedRows returns an estimate of the rows of the batch, for reserving memory: the
// target, unless the last batch was small. Most results are small and come in a few
// pieces, and memory for thousands of rows would be most of their cost.
func (s *Sizer) ExpectedRows() int { return s.likely }

// Full reports whether a batch of that size should be handed out. An empty batch is never
// full.
func (s *Sizer) Full(rows, bytes int) bool {
	return rows > 0 && (rows >= s.target || bytes >= maxBytes || time.Since(s.started) >= maxAge)
}

// Grow sets a larger target for the next batch, after a batch of that many rows.
func (s *Sizer) Grow(rows int) {
	s.target = min(max(2*rows, 2*s.target, secondRows), maxRows)
	s.likely = min(2*rows, s.target)
}
