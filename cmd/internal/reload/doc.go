// Package reload loads the models of a server again when their files change.
//
//	a signal ─► read the files ─► compare with what is served ─► load, validate, compile ─► restapi.Models ─► the server
//	                                          │                          │
//	                                          └─ equal: nothing          └─ errors: the old model stays, rejected
//
// A ModelSet holds a model for each file. Reload reads the files and returns what is to be served; the
// server swaps that in as one value, so that a request uses the models that it began with to its
// end. All work is done by the one goroutine that calls Reload: the requests have the other processors.
// The models share the connections, the embedded database and the slots of their engine.Warehouses,
// which no reload touches.
package reload
