package datafiles

import "strings"

// IdentifierFromText makes an identifier of a text, such as the name of a file: lower case, runs of
// characters outside a-z0-9_ replaced by one _, no _ at the ends, t_ before a digit, and t
// where nothing is left.
func IdentifierFromText(text string) string {
	var b strings.Builder
	replaced := false
	for _, r := range strings.ToLower(text) {
		if r == '_' || 'a' <= r && r <= 'z' || '0' <= r && r <= '9' {
			b.WriteRune(r)
			replaced = false
		} else if !replaced {
			b.WriteByte('_')
			replaced = true
		}
	}
	name := strings.Trim(b.String(), "_")
	switch {
	case name == "":
		return "t"
	case name[0] <= '9':
		return "t_" + name
	}
	return name
}
