// Package upgrade replaces servers under load, as a rolling upgrade of the chart does without its cluster, and what a server is given: passwords and certificates.
//
//	clients ─► proxy ─► the processes that are ready
//	                      │
//	one upgrade: start the next process ─► wait for /ready ─► send it requests ─► send none to the old one
//	             ─► wait until requests arrive at the next one, in the place of the hook of preStop ─► SIGTERM ─► wait for its end
//
// Each process serves one revision of the model, which each response shows: no request may fail, and both revisions are seen.
//
//	clients ─► HTTPS and the PostgreSQL port, with certificates ─► server ─► PostgreSQL with TLS, passwords and certificates of its clients
//	one rotation: the next authorities are trusted ─► new certificates of both listeners, the warehouse and the clients, new passwords
//	             ─► cut the connections of the warehouse ─► wait until the new certificates are seen ─► the old authorities are trusted no more
//
// No request may fail but one on a connection that was cut.
package upgrade
