// Package batchbuilder turns rows that arrive one by one into record batches, for
// the drivers whose protocol sends rows. Package batchsize decides the size
// of a batch.
package batchbuilder
