// Package engine is the one door to the service: it loads a model, lists what
// the model offers, and compiles, explains and executes queries against it.
//
//	model file ─► Open ─► Engine
//	                       │  Model Capabilities Datasets Metrics Dimensions Connections Validate Lineage
//	                       │  CompileMetrics ─► SQL
//	query ─► DecodeMetric ─┤  ExplainMetrics ─► plan text
//	                       │  ExecuteMetrics ─► rows
//	                       │  StreamMetrics ─► Arrow IPC
//	                       └─ Close
//
// Package engine/describe makes the lists, and modelspec/lineage the graph.
//
// The command line, the HTTP server and programs that embed the engine all go
// through it, and that is why they answer alike: a face turns its own kind of
// request into a query, calls one verb, and shows what comes back.
//
// # Sharing
//
// The compiled model is immutable, so an Engine is safe for concurrent use and
// compiling takes no lock. What executes is bounded: each execution holds one
// of Config.MaxExecutions slots until its statement has really ended, and a
// request that finds none is refused with code busy at once.
//
// # Errors
//
// Every error that a request can cause has a stable code and marshals to the
// wire shape of its stage; errors.As with CodedError finds it. Codes lists them all.
// An Engine does not panic: a defect inside becomes code internal.
package engine
