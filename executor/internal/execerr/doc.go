// Package execerr builds the errors that every driver family builds alike, so
// that a deadline reads the same whichever warehouse missed it.
package execerr
