// Package audit writes the audit log: one line of JSON for each request, with who asked what of a model, and how it ended.
//
//	request ─► Record in the context ─► filled by engine and interfaces ─► Entry ─► Log ─► one write
package audit
