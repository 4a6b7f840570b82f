// Package openapi holds the tests that compare the responses of a server with its
// OpenAPI document.
//
//	/openapi.json ─► valid OpenAPI 3.1, its examples too
//	      │
//	      └─► schemas, closed ─► every answer of every route, of every fixture
//
// Closed: a property that the document lacks is an error here. Clients
// must not think so, or a new property would break them, and that is why the
// document itself leaves its responses open.
package openapi
