// Package client speaks to a semlayer server over HTTP. It needs the standard
// library only.
//
//	query ─► JSON ─► POST ─┬─ 200 ─► Compiled, Explained, Result, Attribution, ArrowStream
//	                ▲      ├─ 429 ─► wait for Retry-After ─────┐
//	                └──────┼────────────────────────────────────┘
//	                       └─ else ─► *Error ─► ApplySuggestedRetry ─► the query that would work
//
// A Client has one method for each endpoint. Queries are plain structs whose
// zero fields are left out of the request; time ranges and parameters are
// slices, because their order is the order of the result's columns.
//
// # Errors
//
// An error of the server is an *Error, found by errors.As, with the stable code of
// the contract: switch on Code and never on Message. A response from another
// program on the way, a proxy's page for instance, is an *Error too, with HTTPStatus
// and without a Code. Every other error is that of the transport or the context,
// wrapped.
//
// Many errors carry the change of the query that would succeed. Error.ApplySuggestedRetry merges
// it, and a program that applies at most three of them has its result, or an error
// that only a person can resolve.
//
// # Busy servers
//
// A server without a free slot responds with 429 and Retry-After. The client retries,
// at most as often as WithMaxRetries allows, and gives up at once if the wait is
// longer than MaxRetryWait or than the context lasts. No other request is sent twice.
//
// # Exactness
//
// Numbers of rows are kept as the server wrote them, as json.Number, so that
// neither a large integer nor a decimal loses a digit; the getters of Row turn
// them into Go values and reject what does not fit. A body that breaks off is an
// error, never a short result.
//
// # Arrow
//
// ExecuteArrow and SelectExecuteArrow hand on the bytes of an Arrow IPC stream
// as they arrive. The stream is followed message by message, so that one that
// breaks off between two batches ends in io.ErrUnexpectedEOF and not in io.EOF.
// Any Arrow library decodes it; with github.com/apache/arrow-go/v18:
//
//	stream, err := c.ExecuteArrow(ctx, query)
//	if err != nil {
//		return err
//	}
//	defer stream.Close()
//	records, err := ipc.NewReader(stream)
package client
