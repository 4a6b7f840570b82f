// Package textdecode reads values that a warehouse sends as text: 12.50,
// 2024-01-05 10:00:00.5, a number in quotes.
//
//	Type ─► Bind(builder) ─► Append, text after text     a column of its own
//	     └► JSON(dst, text)                              inside of a nested value
//
// A Type is made for one column of one result and read by one goroutine. Text that is not a
// value of its type is an error: a value is never guessed, cut or rounded.
package textdecode
