// Package ipc follows an Arrow IPC stream without decoding its batches.
//
//	0xFFFFFFFF  length  metadata (a flatbuffer)  body     schema, no body
//	0xFFFFFFFF  length  metadata (a flatbuffer)  body     batch
//	…
//	0xFFFFFFFF  0                                         end of stream
//
// A stream that breaks off must not look like one that has ended, and its last
// eight bytes do not tell: a column of -1 and 0 holds the same bytes as the
// marker. Hence the messages are walked, for which two facts of the metadata are
// needed: the length of the body, and the schema's key-value pairs. flat.go reads
// those and nothing else of the flatbuffer.
package ipc
