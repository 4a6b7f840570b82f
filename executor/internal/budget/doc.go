// Package budget computes the time limit that a server is given for a statement from the
// deadline of the call, so that the statement ends even when the calling process has died.
package budget
