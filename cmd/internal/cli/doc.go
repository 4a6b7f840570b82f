// Package cli is the command line of semlayer.
//
//	arguments ─► cobra ─► settings (flags, then variables) ─► engine, restapi ─► output
//	                         │                                     │
//	                         └ wrong: exit code 2                  └ refused: exit code 1
//
// Every command that asks a question opens an engine, calls one of its verbs
// and prints the answer: aligned for people when the output is a terminal, as
// the JSON of the HTTP interface when it is not, or as --format says. An
// engine's refusal is printed on standard error, in the same two ways.
package cli
