// Package schema describes model files as JSON Schema, draft 2020-12, for editors and for
// checks outside of semlayer.
//
//	keys of the format (modelspec.KeysOfObjectKind) ─┐
//	                                                 ├─Model─► *Schema ──JSON──► text
//	shapes of payloads (extension.PayloadShape) ─────┘
//
// The keys and shapes are those that the decoder reads by, so that a new key is in the schema
// as soon as it is read. Unknown keys are allowed, as they are in a model, and an optional
// key may be null. A payload is described by contentSchema, which most validators take as a
// comment.
package schema
