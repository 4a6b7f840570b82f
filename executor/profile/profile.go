package profile

import (
	"regexp"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/semlayer/semlayer/executor/credential"
)

// ProfilesFile is the content of a profiles file.
type ProfilesFile struct {
	// Path is where it was read from; empty for Parse.
	Path string
	// Profiles in the order of the file, broken ones included. Names are unique.
	Profiles []Profile
	// Warnings about what was read and has no effect.
	Warnings []Warning
}

// Profile is one named connection.
type Profile struct {
	Name string
	// Type is the canonical name of the warehouse's type, such as "postgres" for the spelling
	// PostgreSQL; empty for an unknown type.
	Type string
	// Dialect is the SQL that the type speaks; empty when the type is not known.
	Dialect string
	// Default marks the connection that the command line takes by itself.
	Default bool
	// MaxExecutions bounds the executions on the connection at one time; 0 where the
	// profile does not bound them.
	MaxExecutions int
	// PoolSize bounds the connections; 0 is the bound of the server.
	PoolSize int
	// ExecuteTimeout bounds an execution, where it is shorter than the time of the server; 0 for none.
	ExecuteTimeout time.Duration
	// Retries is how often a statement is sent again whose connection failed before its first row.
	Retries int
	// Cache changes the result cache of the server for the connection.
	Cache ResultCache
	// Rollups is how the tables of rollups are written; nil without the key.
	Rollups *RollupWriting
	// Settings are nil where Err is not.
	Settings WarehouseSettings
	// Err is why the profile cannot be used: an *executor.Error of code config,
	// or nil.
	Err error
}

// SecretSource returns where the password or token is read while it changes; nil where it does not.
func (p Profile) SecretSource() credential.Source {
	switch s := p.Settings.(type) {
	case *Postgres:
		return s.PasswordSource
	case *MySQL:
		return s.PasswordSource
	case *ClickHouse:
		return s.PasswordSource
	case *Trino:
		return s.PasswordSource
	case *Snowflake:
		return s.PasswordSource
	case *Databricks:
		return s.TokenSource
	}
	return nil
}

// maxRetries bounds Retries.
const maxRetries = 3

// Warning is something in the file that was read over.
type Warning struct {
	Profile string // empty when it is about the file
	Line    int
	Message string
}

// String returns the line, the profile and the message.
func (w Warning) String() string {
	s := "line " + strconv.Itoa(w.Line) + ": "
	if w.Profile != "" {
		s += "connection " + quoteUnlessPlainName(w.Profile) + ": "
	}
	return s + w.Message
}

// Lookup finds a profile by its exact name.
func (f *ProfilesFile) Lookup(name string) (Profile, bool) {
	for _, p := range f.Profiles {
		if p.Name == name {
			return p, true
		}
	}
	return Profile{}, false
}

// DefaultProfileName returns the name of the first profile that is marked as the default, or "".
func (f *ProfilesFile) DefaultProfileName() string {
	for _, p := range f.Profiles {
		if p.Default {
			return p.Name
		}
	}
	return ""
}

// A count of so large a class would take most of the time in which the program starts.
var plainNamePattern = regexp.MustCompile(`^[\pL\pN_.-]+$`)

// quoteUnlessPlainName shows a name: as it is if it is a plain word, else in quotes and
// shortened.
func quoteUnlessPlainName(name string) string {
	const most = 60
	if utf8.RuneCountInString(name) <= most && plainNamePattern.MatchString(name) {
		return name
	}
	if r := []rune(name); len(r) > most {
		name = string(r[:most]) + "…"
	}
	return strconv.Quote(name)
}
