// Package statement reads the statements of a session: SET, BEGIN, DECLARE, FETCH and the others that are
// not SELECT. The text of a SELECT is left to its parser.
//
//	text ──Read──► Statement (sealed)
//
// What writes is rejected by name, and so is what PostgreSQL has and a session lacks.
package statement
