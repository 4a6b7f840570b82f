package profile

import "strings"

// nearestKnownName returns the known name that was probably meant, or "".
func nearestKnownName(name string, known []string) string {
	const longest = 40
	if name == "" || len(name) > longest {
		return ""
	}
	name = strings.ToLower(name)
	best, least := "", len(name)+1
	for _, k := range known {
		d := editDistance(name, k)
		if isAbbreviation(name, k) {
			d = min(d, 1)
		}
		if d < least {
			best, least = k, d
		}
	}
	if least > max(2, len(name)/2) {
		return ""
	}
	return best
}

// isAbbreviation reports whether the letters of short appear in long in order, the
// first at its beginning: user for username, pwd for password.
func isAbbreviation(short, long string) bool {
	if short[0] != long[0] {
		return false
	}
	at := 0
	for i := 0; i < len(long) && at < len(short); i++ {
		if long[i] == short[at] {
			at++
		}
	}
	return at == len(short)
}

// editDistance counts the letters to insert, delete or replace.
func editDistance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, diagonal+1)
		}
	}
	return row[len(b)]
}
