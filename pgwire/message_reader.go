package pgwire

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"time"

	"github.com/jackc/pgx/v5/pgproto3"

	"github.com/semlayer/semlayer/engine/memory"
)

const (
	maxStartupBytes  = 10_000 // of a start-up packet and of messages before authentication
	readBufferBytes  = 8 << 10
	maxKeptBodyBytes = 64 << 10 // of the buffer of a body between messages
)

// messageReader reads the messages of a client.
type messageReader struct {
	conn net.Conn
	br   *bufio.Reader
	body []byte
	most int                 // bytes of a body
	time time.Duration       // for a message whose first byte has arrived
	held *memory.Reservation // of a body that is longer than the buffer between messages

	bind     pgproto3.Bind
	parse    pgproto3.Parse
	query    pgproto3.Query
	describe pgproto3.Describe
	execute  pgproto3.Execute
	close    pgproto3.Close
}

func newMessageReader(conn net.Conn, within time.Duration) *messageReader {
	return &messageReader{conn: conn, br: bufio.NewReaderSize(conn, readBufferBytes), most: maxStartupBytes, time: within}
}

// protocolError is a message that the protocol does not have.
type protocolError struct{ message string }

func (e *protocolError) Error() string { return e.message }

// readStartupPacket reads a packet before the first message: its code and what follows it.
func (r *messageReader) readStartupPacket() (code uint32, rest []byte, err error) {
	var head [4]byte
	if _, err := io.ReadFull(r.br, head[:]); err != nil {
		return 0, nil, err
	}
	length := int(binary.BigEndian.Uint32(head[:]))
	if length < 8 || length > maxStartupBytes {
		return 0, nil, &protocolError{fmt.Sprintf("the length of the start-up packet is %d", length)}
	}
	packet := make([]byte, length-4)
	if _, err := io.ReadFull(r.br, packet); err != nil {
		return 0, nil, err
	}
	return binary.BigEndian.Uint32(packet), packet[4:], nil
}

// readTypeAndBody reads the type and the body of a message. The body is valid until the next message.
func (r *messageReader) readTypeAndBody() (kind byte, body []byte, err error) {
	var head [5]byte
	if _, err := io.ReadFull(r.br, head[:]); err != nil {
		return 0, nil, err
	}
	length := int64(binary.BigEndian.Uint32(head[1:])) - 4
	if length < 0 || length > int64(r.most) {
		return 0, nil, &protocolError{fmt.Sprintf("the length of a message is %d bytes, and at most %d are read", length, r.most)}
	}
	if cap(r.body) > maxKeptBodyBytes {
		r.body = nil
	}
	if err := r.held.Resize(bodyMemory(length)); err != nil {
		if _, lost := io.CopyN(io.Discard, r.br, length); lost != nil {
			return 0, nil, toUnexpectedEOF(lost)
		}
		return head[0], nil, err
	}
	r.body = r.body[:0]
	for int64(len(r.body)) < length { // the memory follows what arrives, not what is announced
		chunk := int(min(length-int64(len(r.body)), maxKeptBodyBytes))
		start := len(r.body)
		r.body = append(r.body, make([]byte, chunk)...)
		if _, err := io.ReadFull(r.br, r.body[start:]); err != nil {
			return 0, nil, toUnexpectedEOF(err)
		}
	}
	return head[0], r.body, nil
}

// bodyMemory returns what a body takes besides the buffer that is kept between messages: its bytes, and the texts that
// are read from them.
func bodyMemory(length int64) int64 {
	if length <= maxKeptBodyBytes {
		return 0
	}
	return 2 * length
}

func toUnexpectedEOF(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

// bodylessMessage is a message that has no contents of interest here.
type bodylessMessage byte

// The messages without contents of interest.
const (
	messageTypeSync         bodylessMessage = 'S'
	messageTypeFlush        bodylessMessage = 'H'
	messageTypeTerminate    bodylessMessage = 'X'
	messageTypeFunctionCall bodylessMessage = 'F'
	messageTypeIgnoredCopy  bodylessMessage = 'd' // CopyData, CopyDone or CopyFail, which nothing waits for
)

// readMessage reads one message: a message, or one of pgproto3 that is valid until the next.
func (r *messageReader) readMessage() (any, error) {
	if err := r.conn.SetReadDeadline(time.Now().Add(r.time)); err != nil {
		return nil, err
	}
	kind, body, err := r.readTypeAndBody()
	var limit *memory.LimitError
	if errors.As(err, &limit) {
		return refusedMessage{kind, limit}, nil
	}
	if err != nil {
		return nil, err
	}
	return r.decodeMessage(kind, body)
}

func (r *messageReader) decodeMessage(kind byte, body []byte) (any, error) {
	var m pgproto3.FrontendMessage
	switch kind {
	case 'B':
		m = &r.bind
	case 'P':
		m = &r.parse
	case 'Q':
		m = &r.query
	case 'D':
		m = &r.describe
	case 'E':
		m = &r.execute
	case 'C':
		m = &r.close
	case 'S', 'H', 'X', 'F':
		return bodylessMessage(kind), nil
	case 'd', 'c', 'f':
		return messageTypeIgnoredCopy, nil
	default:
		return nil, &protocolError{fmt.Sprintf("there is no message of type %q", kind)}
	}
	if err := m.Decode(body); err != nil {
		return nil, &protocolError{err.Error()}
	}
	return m, nil
}

// readPasswordMessage reads the message of type p, which carries passwords and SCRAM.
func (r *messageReader) readPasswordMessage() ([]byte, error) {
	kind, body, err := r.readTypeAndBody()
	if err != nil {
		return nil, err
	}
	if kind != 'p' {
		return nil, &protocolError{fmt.Sprintf("a message of type %q comes before authentication", kind)}
	}
	return body, nil
}

func isTimeout(err error) bool { return errors.Is(err, os.ErrDeadlineExceeded) }
