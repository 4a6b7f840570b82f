// Package suggest ranks known names by their nearness to a name that is not
// known, so that every error of the service can name candidates that exist.
//
//	name + known names ──score──► ranked names, nearest first
//
// The ranking is a pure function of its input: equal scores fall back to the
// order of the alphabet, never to the order of a map. Case never counts. What
// counts is how people go wrong: a slip of one key, two swapped letters, a name
// cut short (`rev` for `revenue`), a missing qualifier (`amount` for
// `orders.amount`).
package suggest
