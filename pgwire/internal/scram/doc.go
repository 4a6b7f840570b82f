// Package scram authenticates a client by SCRAM-SHA-256 (RFC 5802, RFC 7677) against several passwords.
//
//	client-first ──Begin──► server-first ──client-final──► Finish: which password, server-final
//
// Every password has separate keys over one salt, and a proof is compared with each of them, in constant
// time. With TLS the client can bind the exchange to the certificate of the server.
package scram
