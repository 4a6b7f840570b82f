// Package saved turns a request that uses a saved query into the query that it stands for.
//
//	request + catalog.SavedQuery ──bind──► values of slots ──print──► body as JSON
//	                                                                     │ decode
//	   planned or refused ◄──plan── query ◄──merge with the request── saved body
//
// Values of slots become typed literals: of the parsed condition, or JSON values of the body.
// No text of a value is ever read as SQL or as JSON. A key that the request gives or removes
// is left out of the body before its slots are filled.
//
// An error of planning carries a retry that is a part of the query. Plan translates it into a
// part of the request, where params hold the bindings of the saved query's parameters too.
package saved
