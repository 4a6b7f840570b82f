package cli

import (
	"strings"

	"github.com/semlayer/semlayer/engine"
)

// maxHistoryEntries bounds the lines that the up key brings back.
const maxHistoryEntries = 1000

// inMemoryShellHistory is the history of one session. The terminal offers it each line; the shell adds statements whole
// instead.
type inMemoryShellHistory struct{ entries []string } // the newest is last

// Add ignores a line that the terminal has read.
func (h *inMemoryShellHistory) Add(string) {}

// Len returns the number of entries.
func (h *inMemoryShellHistory) Len() int { return len(h.entries) }

// At returns an entry, the newest at 0.
func (h *inMemoryShellHistory) At(i int) string { return h.entries[len(h.entries)-1-i] }

func (h *inMemoryShellHistory) addEntry(entry string) {
	if n := len(h.entries); n > 0 && h.entries[n-1] == entry {
		return
	}
	if len(h.entries) == maxHistoryEntries {
		h.entries = h.entries[1:]
	}
	h.entries = append(h.entries, entry)
}

// historyEntriesOfStatementLines makes one entry of the lines of a statement. Lines that a quote or a comment joins stay apart, because
// a space in place of their end would have another meaning.
func historyEntriesOfStatementLines(entered string) []string {
	lines := strings.Split(entered, "\n")
	for i := 1; i < len(lines); i++ {
		if !wouldSemicolonEndStatement(strings.Join(lines[:i], "\n")) {
			return lines
		}
	}
	if joined := strings.Join(lines, " "); len(joined) < maxTerminalLineLength {
		return []string{joined}
	}
	return lines
}

// wouldSemicolonEndStatement reports whether a text ends outside of quotes and comments: there a semicolon ends it.
func wouldSemicolonEndStatement(text string) bool {
	for rest := text + ";"; ; {
		_, more, complete := engine.SplitFirstSQLStatement(rest)
		if !complete || more == "" {
			return complete
		}
		rest = more
	}
}
