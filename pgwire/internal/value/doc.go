// Package value writes values in the forms of PostgreSQL's protocol, and reads those of parameters.
//
//	Arrow column ──NewColumnEncoder──► text or binary, as RowDescription announces them
//	value of the catalogue ──AppendAnyWithLength──► text or binary
//	parameter, text or binary ──ParameterValueToText──► text form of its type
//
// A value that does not fit the announced type is an *Error, never another value.
package value
