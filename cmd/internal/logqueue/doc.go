// Package logqueue writes the lines of a log without waiting for the reader of the log.
//
//	request ──► Queue (bounded) ──► one goroutine ──► standard error
//
// A pipe without a reader blocks the goroutine alone. Lines for which the queue has no room, and lines
// that cannot be written, are dropped and counted.
package logqueue
