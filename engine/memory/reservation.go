package memory

import "sync/atomic"

// Part counts the bytes that requests hold in one part of the Go heap.
type Part struct {
	name     PartName
	what     string
	capacity int64
	held     atomic.Int64
	refused  atomic.Int64
}

// Capacity returns the bytes of the share; 0 without a bound.
func (p *Part) Capacity() int64 {
	if p == nil {
		return 0
	}
	return p.capacity
}

// Held returns the bytes that are reserved now.
func (p *Part) Held() int64 {
	if p == nil {
		return 0
	}
	return p.held.Load()
}

// Reserve takes bytes of the share for one client. The error is a *LimitError, and the reservation is then nil.
func (p *Part) Reserve(bytes int64) (*Reservation, error) {
	r := &Reservation{part: p}
	if err := r.Grow(bytes); err != nil {
		return nil, err
	}
	return r, nil
}

// take adds bytes to those that are held, of which own belong to the same reservation.
func (p *Part) take(bytes, own int64) error {
	if bytes > p.capacity-own {
		p.refused.Add(1)
		return p.tooLargeError()
	}
	for {
		held := p.held.Load()
		if held+bytes > p.capacity {
			p.refused.Add(1)
			return p.heldError()
		}
		if p.held.CompareAndSwap(held, held+bytes) {
			return nil
		}
	}
}

// Reservation is what one request, or one object that a client keeps, holds of a share. Several goroutines may use it.
// A nil reservation counts nothing.
type Reservation struct {
	part  *Part
	bytes atomic.Int64
}

// Grow takes more bytes of the share. The error is a *LimitError, and the reservation is then as before.
func (r *Reservation) Grow(bytes int64) error {
	if r == nil || bytes <= 0 {
		return nil
	}
	if r.part != nil {
		if err := r.part.take(bytes, r.bytes.Load()); err != nil {
			return err
		}
	}
	r.bytes.Add(bytes)
	return nil
}

// Shrink gives bytes back, at most those that are held.
func (r *Reservation) Shrink(bytes int64) {
	if r == nil || bytes <= 0 {
		return
	}
	for {
		held := r.bytes.Load()
		given := min(bytes, held)
		if r.bytes.CompareAndSwap(held, held-given) {
			if r.part != nil {
				r.part.held.Add(-given)
			}
			return
		}
	}
}

// Resize grows or shrinks the reservation to a number of bytes. The error is that of Grow.
func (r *Reservation) Resize(bytes int64) error {
	if held := r.Bytes(); bytes < held {
		r.Shrink(held - bytes)
		return nil
	}
	return r.Grow(bytes - r.Bytes())
}

// Bytes returns what the reservation holds.
func (r *Reservation) Bytes() int64 {
	if r == nil {
		return 0
	}
	return r.bytes.Load()
}

// Release gives everything back. A second call does nothing.
func (r *Reservation) Release() { r.Shrink(r.Bytes()) }
