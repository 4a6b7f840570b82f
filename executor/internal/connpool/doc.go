// Package connpool is shared by the drivers with connection pools: slots limit the running statements,
// and a statement starts on another connection if an idle one is broken.
//
//	Slots    bound the statements that run at once, and count the abandoned ones
//	Query    starts a statement on a server, and skips connections that broke while they were idle
package connpool
