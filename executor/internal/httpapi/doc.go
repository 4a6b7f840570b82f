// Package httpapi makes the HTTP clients of the executors whose warehouses have a
// documented HTTP interface, and repeats what an overloaded gateway turned away.
//
//	Do ─► transport ─► 200                     the response
//	          ▲        429, 502, 503, 504      wait and again, a while
//	          └────────┘ any other             *Status
package httpapi
