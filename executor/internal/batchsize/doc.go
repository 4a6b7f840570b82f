// Package batchsize decides how many rows a batch holds.
//
// A batch has two conflicting goals: the reader of a stream needs the first rows at once,
// and every batch costs a header, so a large result needs few batches. The first batch is
// therefore as small as the source makes it, and each later batch is twice as large, up to
// a maximum. A batch is handed out before it is full when it is old or large in bytes.
package batchsize
