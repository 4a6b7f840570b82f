// Package restapi serves an engine over HTTP.
//
//	request ─► admit ─► record ─► recover ─► headers ─► authenticate ─► route ─► verb of the engine ─► JSON
//	             │                                             │             │              │
//	             └─────────────────────────────────────────────┴─────────────┴──────────────┴─► problem ─► {"error": {…}}
//
// One table of routes (routes.go) holds what is served, which routes need no
// token and which ones execute. The constructor builds the router from it, and the
// files spec_*.go the OpenAPI document at /openapi.json: handlers do not know
// the document. A route without an operation in it fails a test. The page at /docs
// shows the document and is not part of the interface except for its address.
//
//	constructor ─► routes ─► handlers ─► Server, errors
//	     └───────► spec_document ─► spec_operations ─► route
//
// One file (errors.go) knows how a code becomes an HTTP status, another (problem.go)
// writes the response. Handlers
// return errors and never choose a status, so that a failure looks the same
// wherever it happens: an unknown route, a wrong method, a body too large and a
// defect all end in the same envelope.
//
// # What is told of a request
//
// A requestRecord accompanies each request and is what the line of log, the metrics
// and the span are made of when it ends. The engine reports the phases of its
// work to it as an engine.Observer. None of the three has a word in it that came
// from a request: paths are told by the route that they matched, and errors by
// their code.
//
// # Time
//
// Before there is a request, its head and body have times of their own to
// arrive, and a body that is not small is read only after its token was seen
// (admission.go).
//
// A request has a budget: Config.RequestTimeout, or Config.ExecuteTimeout where
// it executes. When it is spent the caller gets code timeout at once. Work that
// does not notice ends in the background; an execution holds its permit until
// then.
//
// # Streams
//
// An execution whose client names the Arrow stream type in Accept is answered
// while the warehouse computes. The budget covers it until its first batch, and
// errors have their status until then. After it a failure can only be told by
// cutting the body: neither the end-of-stream marker of Arrow nor the last chunk
// of HTTP is sent. The slot is free again before the body ends.
//
// # Messages
//
// POST /mcp is for Config.MCP, a handler of the standard library's kind that knows
// the Model Context Protocol. It stands behind the same token as everything else,
// is handed a copy of each request, and learns when its client goes away.
//
// # Mounted
//
// Server.Handler is the same interface for a server of net/http (mount.go). It copies
// a request into one of the HTTP library, calls the router, and writes the response
// (mount_response.go). Its connections are the other server's, which also reports
// the disconnects.
//
// # What is borrowed
//
// Strings and bytes that fiber hands out are overwritten by the next request of
// the connection. Nothing taken from a request outlives its handler here unless
// it was copied: bodies are copied by the decoders, parameters by cloning.
package restapi
