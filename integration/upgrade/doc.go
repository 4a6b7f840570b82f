// Package upgrade replaces servers under load, as a rolling upgrade of the chart does without its cluster: two processes behind a proxy.
//
//	clients ─► proxy ─► the processes that are ready
//	                      │
//	one upgrade: start the next process ─► wait for /ready ─► send it requests ─► send none to the old one
//	             ─► wait until requests arrive at the next one, in the place of the hook of preStop ─► SIGTERM ─► wait for its end
//
// Each process serves one revision of the model, which each response shows: no request may fail, and both revisions are seen.
package upgrade
