// Package table compares results as a reader would: cell by cell, numbers by
// value, rows in order only where there is one.
package table
