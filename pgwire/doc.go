// Package pgwire serves models over the protocol of PostgreSQL, version 3, so that the programs and
// libraries that speak to PostgreSQL read a model as tables.
//
//	connection ──start-up, SCRAM──► session ──statement──► engine.Statement.Stream ──► rows, text or binary
//	                                   ├── SET, BEGIN, DECLARE …: answered by the session
//	                                   └── pg_catalog, information_schema: answered by a Catalogue
//
// The state of a session is its own; pgproto3 only reads and writes the messages. A session holds one
// batch of rows at a time, and its statements use the execution slots and time limits of the engine.
package pgwire
