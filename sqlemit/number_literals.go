package sqlemit

import (
	"strconv"
	"strings"
)

// isNumericText: digits, with at most one point, and an exponent.
func isNumericText(s string) bool {
	i, digits := 0, 0
	run := func() {
		for i < len(s) && '0' <= s[i] && s[i] <= '9' {
			i++
			digits++
		}
	}
	run()
	if i < len(s) && s[i] == '.' {
		i++
		run()
	}
	if digits == 0 {
		return false
	}
	if i < len(s) && (s[i] == 'e' || s[i] == 'E') {
		i++
		if i < len(s) && (s[i] == '+' || s[i] == '-') {
			i++
		}
		digits = 0
		run()
		if digits == 0 {
			return false
		}
	}
	return i == len(s)
}

// isWiderThanInt64 reports whether a numeric literal is an integer of more than 64 bits.
func isWiderThanInt64(s string) bool {
	if strings.ContainsAny(s, ".eE") {
		return false
	}
	_, err := strconv.ParseInt(s, 10, 64)
	return err != nil
}

// isZeroLiteral reports whether a numeric literal is zero.
func isZeroLiteral(s string) bool {
	for i := range len(s) {
		switch c := s[i]; {
		case c == 'e' || c == 'E':
			return true
		case c >= '1' && c <= '9':
			return false
		}
	}
	return true
}
