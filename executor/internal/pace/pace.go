package pace

import "time"

const (
	secondRows = 4096
	maxRows    = 65536
	maxBytes   = 16 << 20
	// maxAge bounds how long rows wait for company: a selective filter over a
	// large table yields them slowly.
	maxAge = 100 * time.Millisecond
)

// Pace measures the batches of one result. New says how large the first is.
type Pace struct {
	target  int
	started time.Time
}

// New returns the pace of a result whose first batch has first rows.
func New(first int) Pace { return Pace{target: first} }

// Start begins the next batch.
func (p *Pace) Start() { p.started = time.Now() }

// Rows is the number of rows that the batch is expected to get.
func (p *Pace) Rows() int { return p.target }

// Full reports whether a batch of that size should be handed out. An empty one
// never is.
func (p *Pace) Full(rows, bytes int) bool {
	return rows > 0 && (rows >= p.target || bytes >= maxBytes || time.Since(p.started) >= maxAge)
}

// Next makes the following batch larger than the one of that many rows.
func (p *Pace) Next(rows int) {
	p.target = min(max(2*rows, 2*p.target, secondRows), maxRows)
}
