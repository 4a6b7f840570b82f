// Package statement reads the statements of a session: SET, BEGIN, DECLARE, FETCH and the others that are
// not SELECT, and finds out whether a SELECT reads the model or the catalogue.
//
//	text ──Read──► Statement (sealed)
//	SELECT ──ReadQuerySources──► relations, catalogue or both
//
// What writes is rejected by name, and so is what PostgreSQL has and a session lacks.
package statement
