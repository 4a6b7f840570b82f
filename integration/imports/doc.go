// Package imports checks that imported models give the numbers of the tool that they come
// from: each metric of a case is requested, and its rows are those of SQL that is written by
// hand.
package imports
