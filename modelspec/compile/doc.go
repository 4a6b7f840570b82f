// Package compile lowers a valid document into an immutable catalog.
//
//	*modelspec.Document ──phases──► *catalog.Catalog (+ its Errors and Warnings)
//
// The phases stand in one list (see Compile) and run in its order. Each looks at
// every object, and none stops at a failure: an object that cannot be lowered
// stays in the catalog with the reason, what depends on it shares that reason,
// and everything else compiles. The list of errors names each cause once, in
// document order.
//
// Names are resolved here and nowhere later: a field's expression ends up over
// physical columns, a measure's argument over fields, a metric's arithmetic
// over measures and other metrics.
package compile
