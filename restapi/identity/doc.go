// Package identity finds the caller behind a bearer token: a static token of a file, or a JSON Web Token of an issuer that the policies
// file trusts.
//
//	bearer ──► digests of the static tokens ──► Caller
//	  └──────► claims ─► issuer ─► key of its key set ─► signature, times, audience ─► Caller
//	                                  ▲
//	                     KeySet: a file, an address, or OpenID discovery
//
// A Directory holds one revision of the tokens and the policies, which Replace exchanges as a whole. ErrUnauthorized is the one error for
// clients; the reason goes to the log, without any part of the token.
package identity
