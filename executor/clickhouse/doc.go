// Package clickhouse runs statements on ClickHouse, over its HTTP interface.
//
//	Query ─► POST … default_format=ArrowStream ─► frames ─► Arrow reader ─► columns ─► RecordBatch
//	                                               │                          │
//	                     the text of an exception ◄┘   DESCRIBE, where Arrow ◄┘
//	                                                   does not say the type
//
// There is no driver beside net/http and Arrow's own reader: the server sends what
// the service works with. Servers from 23.8 on are understood.
//
// # Errors in the middle of a stream
//
// A server that has begun its response has already sent status 200. When it fails after that,
// the exception is text after the last complete message of the stream, in one of three forms
// that differ by version, and the stream lacks its end marker. The driver therefore splits the
// messages before Arrow's reader sees them: a stream without the marker is always an error, and
// the text after it gives the reason.
//
// # How types travel
//
// Most columns pass through as the server's Arrow writer made them. Some Arrow types represent
// several types of ClickHouse; when a result has one of them, a DESCRIBE of the statement
// distinguishes them:
//
//	DateTime            timestamp of seconds; with a zone other than UTC, in UTC
//	DateTime64          timestamp; likewise
//	Int128, UInt128     decimal128 of 38 digits, decimal256 of 39
//	Int256, UInt256     decimal256 of 76 digits, text of kind number
//	Enum8, Enum16       text
//	UUID, IPv4, IPv6    text
//	FixedString         text, without the zero bytes that fill it up
//	Array, Map, Tuple   text of kind JSON; enums and DateTime inside are numbers
//	JSON                text of kind JSON
//
// Nullable and LowCardinality make no difference. Conditions are Bool or UInt8; the author of
// the statement marks them for the JSON writer with a hint. ClickHouse has no timestamps
// without a zone; those in UTC count as such, and a hint marks the instants.
//
// # Sessions
//
// The driver has no sessions. Each request sets UTC and readonly=2: only reads, with the
// settings that a statement brings along. A user whose profile sets readonly=1 cannot be used.
//
// # The end of a call
//
// When a context ends, KILL QUERY is sent beside the running request; if that does
// not end it, its connection is cut, and the server gives up a reading statement
// whose client is gone.
package clickhouse
