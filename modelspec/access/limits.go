package access

import (
	"context"
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

// LimitsOf returns the quotas of an identity in a model, which a service without quotas leaves at zero. The greatest value of
// each key among the roles counts, and a role without the key has no limit; the limits of required are a ceiling. serviceQueueMS is the wait of the service.
func (f *File) LimitsOf(p *Policies, id Identity, serviceQueueMS int) Limits {
	out := Limits{QueueMS: &serviceQueueMS}
	if p != nil && p.HasRoles {
		for i, name := range id.KnownRoles(p) {
			limits := p.RoleNamed(name).Limits.withQueue(serviceQueueMS)
			if i == 0 {
				out = limits
				continue
			}
			out = out.combine(limits, greater)
		}
	}
	if f.RequiredLimits != nil {
		out = out.combine(f.RequiredLimits.withQueue(max(*out.QueueMS, 0)), lesser)
	}
	if out.RequestsPerSecond == 0 {
		out.Burst = 0
	}
	return out
}

// withQueue returns the limits of a role with the wait of the service where they have none.
func (l *Limits) withQueue(serviceQueueMS int) Limits {
	out := Limits{}
	if l != nil {
		out = *l
	}
	if out.QueueMS == nil {
		out.QueueMS = &serviceQueueMS
	}
	return out
}

// combine joins two limits key by key. Zero is without a limit.
func (l Limits) combine(o Limits, choose func(a, b float64) float64) Limits {
	wait := int(math.Max(float64(*l.QueueMS), float64(*o.QueueMS)))
	if choose(1, 2) == 1 {
		wait = min(*l.QueueMS, *o.QueueMS)
	}
	out := Limits{
		Concurrent: int(choose(float64(l.Concurrent), float64(o.Concurrent))), RequestsPerSecond: choose(l.RequestsPerSecond, o.RequestsPerSecond),
		Burst: int(choose(float64(l.Burst), float64(o.Burst))), QueueMS: &wait, Rows: l.Rows, BytesBilled: l.BytesBilled,
	}
	if choose(float64(l.Rows), float64(o.Rows)) != float64(l.Rows) {
		out.Rows = o.Rows
	}
	if choose(float64(l.BytesBilled), float64(o.BytesBilled)) != float64(l.BytesBilled) {
		out.BytesBilled = o.BytesBilled
	}
	return out
}

// greater chooses the looser of two limits, lesser the stricter.
func greater(a, b float64) float64 {
	if a == 0 || b == 0 {
		return 0
	}
	return math.Max(a, b)
}

func lesser(a, b float64) float64 {
	switch {
	case a == 0:
		return b
	case b == 0:
		return a
	}
	return math.Min(a, b)
}

// Quota is the quotas of a request, and who uses them.
type Quota struct {
	Limits
	// Identity is different for callers that are counted apart, and Model for models that are.
	Identity, Model string
}

type quotaKey struct{}

// WithQuota returns a context whose work is bounded by the quotas.
func WithQuota(ctx context.Context, q Quota) context.Context {
	return context.WithValue(ctx, quotaKey{}, q)
}

// QuotaFrom returns the quotas of a context.
func QuotaFrom(ctx context.Context) (Quota, bool) {
	q, ok := ctx.Value(quotaKey{}).(Quota)
	return q, ok
}
