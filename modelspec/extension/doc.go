// Package extension reads the payloads of the vendor extension (version
// Version): the JSON objects that a model carries in custom_extensions.
//
//	entries of one object ──envelope──► JSON object ──shapes──► checked members ──block readers──► typed payload
//	                          │                         │
//	                          └── version rules,        └── keys, types, closed sets, nearest names;
//	                              requires                  package schema prints them as JSON Schema
//
// A reference from a payload to another object of the model (a metric's name, a
// dimension to exclude) stays a name here: package compile resolves it. This package
// checks the rest of the payload in full, without stopping at the first error; findings carry the path into the payload and, where the payload's text
// allows it, the position of the very key.
//
// A key is a row of the registry, with its shape; a block reader converts what the shape accepts, and
// checks only what depends on several keys.
//
// The registry (Keys) names every key once, with its carrier, the version that
// introduced it and what ignoring it costs. It drives the version rules as well
// as the response of /v1/capabilities, so that the two cannot disagree.
package extension
