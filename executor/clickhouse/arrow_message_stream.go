package clickhouse

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"math"
)

const (
	// messageContinuationMarker begins every message of an Arrow stream.
	messageContinuationMarker = math.MaxUint32
	maxMessageMetadataBytes   = 64 << 20
	maxMessageBodyBytes       = 2 << 30
	messageAlignment          = 8
)

// arrowMessageStream hands an Arrow stream on, message by message, and stops where something
// else begins. Arrow's own reader would take the text of an exception for a
// length, and a stream that merely breaks off for one that ended.
type arrowMessageStream struct {
	body    io.Reader
	message []byte // the last one that was read
	rest    []byte // the part of it that was not handed on yet
	ended   bool   // the end marker was seen
	err     error  // what Read answers when there is no rest
	// fail makes the error for a stream that ends with this text.
	fail func(tail []byte, cause error) error
}

// Read is io.Reader. Its error is io.EOF after the end marker, else an
// *executor.Error.
func (f *arrowMessageStream) Read(p []byte) (int, error) {
	for len(f.rest) == 0 {
		if f.err != nil {
			return 0, f.err
		}
		f.readNextMessage()
	}
	n := copy(p, f.rest)
	f.rest = f.rest[n:]
	return n, nil
}

// readNextMessage reads a message into rest, or finds the error that ends the stream.
func (f *arrowMessageStream) readNextMessage() {
	if f.ended {
		f.checkTrailingBytes()
		return
	}
	f.message = f.message[:0]
	if !f.readIntoMessage(messageAlignment) {
		return
	}
	if binary.LittleEndian.Uint32(f.message) != messageContinuationMarker {
		f.readExceptionText()
		return
	}
	size := binary.LittleEndian.Uint32(f.message[4:])
	if size == 0 {
		f.ended = true
		f.rest = f.message
		return
	}
	if size > maxMessageMetadataBytes {
		f.readExceptionText()
		return
	}
	if !f.readIntoMessage(int(size)) {
		return
	}
	length, ok := messageBodyLength(f.message[messageAlignment:])
	if !ok || length < 0 || length > maxMessageBodyBytes {
		f.readExceptionText()
		return
	}
	if f.readIntoMessage(int(length)) {
		f.rest = f.message
	}
}

// readIntoMessage appends bytes of the body to the message.
func (f *arrowMessageStream) readIntoMessage(size int) bool {
	// Read the bytes that have arrived before allocating memory: the length may be text.
	const step = 1 << 20
	for size > 0 {
		n := min(size, step)
		at := len(f.message)
		f.message = append(f.message, make([]byte, n)...)
		read, err := io.ReadFull(f.body, f.message[at:])
		if err != nil {
			if errors.Is(err, io.EOF) {
				err = io.ErrUnexpectedEOF
			}
			f.err = f.fail(f.message[:at+read], err)
			return false
		}
		size -= n
	}
	return true
}

// readExceptionText is a part that is not a message: the text of an exception.
func (f *arrowMessageStream) readExceptionText() {
	text, err := io.ReadAll(io.LimitReader(f.body, maxErrorTextBytes))
	f.err = f.fail(append(f.message, text...), err)
}

// readLastMessageAndRest returns the last message and what follows it.
func (f *arrowMessageStream) readLastMessageAndRest() []byte {
	text, _ := io.ReadAll(io.LimitReader(f.body, maxErrorTextBytes))
	return append(f.message, text...)
}

// checkTrailingBytes checks the bytes after the end marker: a valid stream has none.
func (f *arrowMessageStream) checkTrailingBytes() {
	text, err := io.ReadAll(io.LimitReader(f.body, maxErrorTextBytes))
	if err != nil || len(bytes.TrimSpace(text)) > 0 {
		f.err = f.fail(text, err)
		return
	}
	f.err = io.EOF
}

// messageBodyLength returns the length of a message's body from its metadata: the fourth field of the
// table, in the layout of FlatBuffers.
func messageBodyLength(metadata []byte) (int64, bool) {
	const slot = 4 + 3*2
	table, ok := littleEndianUint32At(metadata, 0)
	if !ok {
		return 0, false
	}
	back, ok := littleEndianUint32At(metadata, int64(table))
	if !ok {
		return 0, false
	}
	vtable := int64(table) - int64(int32(back))
	size, ok := littleEndianUint16At(metadata, vtable)
	if !ok {
		return 0, false
	}
	if size < slot+2 {
		return 0, true
	}
	field, ok := littleEndianUint16At(metadata, vtable+slot)
	if !ok || field == 0 {
		return 0, ok
	}
	at := int64(table) + int64(field)
	if at+8 > int64(len(metadata)) {
		return 0, false
	}
	return int64(binary.LittleEndian.Uint64(metadata[at:])), true
}

func littleEndianUint32At(b []byte, at int64) (uint32, bool) {
	if at < 0 || at+4 > int64(len(b)) {
		return 0, false
	}
	return binary.LittleEndian.Uint32(b[at:]), true
}

func littleEndianUint16At(b []byte, at int64) (uint16, bool) {
	if at < 0 || at+2 > int64(len(b)) {
		return 0, false
	}
	return binary.LittleEndian.Uint16(b[at:]), true
}

// hasEnded reports whether the server has nothing more to say.
func (f *arrowMessageStream) hasEnded() bool { return f.err != nil }
