// Package execerr builds the errors that all driver families share, so that a missed deadline
// reads the same on every warehouse.
package execerr
