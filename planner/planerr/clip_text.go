package planerr

// ClipText shortens what the caller wrote before a message repeats it, to 120
// characters and an ellipsis.
func ClipText(text string) string {
	const most = 120
	n := 0
	for i := range text {
		if n == most {
			return text[:i] + "…"
		}
		n++
	}
	return text
}
