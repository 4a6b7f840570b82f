// Package mcp serves an engine to language models over the Model Context Protocol, with its
// official SDK.
//
//	stdin ─► lines ─────────┐
//	                        ├─► SDK ─► tool ─► decoder ─► budget ─► verb of the engine ─► JSON ─► cap
//	POST /mcp ─► stateless ─┘
//
// One table (tool_table.go) lists the tools, their arguments and the method of the engine that
// each calls. The keys of queries are read off the engine's types. The table is the same for
// every model: its names are in the instructions, and a language model finds others with the tool find.
//
// # Results
//
// A result is the JSON of the HTTP interface, as text, and if it is a small object as structured
// content too. It is cut before it fills a context window: long lists are compact and have pages,
// many rows end early, and a note describes what is missing and how to get it. SQL is never cut.
//
// A failure is a result with isError, whose text is the error struct that the
// command line prints. The decoders of the HTTP interface read the arguments.
//
// # Transports
//
// Over HTTP every request is independent, so that any replica can serve it: there are no
// sessions and no streams, and each response is one JSON body. A request is cancelled when
// its client disconnects or sends notifications/cancelled. The session id that an
// initialization returns is not stored; it only distinguishes the calls of one client from
// those of others.
//
// On standard input a line that is not a message gets an error and is skipped, where the
// SDK would end the connection. At the end of the input the server waits shortly for
// pending replies.
package mcp
