// Package credential reads passwords and tokens that change while the server runs.
//
//	File     ─┐
//	          ├─► Source ─► ReadSecret for each new connection or request
//	*Command ─┘
//
// A driver that has a Source uses it in the place of a fixed secret. The text of a secret is in no error.
package credential
