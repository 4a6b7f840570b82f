package main

// ProseTextKind is a kind of text with its own budget.
type ProseTextKind string

// The groups, in the order of the report.
const (
	GroupPages    ProseTextKind = "pages"    // Markdown, and comments of YAML that users read
	GroupCLI      ProseTextKind = "cli"      // help of commands and flags
	GroupMessages ProseTextKind = "messages" // errors, log lines, descriptions
	GroupComments ProseTextKind = "comments" // comments of Go
)

func allGroups() []ProseTextKind {
	return []ProseTextKind{GroupPages, GroupCLI, GroupMessages, GroupComments}
}

// ProseText is a run of prose at one place of a file.
type ProseText struct {
	Group ProseTextKind
	File  string // relative to the root of the repository, with slashes
	Line  int    // of the first line
	Prose string // lines are parted by line breaks as in the file
}

// Finding is a match of a pattern.
type Finding struct {
	Group   ProseTextKind
	File    string
	Line    int
	Pattern Pattern
	Matched string
}
