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
	likely  int
	started time.Time
}

// New returns the pace of a result whose first batch has first rows.
func New(first int) Pace { return Pace{target: first, likely: first} }

// Start begins the next batch.
func (p *Pace) Start() { p.started = time.Now() }

// Rows is a guess at the rows that the batch gets, for whoever makes room for them:
// what it may have, unless the last batch was small. Most results are small and
// come in a few pieces, and room for thousands of rows would be most of their cost.
func (p *Pace) Rows() int { return p.likely }

// Full reports whether a batch of that size should be handed out. An empty one
// never is.
func (p *Pace) Full(rows, bytes int) bool {
	return rows > 0 && (rows >= p.target || bytes >= maxBytes || time.Since(p.started) >= maxAge)
}

// Next makes the following batch larger than the one of that many rows.
func (p *Pace) Next(rows int) {
	p.target = min(max(2*rows, 2*p.target, secondRows), maxRows)
	p.likely = min(2*rows, p.target)
}
