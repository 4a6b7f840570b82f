// Package faults tests failures of the network: it breaks the connection between the server and its
// warehouse, and checks what the client receives.
//
//	client ─► HTTP server ─► engine ─► driver ─► proxy ─✂─► PostgreSQL, MariaDB
//
// The proxy cuts before the first byte, cuts in mid-stream, stalls and drips; the
// database restarts. Each is done to a response in JSON and to an Arrow stream. What
// must come of it is always the same: the right code with its status while there is
// a status to send, a body that does not pass for a whole one after that, the slot
// back, and a result for the next query.
//
// SEMLAYER_FAULT_RUNS is the number of runs of each; `make proof` sets it to 100.
// Below the server, each driver does the same for itself (executor/executortest).
package faults
