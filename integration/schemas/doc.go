// Package schemas holds the tests that compare the JSON Schemas with the decoders they are
// made from.
//
//	every model of the repository that loads ──► valid
//	a model with every key ──► one value replaced ──► decoder and schema agree
package schemas
