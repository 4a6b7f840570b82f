// Package blockingcall makes calls of drivers that block without a context, and stops them when
// a context ends.
//
//	Run ─► the call returns first ─► its error
//	    └► the context ends first ─► stop ends the statement ─► the call returns ─► the error of the context
//
// InterruptUntilReturned is the stop of databases that run in this process.
package blockingcall
