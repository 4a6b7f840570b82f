// Package arrowstream writes a result as an Arrow IPC stream, batch by batch, while the
// warehouse still computes.
//
//	Open ─► first batch taken: errors still have a status to answer with
//	Write ─► schema │ batch │ batch │ … │ end-of-stream marker
//	                              └── failure: no marker, an error
//
// The marker is the only sign by which a client can distinguish a complete result from a
// truncated one. It is therefore written only after io.EOF of the rows, and the caller of Write
// cuts the body when Write fails. The readers of Arrow libraries take a missing marker for a
// clean end; Read does not.
//
// Every batch is flushed as one write where it fits a buffer, because the other
// end may be a pipe into a chunked response.
package arrowstream
