package cli

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/clipperhouse/displaywidth"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/engine/datacheck"
	"github.com/semlayer/semlayer/modelspec"
)

// finding is one validation message about one place of a model.
type finding struct {
	code, message, location string
	candidates              []string
	hint                    string
	at                      modelspec.Position
	warning                 bool
	data                    bool // it is about the data
}

// titledFindings is findings that mean the same to the author of a model.
type titledFindings struct {
	title string
	list  []finding
}

const warningTitle = "warning"

// groupFindingsByTitle parts the findings into what makes a model invalid, what makes parts
// of it unusable, and what deserves a look.
func groupFindingsByTitle(v *engine.Validation) []titledFindings {
	var failures, compile, warnings []finding
	for _, i := range v.Issues {
		f := finding{
			code: i.Code, message: i.Message, location: i.Location, candidates: i.Candidates, hint: i.Hint, at: i.Position,
			warning: string(i.Severity) == "warning", data: datacheck.IsDataFindingCode(i.Code),
		}
		if v.LoadError != nil {
			f.message = v.LoadError.Message // without the place, which is printed before it
		}
		if f.warning {
			warnings = append(warnings, f)
		} else {
			failures = append(failures, f)
		}
	}
	for _, c := range v.CompileErrors {
		compile = append(compile, finding{
			code: c.Code, message: c.Message, location: c.Location, candidates: c.Candidates, hint: c.Hint, at: c.Position,
		})
	}
	for _, w := range v.Warnings {
		warnings = append(warnings, finding{code: w.Code, message: w.Message, location: w.Location, at: w.Position, warning: true})
	}
	// Two stages warn, each in the order of the document.
	slices.SortStableFunc(warnings, func(a, b finding) int {
		return cmp.Or(cmp.Compare(a.at.Line, b.at.Line), cmp.Compare(a.at.Column, b.at.Column))
	})
	return []titledFindings{{"error", failures}, {"compile error", compile}, {warningTitle, warnings}}
}

// validationFindingsText lists the findings group by group, each with its line of the
// source and a caret below the column, and ends with how many there are.
func validationFindingsText(path string, source []byte, v *engine.Validation, s textStyle) string {
	lines := strings.Split(string(source), "\n")
	var b strings.Builder
	var counts []string
	for _, g := range groupFindingsByTitle(v) {
		if len(g.list) == 0 {
			continue
		}
		count := formatCountWithTitle(len(g.list), g.title)
		counts = append(counts, count)
		title := s.red(count)
		if g.title == warningTitle {
			title = s.yellow(count)
		}
		b.WriteString(title + "\n\n")
		shown, hidden := g.limitShownFindings()
		for _, one := range shown {
			one.first.writeText(&b, path, lines, s, otherFindingPlacesText(one.rest))
		}
		for _, h := range hidden {
			b.WriteString(s.bold(h.code+":") + " " + strconv.Itoa(h.count) + " more (--format json lists all)\n\n")
		}
	}
	b.WriteString(path + " is " + validOrNotText(v))
	if len(counts) > 0 {
		b.WriteString(": " + strings.Join(counts, ", "))
	}
	return b.String() + "\n"
}

func validOrNotText(v *engine.Validation) string {
	if v.Valid {
		return "valid"
	}
	return "not valid"
}

func formatCountWithTitle(n int, title string) string {
	if n != 1 {
		title += "s"
	}
	return strconv.Itoa(n) + " " + title
}

// groupEqualFindings splits the findings of a group. Each error is shown by itself, because each has to
// be fixed; equal warnings are shown once, except those about data, whose numbers differ.
func (g titledFindings) groupEqualFindings() []findingGroup[finding] {
	if g.title == warningTitle {
		var text []finding
		var out []findingGroup[finding]
		for _, f := range g.list {
			if f.data {
				out = append(out, findingGroup[finding]{first: f})
			} else {
				text = append(text, f)
			}
		}
		out = append(out, groupFindings(text, findingGroupKey)...)
		slices.SortStableFunc(out, func(a, b findingGroup[finding]) int { return a.first.at.Compare(b.first.at) })
		return out
	}
	out := make([]findingGroup[finding], len(g.list))
	for i, f := range g.list {
		out[i].first = f
	}
	return out
}

// writeText prints a finding; more lists the places of equal findings.
func (f finding) writeText(b *strings.Builder, path string, lines []string, s textStyle, more string) {
	b.WriteString(s.dim(engine.MessagePositionPrefix(path, f.at)) + s.bold(f.code+":") + " " + terminalSafeLine(f.message) + "\n")
	line := func(label, value string) {
		if value != "" {
			b.WriteString("  " + s.dim(label+":") + " " + terminalSafeLine(value) + "\n")
		}
	}
	line("in the model at", f.location)
	line("candidates", strings.Join(f.candidates, ", "))
	line("hint", f.hint)
	line("equal", more)
	text := sourceExcerpt(lines, f.at)
	if above, found := strings.CutSuffix(text, "^\n"); found {
		text = above + s.green("^") + "\n"
	}
	b.WriteString(text + "\n")
}

// sourceExcerpt returns the line of a position with a caret below its column; "" where
// the position is unknown. If the line is long, it is the part around the column.
func sourceExcerpt(lines []string, at modelspec.Position) string {
	if at.Line < 1 || at.Line > len(lines) {
		return ""
	}
	return lineExcerpt(strings.TrimSuffix(lines[at.Line-1], "\r"), at)
}

// lineExcerpt is sourceExcerpt of the line itself.
func lineExcerpt(line string, at modelspec.Position) string {
	return engine.LineExcerpt(terminalSafeLine(line), at, displaywidth.String)
}

// maxShownVendors bounds how many vendors one line names.
const maxShownVendors = 10

// ignoredVendorsText names the vendors whose entries are ignored, each with the number of
// its entries; "" when there are none.
func ignoredVendorsText(e *engine.Engine) string {
	list := e.IgnoredVendors()
	var parts []string
	for _, v := range list[:min(len(list), maxShownVendors)] {
		parts = append(parts, quoteVendorName(v.Name)+" ("+strconv.Itoa(v.Entries)+")")
	}
	if rest := len(list) - len(parts); rest > 0 {
		parts = append(parts, strconv.Itoa(rest)+" more")
	}
	return strings.Join(parts, ", ")
}

// quoteVendorName returns a name from a model for one line of a terminal: a plain name as it is,
// another one quoted.
func quoteVendorName(name string) string {
	if quoted := strconv.QuoteToGraphic(name); quoted != `"`+name+`"` || strings.ContainsAny(name, " ,") || name == "" {
		return quoted
	}
	return name
}
