package restapi

import (
	"context"
	"net"

	"github.com/gofiber/fiber/v2"
	"github.com/valyala/fasthttp"

	"github.com/semlayer/semlayer/engine/memory"
)

const (
	// uncountedRequestBytes is what a request takes without being counted: a part of the memory of each connection.
	uncountedRequestBytes = 2 * maxHeadBytes
	// bodyBytesFactor: the bytes of a body, and the texts that are read from it.
	bodyBytesFactor = 2
)

// requestBodyMemory counts the bytes of a request from their arrival until its response is sent.
type requestBodyMemory struct {
	held     *memory.Reservation
	received int64
	refused  error // why the body is not read
}

// reserve takes memory for the bytes of the request so far and for a read. The HTTP library reads a long body into its whole length.
func (m *requestBodyMemory) reserve(read int) error {
	bytes := m.received + int64(read)
	if bytes <= uncountedRequestBytes || m.held.Bytes() >= bodyBytesFactor*bytes {
		return nil
	}
	m.refused = m.held.Resize(bodyBytesFactor * bytes)
	return m.refused
}

func (m *requestBodyMemory) release() {
	m.held.Release()
	m.received = 0
}

// refusedBodyError returns why the body of a request was not read; nil where it was. The HTTP library passes only that
// the request cannot be read.
func refusedBodyError(c net.Conn) error {
	own, ok := c.(*clientConn)
	if !ok || own.body.refused == nil {
		return nil
	}
	enableLingeringClose(c)
	return own.body.refused
}

// dropLongBody drops the body of a request that has been served.
func dropLongBody(r *fasthttp.Request) {
	if cap(r.Body()) > maxHeadBytes {
		r.SwapBody(nil)
	}
}

// mountedBodyBytes returns the length of a body of which the length is announced, and the most of any other.
func mountedBodyBytes(announced int64, most int) int64 {
	if announced < 0 {
		return int64(most)
	}
	return min(announced, int64(most))
}

// decodedBytesFactor is what a byte of a body takes while it is decoded, estimated: [0,0,0] is a list of values.
const decodedBytesFactor = 32

// decodeBody decodes the body of a request. Meanwhile it takes memory for what the decoder makes of it.
func decodeBody[T any](s *Server, c *fiber.Ctx, decode func([]byte) (T, error)) (T, error) {
	held, err := s.config.Memory.Part(memory.Plans).Reserve(decodedBytesFactor * int64(len(c.BodyRaw())))
	if err != nil {
		var none T
		return none, err
	}
	defer held.Release()
	if x := requestRecordOf(c.Context()); x.audit != nil && s.config.Audit.HasLiterals() {
		if err := s.reserveResponse(x.ctx, len(c.BodyRaw())); err != nil { // the log has a copy until the response has gone
			var none T
			return none, err
		}
		x.audit.SetRequest(c.BodyRaw())
	}
	return decode(c.BodyRaw())
}

// uncountedResponseBytes is the length of a response that is not counted.
const uncountedResponseBytes = 16 << 10

// reserveResponse takes memory for a response until its client has it. Those of rows are counted while they are made.
func (s *Server) reserveResponse(ctx context.Context, bytes int) error {
	if bytes <= uncountedResponseBytes {
		return nil
	}
	held, err := s.config.Memory.Part(memory.Results).Reserve(int64(bytes))
	if err != nil {
		return err
	}
	memory.KeepForResponse(ctx, held)
	return nil
}
