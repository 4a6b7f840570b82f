// Package extension reads the payloads of the vendor extension (version
// Version): the JSON objects that a model carries in custom_extensions.
//
//	entries of one object ──envelope──► JSON object ──family readers──► typed payload
//	                          │                            │
//	                          └── version rules, requires  └── shapes, types, closed sets
//
// What a payload says about other objects of the model (a metric's name, a
// dimension to exclude) stays a name here: package compile resolves it. What it
// says about itself is checked here, in full and without stopping at the first
// flaw; findings carry the path into the payload and, where the payload's text
// allows it, the position of the very key.
//
// The registry (Keys) names every key once, with its carrier, the version that
// introduced it and what ignoring it costs. It drives the version rules as well
// as the answer of /v1/capabilities, so that the two cannot disagree.
package extension
