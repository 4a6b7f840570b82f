// Package coerce makes the operands of a condition fit each other, so that every
// engine computes the same.
//
//	condition ──► check ──► texts ──► zones ──► condition with typed operands
//	              types     literals  time zones
//	              that fit  of a type
//
// A condition's names are resolved before; a Leaf gives the type of each. Bucket is
// the same for a group-by: the calendar period of a time field's value, decoded where
// the field stores codes.
package coerce
