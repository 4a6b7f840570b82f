// Package connpool is the part of connection pools that driver families share.
//
//	Slots    bound the statements that run at once, and know those that were given up
//	Query    starts a statement on a server, past connections that broke while they idled
package connpool
