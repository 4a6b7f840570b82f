// Package streaming streams millions of rows through the whole server and looks at
// how much memory the server takes for it.
//
//	test ─► a process of its own: HTTP server ─► DuckDB file, PostgreSQL
//	  │                 │
//	  └── reads the stream and, from the kernel, how large the process is
//
// The server runs in another process because that is the only way to separate its memory
// from the client's. It is this test binary again; a variable makes it serve.
//
// A metric query groups, and grouping twenty million rows takes memory in
// an embedded database. So DuckDB is asked for a plain scan, by a service that is put
// in the place of the engine behind the same HTTP server, while PostgreSQL, which
// groups in its own process, is asked by the engine.
package streaming
