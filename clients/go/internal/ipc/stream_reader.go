package ipc

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"io"
)

// ErrMalformedStream is returned for bytes that are not an Arrow IPC stream.
var ErrMalformedStream = errors.New("malformed Arrow IPC stream")

const (
	messageContinuationMarker = 0xFFFFFFFF
	messagePrefixBytes        = 8
	maxMessageMetadataBytes   = 64 << 20 // bytes of one message's metadata
)

// Reader passes on the bytes of a stream and detects its end.
type Reader struct {
	src     *bufio.Reader
	pending []byte // prefix and metadata that are yet to be handed on
	body    int64  // bytes of the current body that are yet to come
	end     error  // the error of Read once both are spent
}

// NewReader reads the schema message and returns its key-value pairs with a
// reader of the whole stream, the schema included.
func NewReader(src io.Reader) (*Reader, map[string]string, error) {
	r := &Reader{src: bufio.NewReader(src)}
	m, err := r.nextMessage()
	if err != nil {
		return nil, nil, err
	}
	if !m.isSchema {
		return nil, nil, ErrMalformedStream
	}
	return r, m.pairs, nil
}

// Read reads the stream. The error is io.EOF after the end-of-stream marker,
// io.ErrUnexpectedEOF where the source ends before it, ErrMalformedStream where the
// bytes are not messages, else the error of the source.
func (r *Reader) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	for {
		switch {
		case len(r.pending) > 0:
			n := copy(p, r.pending)
			r.pending = r.pending[n:]
			return n, nil
		case r.body > 0:
			n, err := r.src.Read(p[:min(int64(len(p)), r.body)])
			r.body -= int64(n)
			if err != nil {
				r.body, r.end = 0, eofToUnexpectedEOF(err)
			}
			if n > 0 {
				return n, nil
			}
		case r.end != nil:
			return 0, r.end
		default:
			if _, err := r.nextMessage(); err != nil {
				r.end = err
			}
		}
	}
}

// nextMessage reads a prefix and the metadata after it.
func (r *Reader) nextMessage() (messageMetadata, error) {
	prefix := make([]byte, messagePrefixBytes)
	if _, err := io.ReadFull(r.src, prefix); err != nil {
		return messageMetadata{}, eofToUnexpectedEOF(err)
	}
	length := binary.LittleEndian.Uint32(prefix[4:])
	if binary.LittleEndian.Uint32(prefix) != messageContinuationMarker || length > maxMessageMetadataBytes {
		return messageMetadata{}, ErrMalformedStream
	}
	if length == 0 {
		r.pending, r.end = prefix, io.EOF
		return messageMetadata{}, nil
	}
	// Grown as the bytes come: a length is cheap to claim.
	text := bytes.NewBuffer(prefix)
	if _, err := io.CopyN(text, r.src, int64(length)); err != nil {
		return messageMetadata{}, eofToUnexpectedEOF(err)
	}
	m, ok := parseMessageMetadata(text.Bytes()[messagePrefixBytes:])
	if !ok {
		return messageMetadata{}, ErrMalformedStream
	}
	r.pending, r.body = text.Bytes(), m.bodyLength
	return m, nil
}

func eofToUnexpectedEOF(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}
