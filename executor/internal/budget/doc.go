// Package budget turns the deadline of a call into the limit that a server is given for the
// statement, so that it ends there even when the process that asked is gone.
package budget
