package cli

import (
	"strconv"
	"strings"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/modelspec/diff"
)

// diffText lists the differences for people, class by class.
func diffText(entries []diff.Entry, before, after string, s textStyle) string {
	var b strings.Builder
	for i, e := range entries {
		if i == 0 || entries[i-1].Class != e.Class {
			if i > 0 {
				b.WriteString("\n")
			}
			b.WriteString(styleOfDiffClass(s, e.Class)(string(e.Class)) + "\n")
		}
		b.WriteString("  " + s.bold(diffEntryTitle(e)) + "\n")
		for _, line := range diffEntryDetails(e) {
			b.WriteString("      " + line + "\n")
		}
		if place := diffEntryLocationText(e, before, after); place != "" {
			b.WriteString("      " + s.dim(place) + "\n")
		}
	}
	if len(entries) > 0 {
		b.WriteString("\n")
	}
	return b.String() + diffSummary(entries) + "\n"
}

func styleOfDiffClass(s textStyle, c diff.ChangeClass) func(string) string {
	switch c {
	case diff.ClassBreaking:
		return s.red
	case diff.ClassChanged:
		return s.yellow
	}
	return s.green
}

// diffEntryTitle names the object and what differs: field orders.amount: expression.
func diffEntryTitle(e diff.Entry) string {
	name := string(e.Object) + " " + terminalSafeLine(e.Name)
	if e.Line > 0 {
		name = "query of line " + strconv.Itoa(e.Line)
	}
	return name + ": " + strings.ReplaceAll(string(e.Property), "_", " ")
}

// diffEntryDetails lists the values of a difference with its cause and its effects.
func diffEntryDetails(e diff.Entry) []string {
	var out []string
	if e.Line > 0 && e.Old != "" && e.New != "" {
		e.Old, e.New = "", "" // statements are long: json has them
	}
	if e.Old != "" {
		out = append(out, "- "+terminalSafeLine(e.Old))
	}
	if e.New != "" {
		out = append(out, "+ "+terminalSafeLine(e.New))
	}
	if e.RenamedFromHint != "" {
		out = append(out, renamedObjectHintText(e))
	}
	if e.Because != "" {
		out = append(out, "because "+terminalSafeLine(e.Because))
	}
	if len(e.Affects) > 0 {
		out = append(out, "affects "+firstNamesText(e.Affects))
	}
	if e.VisibleTo != nil {
		out = append(out, visibleRolesText(e.VisibleTo))
	}
	return out
}

// visibleRolesText names the roles that see an added object.
func visibleRolesText(roles []string) string {
	if len(roles) == 0 {
		return "visible to no role"
	}
	return "visible to " + firstNamesText(roles)
}

// renamedObjectHintText names the object that may be the same one.
func renamedObjectHintText(e diff.Entry) string {
	if e.InOld {
		return "has the meaning of the new " + terminalSafeLine(e.RenamedFromHint) + ": renamed?"
	}
	return "has the meaning of the old " + terminalSafeLine(e.RenamedFromHint) + ": renamed?"
}

// maxNamesOfLine is how many names a line lists.
const maxNamesOfLine = 20

func firstNamesText(names []string) string {
	rest := ""
	if len(names) > maxNamesOfLine {
		rest = " and " + strconv.Itoa(len(names)-maxNamesOfLine) + " more"
		names = names[:maxNamesOfLine]
	}
	return terminalSafeLine(strings.Join(names, ", ")) + rest
}

// diffEntryLocationText returns the file, line and column of a difference with its place in the model; "" for a difference of the
// whole model.
func diffEntryLocationText(e diff.Entry, before, after string) string {
	if e.Line > 0 {
		return terminalSafeLine(e.Name)
	}
	if e.Location == "" {
		return ""
	}
	path := after
	if e.InOld {
		path = before
	}
	return engine.MessagePositionPrefix(path, e.Position) + terminalSafeLine(e.Location)
}

// diffSummary counts the differences of each class.
func diffSummary(entries []diff.Entry) string {
	if len(entries) == 0 {
		return "no difference"
	}
	counts := map[diff.ChangeClass]int{}
	for _, e := range entries {
		counts[e.Class]++
	}
	var parts []string
	for _, c := range []diff.ChangeClass{diff.ClassBreaking, diff.ClassChanged, diff.ClassCompatible} {
		if counts[c] > 0 {
			parts = append(parts, strconv.Itoa(counts[c])+" "+string(c))
		}
	}
	return strings.Join(parts, ", ")
}

// diffMarkdown writes the differences as a comment on a change: a table for each class.
func diffMarkdown(entries []diff.Entry) string {
	var b strings.Builder
	b.WriteString("**Model: " + diffSummary(entries) + "**\n")
	for i, e := range entries {
		if i == 0 || entries[i-1].Class != e.Class {
			b.WriteString("\n### " + string(e.Class) + "\n\n| object | property | old | new | note |\n|---|---|---|---|---|\n")
		}
		var notes []string
		if e.RenamedFromHint != "" {
			notes = append(notes, renamedObjectHintText(e))
		}
		if e.Because != "" {
			notes = append(notes, "because "+e.Because)
		}
		if len(e.Affects) > 0 {
			notes = append(notes, "affects "+firstNamesText(e.Affects))
		}
		if e.VisibleTo != nil {
			notes = append(notes, visibleRolesText(e.VisibleTo))
		}
		title, property, _ := strings.Cut(diffEntryTitle(e), ": ")
		b.WriteString("| " + escapeMarkdown(title) + " | " + property + " | " + markdownCodeSpan(e.Old) + " | " + markdownCodeSpan(e.New) +
			" | " + escapeMarkdown(strings.Join(notes, "; ")) + " |\n")
	}
	return b.String()
}

var markdownEscaper = strings.NewReplacer(`\`, `\\`, "|", `\|`, "<", "&lt;", ">", "&gt;", "`", "\\`", "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`, "@", "@\u200b")

func escapeMarkdown(s string) string { return markdownEscaper.Replace(terminalSafeLine(s)) }

// markdownCodeSpan returns a value as code. A backquote would end it.
func markdownCodeSpan(s string) string {
	if s == "" {
		return ""
	}
	return "`" + strings.NewReplacer("`", "'", "|", `\|`).Replace(terminalSafeLine(s)) + "`"
}

// diffGitHubAnnotations lists the differences as workflow commands of GitHub, beside the lines of
// the new file.
func diffGitHubAnnotations(entries []diff.Entry, after string) string {
	levels := map[diff.ChangeClass]string{diff.ClassBreaking: "error", diff.ClassChanged: "warning", diff.ClassCompatible: "notice"}
	var b strings.Builder
	for _, e := range entries {
		properties := ""
		if after != standardInputFileName {
			properties = "file=" + workflowPropertyEscaper.Replace(after) + ","
			if !e.InOld && e.Position.Line > 0 {
				properties += "line=" + strconv.Itoa(e.Position.Line) + ",col=" + strconv.Itoa(e.Position.Column) + ","
			}
		}
		message := strings.Join(append([]string{diffEntryTitle(e)}, diffEntryDetails(e)...), "\n")
		b.WriteString("::" + levels[e.Class] + " " + properties + "title=" + workflowPropertyEscaper.Replace(string(e.Class)) + "::" + workflowMessageEscaper.Replace(message) + "\n")
	}
	return b.String()
}
