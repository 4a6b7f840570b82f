// Package engine is the single entry point of the service: it loads a model, lists its
// objects, and compiles, explains and executes queries against it.
//
//	model file ─► Open ─► Engine
//	                       │  Model Capabilities Datasets Metrics Dimensions Connections Validate Lineage
//	query ─► DecodeMetric ─┤  Prepare ─► Statement
//	                       │              │  SQL     ─► text for a dialect
//	                       │              │  Explain ─► plan text
//	                       │              │  Execute ─► rows
//	                       │              └─ Stream  ─► Arrow IPC
//	                       └─ Close
//
// Package engine/describe makes the lists, and modelspec/lineage the graph.
//
// The command line, the HTTP server and programs that embed the engine all use it,
// so they return the same results: each interface turns its request into a query, calls
// one method of the engine, and formats the result.
//
// # Sharing
//
// The compiled model is immutable, so an Engine is safe for concurrent use and
// compiling takes no lock. Executions are bounded: each holds one of
// Config.MaxExecutions slots until its statement has really ended, and an execution
// that finds none fails immediately with code busy.
//
// # Errors
//
// Every error that a request can cause has a stable code and marshals to the
// wire shape of its stage; errors.As with CodedError finds it. Codes lists them all.
// An Engine does not panic: an internal failure becomes code internal.
package engine
