// Package coerce converts the operands of a condition to types that compare with each
// other, so that every engine computes the same result.
//
//	condition ──► checkOperandTypes ──► literalCoercer ──► timezoneCoercer ──► condition
//	              rejects        types string       adds UTC to         with typed
//	              type errors    literals           local timestamps    operands
//
// The caller resolves the names of the condition first; a Leaf returns the type of each
// name.
package coerce
