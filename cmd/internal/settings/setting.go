package settings

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/spf13/pflag"
)

// Kind is what a setting takes.
type Kind string

// The kinds.
const (
	Text    Kind = "text"
	File    Kind = "file"
	Folder  Kind = "folder"
	Address Kind = "address"
	Integer Kind = "integer"
	Boolean Kind = "true or false"
	Choice  Kind = "one of"
	List    Kind = "list"  // a flag that repeats; in a variable one a line
	Words   Kind = "words" // with commas between them
)

// Setting is one row of the table.
type Setting struct {
	Flag     string // also the key of the settings file
	Variable string // "" for none
	Kind     Kind
	Default  string // "" where DefaultText describes it, or for none
	// DefaultText is the default in words, for people.
	DefaultText string
	Min, Max    int64 // of an Integer; Max 0 is math.MaxInt32
	Choices     []string
	Secret      bool // is never shown, and cannot be in the file
	NotInFile   bool // cannot be in the file for another reason
	ServeOnly   bool
	MCPOnly     bool
	Since       string
	Help        string // of the flag, without its variable
	Effect      string // for docs/operations.md, in Markdown; "" for Help
	// Chart is the value of the chart that sets it; "" if `settings` of the chart does. Several values have commas between them.
	Chart string
}

// HasKey reports whether the settings file may have the setting.
func (s Setting) HasKey() bool { return !s.Secret && !s.NotInFile }

// Bounds returns the range of an Integer.
func (s Setting) Bounds() (least, most int64) {
	if s.Max == 0 {
		return s.Min, math.MaxInt32 // as seconds it is still a Duration
	}
	return s.Min, s.Max
}

// CheckInteger returns the number of an Integer, or what it must be.
func (s Setting) CheckInteger(text string) (n int, must string) {
	least, most := s.Bounds()
	n, err := strconv.Atoi(text)
	switch {
	case err == nil && int64(n) >= least && int64(n) <= most:
		return n, ""
	case least == 1 && most == math.MaxInt32:
		must = "must be a positive integer"
	case most == math.MaxInt32:
		must = fmt.Sprintf("must be an integer, at least %d", least)
	default:
		must = fmt.Sprintf("must be an integer from %d to %d", least, most)
	}
	return 0, must
}

// flagUsage is the help of the flag.
func (s Setting) flagUsage() string {
	switch {
	case s.Variable == "":
		return s.Help
	case s.Kind == List:
		return s.Help + " (variable " + s.Variable + ", one per line)"
	}
	return s.Help + " (variable " + s.Variable + ")"
}

// AddFlags adds the flags of some settings to a command.
func AddFlags(f *pflag.FlagSet, flags ...string) {
	for _, flag := range flags {
		s, ok := Lookup(flag)
		if !ok {
			panic("no setting has the flag --" + flag)
		}
		switch s.Kind {
		case Boolean:
			f.Bool(s.Flag, s.Default == "true", s.flagUsage())
		case List:
			var values []string
			if s.Default != "" {
				values = []string{s.Default}
			}
			f.StringArray(s.Flag, values, s.flagUsage())
		default:
			f.String(s.Flag, s.Default, s.flagUsage())
		}
	}
}

// Lookup returns the setting of a flag.
func Lookup(flag string) (Setting, bool) {
	for _, s := range table {
		if s.Flag == flag {
			return s, true
		}
	}
	return Setting{}, false
}

// Table returns all settings, in the order of the documentation.
func Table() []Setting { return append([]Setting{}, table...) }

// ValueText describes what a setting takes, in Markdown.
func (s Setting) ValueText() string {
	switch s.Kind {
	case Integer:
		least, most := s.Bounds()
		if most == math.MaxInt32 {
			return fmt.Sprintf("integer, from %d", least)
		}
		return fmt.Sprintf("integer, %d to %d", least, most)
	case Choice:
		return "`" + strings.Join(s.Choices, "`, `") + "`"
	case List:
		return "list; repeat the flag"
	case Words:
		return "words with commas"
	}
	return string(s.Kind)
}
