package main

// Group is a kind of text with its own budget.
type Group string

// The groups, in the order of the report.
const (
	GroupPages    Group = "pages"    // Markdown, and comments of YAML that users read
	GroupCLI      Group = "cli"      // help of commands and flags
	GroupMessages Group = "messages" // errors, log lines, descriptions
	GroupComments Group = "comments" // comments of Go
)

func allGroups() []Group { return []Group{GroupPages, GroupCLI, GroupMessages, GroupComments} }

// Text is a run of prose at one place of a file.
type Text struct {
	Group Group
	File  string // relative to the root of the repository, with slashes
	Line  int    // of the first line
	Prose string // lines are parted by line breaks as in the file
}

// Finding is a match of a pattern.
type Finding struct {
	Group   Group
	File    string
	Line    int
	Pattern Pattern
	Matched string
}
