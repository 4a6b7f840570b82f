// Command smoke runs queries with known rows on the warehouses that the environment names. `make
// smoke-cloud` runs it.
//
//	SEMLAYER_SMOKE_<TYPE>_<KEY> ──► a connection profile for each type ──► engine ──► warehouse
//	questions.go ─────────────────────────────────────────────────────────► rows ─┴─► equal?
//
// The datasets of model.yaml are literals: nothing is created, and no table is read. Each service is
// met, failed, or not met: the last is not a pass. The exit code is 0 when at least one service was
// met, and all that are configured or named as arguments were.
package main
