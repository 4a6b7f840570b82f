package identity

import (
	"fmt"
	"math"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
	"golang.org/x/time/rate"

	"github.com/semlayer/semlayer/modelspec/access"
)

// CodeRateLimited is the code of a RateLimitedError.
const CodeRateLimited = "rate_limited"

// maxBuckets is the number of token buckets that are kept, those that were used last.
const maxBuckets = 100_000

// RateLimitedError rejects a request of a caller that has sent too many.
type RateLimitedError struct {
	Code    string `json:"code"`
	Message string `json:"message"`
	// RetryAfter is the time until the bucket has a token, in whole seconds.
	RetryAfter int `json:"-"`
}

// Error returns the code and the message.
func (e *RateLimitedError) Error() string { return e.Code + ": " + e.Message }

// ErrorCode returns the stable code.
func (e *RateLimitedError) ErrorCode() string { return e.Code }

func newBuckets() *lru.Cache[string, *rate.Limiter] {
	buckets, err := lru.New[string, *rate.Limiter](maxBuckets)
	if err != nil { // which a size above 0 never gives
		panic(err)
	}
	return buckets
}

// QuotaOf returns the quotas of a caller in a model, which is "" on a server of one model. Callers without an identity are counted together.
func (d *Directory) QuotaOf(c Caller, model string) access.Quota {
	wait := int(d.queueMS.Load())
	if c.Policies == nil {
		return access.Quota{Limits: access.Limits{QueueMS: &wait}, Identity: c.quotaKey(), Model: model}
	}
	return access.Quota{Limits: c.Policies.LimitsOf(c.Policies.PoliciesOf(model), c.Identity, wait), Identity: c.quotaKey(), Model: model}
}

// quotaKey is the key under which a caller is counted; those without an identity are counted together.
func (c Caller) quotaKey() string {
	if c.Named {
		return c.Key()
	}
	return ""
}

// Admit takes a token from the bucket of quotas. The error is a *RateLimitedError.
func (d *Directory) Admit(q access.Quota) error {
	if q.RequestsPerSecond == 0 {
		return nil
	}
	now := d.now()
	bucket := d.bucketOf(q.Model+"\x00"+q.Identity, rate.Limit(q.RequestsPerSecond), q.Burst, now)
	reserved := bucket.ReserveN(now, 1)
	wait := reserved.DelayFrom(now)
	if wait == 0 {
		return nil
	}
	reserved.CancelAt(now)
	d.rateLimited.Add(1)
	seconds := max(1, int(min(math.Ceil(wait.Seconds()), math.MaxInt32)))
	return &RateLimitedError{
		Code: CodeRateLimited, RetryAfter: seconds,
		Message: fmt.Sprintf("more than %v requests a second; the next one is accepted in %d s", q.RequestsPerSecond, seconds),
	}
}

func (d *Directory) bucketOf(key string, limit rate.Limit, burst int, now time.Time) *rate.Limiter {
	bucket := rate.NewLimiter(limit, burst)
	if held, ok, _ := d.buckets.PeekOrAdd(key, bucket); ok {
		d.buckets.Get(key) // notes the use
		bucket = held
	}
	if bucket.Limit() != limit {
		bucket.SetLimitAt(now, limit)
	}
	if bucket.Burst() != burst {
		bucket.SetBurstAt(now, burst)
	}
	return bucket
}

// SetQueueMS sets the time that a request waits for a slot where no limit gives another.
func (d *Directory) SetQueueMS(ms int) { d.queueMS.Store(int64(ms)) }
