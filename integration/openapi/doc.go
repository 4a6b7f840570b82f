// Package openapi holds the tests that set what a server says against what its
// document says it says.
//
//	/openapi.json ─► valid OpenAPI 3.1, its examples too
//	      │
//	      └─► schemas, closed ─► every answer of every route, of every fixture
//
// Closed: a property that the document does not know is an error here. Clients
// must not think so, or a new property would break them, and that is why the
// document itself leaves its answers open.
package openapi
