// Package soak tests long operation: it keeps a server busy and checks that memory, goroutines and
// answers stay the same.
//
//	requests of every kind ─► HTTP server ─► engine ─► DuckDB file
//	   every answer checked          │
//	                                 └── at equal intervals: heap, resident memory,
//	                                     goroutines, open files
//
// The load is steady and leaves the machine time to breathe, so that what grows does so
// because it is kept and not because work piles up. Requests compile, execute, select,
// attribute, stream, are rejected for every kind of reason, run out of time, and are given
// up by their clients while DuckDB computes. Answers are compared with figures that were
// worked out from the data by hand. The load is a number of requests: a machine that is busy with
// other programs takes longer over it.
//
// Before every sample the test waits until every request and connection has ended, and collects
// garbage twice, because the pools of package sync keep their buffers over one collection. The
// memory in use then is retained. Idle goroutines that the server of HTTP keeps for its next
// connections are not counted.
// The first quarter warms up; then the medians of the first and the last third of the
// samples are compared. SEMLAYER_TEST_SOAK is the duration on an idle machine: seconds by default, half
// an hour in `make proof`.
package soak
