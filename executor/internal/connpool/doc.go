// Package connpool holds what the drivers over connection pools share: slots that bound the running
// statements, and the start of a statement past broken idle connections.
//
//	Slots    bound the statements that run at once, and know those that were given up
//	Query    starts a statement on a server, past connections that broke while they idled
package connpool
