// Package restapi serves an engine over HTTP.
//
//	request ─► admit ─► record ─► recover ─► headers ─► authenticate ─► route ─► verb of the engine ─► JSON
//	             │                                             │             │              │
//	             └─────────────────────────────────────────────┴─────────────┴──────────────┴─► problem ─► {"error": {…}}
//
// One table of routes (routes.go) holds what is served, which routes need no
// token and which ones execute. The constructor builds the router from it, and the
// files openapi_*.go the OpenAPI document at /openapi.json: handlers do not know
// the document. A route without an operation in it fails a test. The page at /docs
// shows the document and is not part of the interface except for its address.
//
//	constructor ─► routes ─► handlers ─► Server, errors
//	     └───────► openapi_document ─► openapi_route_operations ─► route
//
// One file (handle_error.go) maps a code to an HTTP status and writes the
// response. Handlers return errors and never choose a status, so that a failure looks the
// same wherever it happens: an unknown route, a wrong method, a body too large and a defect
// all end in the same envelope.
//
// # Logs, metrics and spans of a request
//
// A requestRecord accompanies each request and holds the data for the log line, the metrics
// and the span, which are written when the request ends. The engine reports the phases of
// its work to it as an engine.PhaseObserver. None of the three contains text of a request: a
// path is named by the route that it matched, and an error by its code.
//
// # Time
//
// The head and the body of a request have separate time limits to arrive, and a body that
// is not small is read only after the token was checked (admission.go).
//
// A request has a budget: Config.RequestTimeout, or Config.ExecuteTimeout if it executes.
// When it is spent the caller gets code timeout at once. Work that does not check its
// context ends in the background; an execution holds its slot until then.
//
// # Streams
//
// An execution whose client names the Arrow stream type in Accept gets its response while
// the warehouse computes. The budget applies until the first batch, and errors have their
// status until then. After the first batch the server reports a failure by truncating the
// body: it sends neither the end-of-stream marker of Arrow nor the last chunk of HTTP. The
// slot is free again before the body ends.
//
// # Messages
//
// POST /mcp is served by Config.MCP, an http.Handler for the Model Context Protocol. It
// requires the same token as the other routes, gets a copy of each request, and is
// cancelled when its client disconnects.
//
// # Mounted
//
// Server.Handler is the same interface for a server of net/http (mounted_handler.go). It copies
// a request into one of the HTTP library, calls the router, and writes the response
// (mounted_send.go). Its connections are the other server's, which also reports
// the disconnects.
//
// # What is borrowed
//
// Strings and bytes that fiber hands out are overwritten by the next request of
// the connection. Nothing taken from a request outlives its handler here unless
// it was copied: bodies are copied by the decoders, parameters by cloning.
package restapi
