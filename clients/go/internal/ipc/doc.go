// Package ipc follows an Arrow IPC stream without decoding its batches.
//
//	0xFFFFFFFF  length  metadata (a flatbuffer)  body     schema, no body
//	0xFFFFFFFF  length  metadata (a flatbuffer)  body     batch
//	…
//	0xFFFFFFFF  0                                         end of stream
//
// A stream that breaks off must not look like one that has ended, and its last
// eight bytes do not distinguish them: a column of -1 and 0 holds the same bytes as
// the marker. So the reader follows the messages. It needs two parts of the metadata:
// the length of the body, and the schema's key-value pairs. parse_flatbuffer_message.go reads only those
// of the flatbuffer.
package ipc
