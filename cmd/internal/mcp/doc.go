// Package mcp is the face of an engine towards language models: a server of the
// Model Context Protocol, made with its official SDK.
//
//	stdin ─► lines ─────────┐                       ┌─► budget ─► verb of the engine ─► JSON ─► cap
//	                        ├─► SDK ─► tool ─► schema
//	POST /mcp ─► stateless ─┘                       └─► what is wrong, as text
//
// One table (tools.go) says which tools there are, what they take and which verb
// they call. The schemas of their arguments are read off the engine's own types,
// and the texts that describe them name the model and its metrics, so that a
// model that has seen the list of tools can ask its first question.
//
// # Answers
//
// An answer is the JSON that the HTTP interface gives, as text, and where it is
// an object as structured content too. It is cut where it would fill a context
// window: long lists and many rows end early, and a note says what is missing
// and how to get it. SQL is never cut.
//
// A failure is a result with isError, whose text is the error struct that the
// command line prints. Arguments that do not fit a tool's schema are answered
// with a sentence instead, because the engine never saw them.
//
// # Transports
//
// Over HTTP every request stands for itself, so that any of several replicas can
// answer it: there are no sessions and no streams, and each answer is one JSON
// body. A request is given up when its client hangs up, and also when it says so:
// the id that an initialization hands out is kept nowhere and only tells the
// calls of one client from those of others.
//
// On standard input a line that is no message is answered and skipped, where the
// SDK would end the connection, and the end of the input waits a moment for the
// answers that are still owed.
package mcp
