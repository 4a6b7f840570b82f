package ipc

import "encoding/binary"

// messageMetadata is what is read of a message's metadata.
type messageMetadata struct {
	isSchema   bool
	bodyLength int64
	pairs      map[string]string // of a schema
}

// The slots of the tables, in the order of Message.fbs and Schema.fbs.
const (
	messageHeaderTypeSlot = 1
	messageHeaderSlot     = 2
	messageBodyLengthSlot = 3
	schemaMetadataSlot    = 2
	keyValueKeySlot       = 0
	keyValueValueSlot     = 1

	schemaHeaderType = 1
)

func parseMessageMetadata(metadata []byte) (messageMetadata, bool) {
	f := &flatbufferReader{b: metadata, text: string(metadata)}
	root := f.followOffset(0)
	m := messageMetadata{}
	if at := f.tableFieldPosition(root, messageHeaderTypeSlot); at != 0 {
		m.isSchema = f.readByte(at) == schemaHeaderType
	}
	if at := f.tableFieldPosition(root, messageBodyLengthSlot); at != 0 {
		m.bodyLength = int64(f.readUint32(at)) | int64(f.readUint32(at+4))<<32
	}
	if at := f.tableFieldPosition(root, messageHeaderSlot); at != 0 && m.isSchema {
		m.pairs = f.readSchemaMetadata(f.followOffset(at))
	}
	return m, !f.bad && m.bodyLength >= 0
}

// flatbufferReader reads a flatbuffer. Reading outside of it gives zeros and sets bad.
type flatbufferReader struct {
	b    []byte
	text string // the same, so that what is cut out of it costs nothing
	bad  bool
}

func (f *flatbufferReader) readBytes(at, n int) []byte {
	if at < 0 || n < 0 || at > len(f.b) || n > len(f.b)-at {
		f.bad = true
		return nil
	}
	return f.b[at : at+n]
}

func (f *flatbufferReader) readByte(at int) byte {
	if b := f.readBytes(at, 1); b != nil {
		return b[0]
	}
	return 0
}

func (f *flatbufferReader) readUint16(at int) int {
	if b := f.readBytes(at, 2); b != nil {
		return int(binary.LittleEndian.Uint16(b))
	}
	return 0
}

func (f *flatbufferReader) readUint32(at int) uint32 {
	if b := f.readBytes(at, 4); b != nil {
		return binary.LittleEndian.Uint32(b)
	}
	return 0
}

// followOffset follows the offset at a position.
func (f *flatbufferReader) followOffset(at int) int { return at + int(f.readUint32(at)) }

// tableFieldPosition returns the place of a table's field, 0 where the table does not have it.
func (f *flatbufferReader) tableFieldPosition(table, field int) int {
	vtable := table - int(int32(f.readUint32(table)))
	entry := 4 + 2*field
	if entry+2 > f.readUint16(vtable) {
		return 0
	}
	if offset := f.readUint16(vtable + entry); offset != 0 {
		return table + offset
	}
	return 0
}

func (f *flatbufferReader) readString(at int) string {
	at = f.followOffset(at)
	n := int(f.readUint32(at))
	if f.readBytes(at+4, n) == nil {
		return ""
	}
	return f.text[at+4 : at+4+n]
}

func (f *flatbufferReader) readSchemaMetadata(schema int) map[string]string {
	out := map[string]string{}
	at := f.tableFieldPosition(schema, schemaMetadataSlot)
	if at == 0 {
		return out
	}
	vector := f.followOffset(at)
	for i := range int(f.readUint32(vector)) {
		if f.bad {
			break
		}
		pair := f.followOffset(vector + 4 + 4*i)
		var key, value string
		if at := f.tableFieldPosition(pair, keyValueKeySlot); at != 0 {
			key = f.readString(at)
		}
		if at := f.tableFieldPosition(pair, keyValueValueSlot); at != 0 {
			value = f.readString(at)
		}
		out[key] = value
	}
	return out
}
