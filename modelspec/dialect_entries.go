package modelspec

import (
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// IsSQLDialect reports whether expressions of a dialect are SQL. Those of the languages here
// are carried and never parsed; any name that is not known is read as SQL.
func IsSQLDialect(dialect string) bool {
	switch sqlexpr.CanonicalDialect(dialect) {
	case "mdx", "tableau", "maql", "dax", "sigma", "thoughtspot", "lookml", "malloy":
		return false
	}
	return true
}

// portableDialects are the dialects whose entries stand for every SQL dialect, the
// preferred one first.
var portableDialects = []string{"ossie_sql_2026", "ansi_sql"}

// IsPortableDialect reports whether a dialect's entries stand for every SQL dialect.
func IsPortableDialect(dialect string) bool {
	return slices.Contains(portableDialects, sqlexpr.CanonicalDialect(dialect))
}

// DefaultEntry returns the entry used for dialects without an entry: a
// portable one, else the first in any SQL dialect. It is nil when no entry is
// SQL.
func (e *Expression) DefaultEntry() *DialectEntry {
	if e == nil {
		return nil
	}
	for _, name := range portableDialects {
		if entry := e.findExactDialectEntry(name); entry != nil {
			return entry
		}
	}
	for _, entry := range e.Entries {
		if IsSQLDialect(entry.Dialect.Value) {
			return entry
		}
	}
	return nil
}

// EntryForDialect returns the entry used when emitting for a target dialect (canonical, lower
// case): its own, else Default.
func (e *Expression) EntryForDialect(dialect string) *DialectEntry {
	if e == nil {
		return nil
	}
	if IsSQLDialect(dialect) {
		if entry := e.findExactDialectEntry(dialect); entry != nil {
			return entry
		}
	}
	return e.DefaultEntry()
}

// findExactDialectEntry returns the entry of a dialect: the one under its own name, else the first under another of its names.
func (e *Expression) findExactDialectEntry(canonical string) *DialectEntry {
	var alias *DialectEntry
	for _, entry := range e.Entries {
		switch name := strings.TrimSpace(entry.Dialect.Value); {
		case strings.EqualFold(name, canonical):
			return entry
		case alias == nil && sqlexpr.CanonicalDialect(name) == canonical:
			alias = entry
		}
	}
	return alias
}
