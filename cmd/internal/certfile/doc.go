// Package certfile reads the certificate of a listener, its key and the authorities of its clients from files, and reads them again
// when they change.
//
//	files ─► certificate, key and authorities that belong together ─► TLS of the next connection
//	     └─► anything else: a line in the log, and the last certificate stays
package certfile
