// Package cli is the command line of semlayer.
//
//	arguments ─► cobra ─► settings (flags, then variables) ─► engine, restapi ─► output
//	                         │                                     │
//	                         └ wrong: exit code 2                  └ refused: exit code 1
//
// Every query command opens an engine, calls one of its methods and prints the result: as
// an aligned table if the output is a terminal, else as the JSON of the HTTP interface.
// --format overrides this. Errors of the engine go to standard error, in the same two
// formats.
package cli
