// Package catalog is the compiled form of a model: its objects with all names
// resolved, in document order, and immutable.
//
//	document ──compile──► Catalog ──► planner (reads), list operations (read)
//
// A Catalog is built once by package compile and shared by every request
// without locks. Objects point at each other directly and carry their index in
// the catalog's own slices, so that a planner can use small integers and bit
// sets instead of names.
//
// Expressions in a catalog are resolved. A field's expression is over
// physical columns of its dataset (sqlexpr.Column of one part, other fields
// already expanded) and, where it uses a level-of-detail field, over
// sqlexpr.Ref{ID: Field.ID}. A measure's argument is over fields
// (sqlexpr.Ref{ID: Field.ID}). A metric's form is over its operands
// (sqlexpr.Ref{ID: index into Form.Operands}).
//
// An object that failed to compile is still in the catalog, with the reason in Err and
// without expressions: a query that uses it returns that error, and every other query
// works. If only the expression for one dialect failed, ErrorForDialect returns its error.
//
// This package alone computes what follows from the objects: the parts of a metric (Leaves, Members, ParamsOfMetric, Windowed), its time axis, the dimensions that
// its members share, the grains of a field, and what a window's block leaves to a
// default (EffectiveOrder, EffectivePartition, Type …). The planner and the lists of a
// service both ask here, so that the two agree.
package catalog
