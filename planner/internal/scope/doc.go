// Package scope resolves the references of a query: bare fields,
// `dataset.field`, and relationship-prefixed paths, with the error that helps
// where a reference names nothing.
//
// Resolution is textual and knows no joins: whether a resolved field can be
// reached is decided per branch, by package joins and its callers.
package scope
