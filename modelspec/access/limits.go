package access

import (
	"math"
	"strconv"

	"github.com/semlayer/semlayer/modelspec/document"
)

// Limits are the quotas of a role; zero is without a limit.
type Limits struct {
	Concurrent        int     // executions of one identity at once
	RequestsPerSecond float64 // of the token bucket
	Burst             int     // of the token bucket; at least 1 with a rate
	Rows              int64   // of one execute response
	BytesBilled       int64   // of one statement on a warehouse that bills by bytes
	QueueMS           *int    // waiting for a slot, in place of the server's; nil is the server's
}

// maxQueueMS is the longest wait of a request for a slot.
const maxQueueMS = 60_000

func (r *fileReader) readLimits(n *document.Node, location string) *Limits {
	l := &Limits{}
	o, ok := r.openMapping(n, location, "limits", "concurrent", "requests_per_second", "burst", "rows", "bytes_billed", "queue_ms")
	if !ok {
		return l
	}
	concurrent, _ := o.readInteger("concurrent", 1, math.MaxInt32)
	l.Concurrent = int(concurrent)
	l.RequestsPerSecond = o.readRate("requests_per_second")
	burst, _ := o.readInteger("burst", 1, math.MaxInt32)
	l.Burst = int(burst)
	switch {
	case l.Burst > 0 && o.find("requests_per_second") == nil:
		r.addInvalid(o.find("burst"), o.MemberLocation("burst"), "burst needs requests_per_second")
	case l.Burst == 0 && l.RequestsPerSecond > 0:
		l.Burst = int(min(math.Ceil(l.RequestsPerSecond), math.MaxInt32))
	}
	l.Rows, _ = o.readInteger("rows", 1, math.MaxInt64)
	l.BytesBilled, _ = o.readInteger("bytes_billed", 1, math.MaxInt64)
	if ms, ok := o.readInteger("queue_ms", 0, maxQueueMS); ok {
		wait := int(ms)
		l.QueueMS = &wait
	}
	return l
}

// readRate reads an optional number above 0.
func (o mappingReader) readRate(key string) float64 {
	n := o.find(key)
	if n == nil {
		return 0
	}
	if n.Kind == document.ScalarNode && (n.Tag == "!!int" || n.Tag == "!!float") {
		rate, err := strconv.ParseFloat(n.Value, 64)
		if err == nil && rate > 0 && !math.IsInf(rate, 0) {
			return rate
		}
	}
	o.addInvalid(n, o.MemberLocation(key), "%s must be a number above 0, is %s", key, n.Describe())
	return 0
}
