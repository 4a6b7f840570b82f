package memory

import (
	"context"
	"sync"
)

// Account keeps the reservations of one request until its response is sent. Its methods may run at the same time.
type Account struct {
	mu   sync.Mutex
	kept []*Reservation
}

type accountContextKey struct{}

// WithAccount returns a context whose reservations KeepForResponse leaves to an account.
func WithAccount(ctx context.Context, a *Account) context.Context {
	return context.WithValue(ctx, accountContextKey{}, a)
}

// KeepForResponse leaves a reservation to the account of ctx, and releases it where there is none: the bytes then
// belong to a caller that does not count.
func KeepForResponse(ctx context.Context, r *Reservation) {
	a, ok := ctx.Value(accountContextKey{}).(*Account)
	if !ok || r.Bytes() == 0 {
		r.Release()
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.kept = append(a.kept, r)
}

// Release releases all reservations. The account can be used again. A nil account does nothing.
func (a *Account) Release() {
	if a == nil {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, r := range a.kept {
		r.Release()
	}
	a.kept = nil
}
