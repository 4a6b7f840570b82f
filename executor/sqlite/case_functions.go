package sqlite

import (
	"unicode"
	"unicode/utf8"

	"modernc.org/libc"
	sqlite "modernc.org/sqlite/lib"
)

// SQLite's own LOWER, UPPER and LIKE know the letters of ASCII only. A connection has functions
// for all letters beside them.
//
// LIKE is replaced. LOWER and UPPER of a statement go by other names: an index on LOWER(name) holds
// what SQLite's own function made of the names, and must not serve a statement that means another.
const (
	lowerFunctionName = "semlayer_lower"
	upperFunctionName = "semlayer_upper"
)

// maxLikePatternBytes is SQLite's own bound of a LIKE pattern, in bytes.
const maxLikePatternBytes = 50_000

type sqlFunction = func(tls *libc.TLS, context uintptr, count int32, arguments uintptr)

var (
	lowerCallback = callbackAddress(evaluateLower)
	upperCallback = callbackAddress(evaluateUpper)
	likeCallback  = callbackAddress(evaluateLike)
)

// addCaseFunctions gives the connection the functions for all letters.
func (c *connection) addCaseFunctions() int32 {
	for _, f := range []struct {
		name      string
		arguments int32
		call      uintptr
	}{{lowerFunctionName, 1, lowerCallback}, {upperFunctionName, 1, upperCallback}, {"like", 2, likeCallback}, {"like", 3, likeCallback}} {
		name, err := libc.CString(f.name)
		if err != nil {
			return sqlite.SQLITE_NOMEM
		}
		const flags = sqlite.SQLITE_UTF8 | sqlite.SQLITE_DETERMINISTIC | sqlite.SQLITE_INNOCUOUS
		rc := sqlite.Xsqlite3_create_function_v2(c.tls, c.db, name, f.arguments, flags, 0, f.call, 0, 0, 0)
		libc.Xfree(c.tls, name)
		if rc != sqlite.SQLITE_OK {
			return rc
		}
	}
	return sqlite.SQLITE_OK
}

func evaluateLower(tls *libc.TLS, context uintptr, _ int32, arguments uintptr) {
	setMappedTextResult(tls, context, arguments, unicode.ToLower)
}

func evaluateUpper(tls *libc.TLS, context uintptr, _ int32, arguments uintptr) {
	setMappedTextResult(tls, context, arguments, unicode.ToUpper)
}

// setMappedTextResult is the first argument with each letter mapped to one letter.
func setMappedTextResult(tls *libc.TLS, context, arguments uintptr, to func(rune) rune) {
	from, ok := functionArgumentText(tls, arguments, 0)
	if !ok {
		return // NULL
	}
	mapped := mapLetters(from, to)
	memory := libc.Xmalloc(tls, libc.Tsize_t(len(mapped)+1))
	if memory == 0 {
		sqlite.Xsqlite3_result_error_nomem(tls, context)
		return
	}
	defer libc.Xfree(tls, memory)
	copy(libc.GoBytes(memory, len(mapped)), mapped)
	const copied = ^uintptr(0) // SQLITE_TRANSIENT
	sqlite.Xsqlite3_result_text(tls, context, memory, int32(len(mapped)), copied)
}

// mapLetters leaves bytes that are not valid UTF-8 as they are.
func mapLetters(text []byte, to func(rune) rune) []byte {
	out := make([]byte, 0, len(text))
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		if r == utf8.RuneError && size == 1 {
			out = append(out, text[0])
		} else {
			out = utf8.AppendRune(out, to(r))
		}
		text = text[size:]
	}
	return out
}

// functionArgumentText returns one argument as text, whose bytes are good until the function returns; false for
// NULL.
func functionArgumentText(tls *libc.TLS, arguments uintptr, i int) ([]byte, bool) {
	value := readPointer(arguments + uintptr(i*pointerSize))
	if sqlite.Xsqlite3_value_type(tls, value) == sqlite.SQLITE_NULL {
		return nil, false
	}
	text := sqlite.Xsqlite3_value_text(tls, value)
	n := sqlite.Xsqlite3_value_bytes(tls, value)
	if text == 0 || n == 0 {
		return nil, true
	}
	return libc.GoBytes(text, int(n)), true
}

// evaluateLike is text LIKE pattern [ESCAPE escape]; SQLite gives the pattern first.
func evaluateLike(tls *libc.TLS, context uintptr, count int32, arguments uintptr) {
	pattern, ok := functionArgumentText(tls, arguments, 0)
	text, isText := functionArgumentText(tls, arguments, 1)
	escape := rune(-1)
	if count == 3 {
		character, isCharacter := functionArgumentText(tls, arguments, 2)
		r, size := utf8.DecodeRune(character)
		if isCharacter && (size == 0 || size != len(character)) {
			returnFunctionError(tls, context, "ESCAPE expression must be a single character")
			return
		}
		ok, escape = ok && isCharacter, r
	}
	switch {
	case !ok || !isText:
		return // NULL
	case len(pattern) > maxLikePatternBytes:
		returnFunctionError(tls, context, "LIKE or GLOB pattern too complex")
		return
	}
	matched := int32(0)
	if parseLikePattern(pattern, escape).matchText(text) {
		matched = 1
	}
	sqlite.Xsqlite3_result_int(tls, context, matched)
}

func returnFunctionError(tls *libc.TLS, context uintptr, message string) {
	text, err := libc.CString(message)
	if err != nil {
		sqlite.Xsqlite3_result_error_nomem(tls, context)
		return
	}
	defer libc.Xfree(tls, text)
	sqlite.Xsqlite3_result_error(tls, context, text, -1)
}
