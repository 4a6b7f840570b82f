package sqlexpr

type result uint8

const (
	resultUnknown result = iota
	resultBool
	resultInt
	resultFloat
	resultString
	resultDate
	resultTimestamp
	resultTimestampTZ
	resultFirst    // the type of the first argument
	resultUnify    // the common type of the arguments
	resultBranches // the common type of the arguments after the first
	resultNumeric  // as of an arithmetic operator
	resultInstant  // of the last argument, when that is a timestamp
	resultSum
)
