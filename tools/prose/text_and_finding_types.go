package main

// TextGroup is a kind of text with its own budget.
type TextGroup string

// The groups, in the order of the report.
const (
	GroupPages    TextGroup = "pages"    // Markdown, and comments of YAML that users read
	GroupCLI      TextGroup = "cli"      // help of commands and flags
	GroupMessages TextGroup = "messages" // errors, log lines, descriptions
	GroupComments TextGroup = "comments" // comments of Go
)

func allGroups() []TextGroup { return []TextGroup{GroupPages, GroupCLI, GroupMessages, GroupComments} }

// ProseText is a run of prose at one place of a file.
type ProseText struct {
	Group TextGroup
	File  string // relative to the root of the repository, with slashes
	Line  int    // of the first line
	Prose string // lines are parted by line breaks as in the file
}

// Finding is a match of a pattern.
type Finding struct {
	Group   TextGroup
	File    string
	Line    int
	Pattern Pattern
	Matched string
}
