// Package rowbatch turns rows that arrive one by one into record batches, for
// the drivers whose protocol sends rows. How large a batch becomes is decided by
// package pace.
package rowbatch
