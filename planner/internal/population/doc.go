// Package population decides which conditions of a context_filter choose the rows of the steps of a sequence, and binds them to these rows.
// The others choose rows of the sequence itself.
package population
