// Package clients holds the tests that drive the clients of the HTTP interface
// against a real server.
//
//	client ─► loopback ─► restapi ─► engine ─► DuckDB with a fixture
//
// A client's own tests rest on its author's assumptions about the server. Here
// every method meets the server itself: the worked figures come back, errors
// arrive with all their fields, and the tests of drift fail where the engine has
// a key that the client's types do not have, or the server a route that the
// client does not call.
package clients
