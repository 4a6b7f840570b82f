// Package pace decides how many rows go into a batch.
//
// Two wishes pull at a batch: a reader at the other end of a stream wants the
// first rows at once, and every batch costs a header, so a large result wants
// few. The first batch is therefore as small as the source makes it, each one
// after it twice as large, up to a ceiling; and a batch is handed out before it
// is full when it has become old or heavy.
package pace
