// Package resolve resolves the references of a query: bare fields,
// `dataset.field`, and relationship-prefixed paths. A reference that does not
// resolve returns an error with candidates.
//
// Resolution is textual and does not depend on joins: package joins and its callers
// decide for each branch whether a resolved field can be reached.
package resolve
