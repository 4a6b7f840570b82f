// Package openapi writes the OpenAPI 3.1 document of the interface.
//
//	Operation, one for each route ─┐
//	Go types of the wire ──────────┼─► Document.JSON ─► /openapi.json
//	what the fields mean ──────────┘
//
// Schemas come from the Go types that the server marshals, so that a field added to a
// response appears in the document automatically. Its tag decides whether a property is
// required: a field without omitempty is always present. Requests and a few responses have
// separate types here (bodies.go), because the engine reads and writes those without tags.
//
// What a property means stands in the tag of its field, or, for types of the
// engine, in one table (field_descriptions.go); a test holds that every property has a
// description and that every line of the table is used.
//
// A failure has one schema, ErrorBody, and each response that carries it narrows the codes
// to those which can occur there. The narrowing is written beside the reference: code
// generators make one error type, validators check the code.
package openapi
