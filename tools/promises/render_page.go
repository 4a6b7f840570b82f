package main

import (
	"bytes"
	_ "embed" // the template
	"fmt"
	"slices"
	"strings"
	"text/template"
)

//go:embed page.md.tmpl
var pageTemplateText string

// pageView is what the template sees of a page.
type pageView struct {
	Title, Name, Intro string
	Count              string
	Machine            string
	Sections           []sectionView
}

type sectionView struct {
	Title    string
	Promises []promiseResult
}

// renderPage makes the page of results. The same input makes the same bytes.
func (p resultsPage) renderPage(root string, r runsByPromiseName) ([]byte, error) {
	v := pageView{Title: p.title, Name: p.name, Intro: p.intro}
	var all []promiseResult
	for _, s := range p.sections {
		out := sectionView{Title: s.title}
		for _, x := range s.promises {
			measured := r[x.name]
			if x.from != "" {
				var err error
				if measured, err = readCompetitorReport(root); err != nil {
					return nil, err
				}
			}
			out.Promises = append(out.Promises, newPromiseResult(x, measured))
		}
		all = append(all, out.Promises...)
		v.Sections = append(v.Sections, out)
	}
	v.Machine = mostCommonMachine(all)
	v.Count = outcomeCountsText(all)
	t, err := template.New(p.name).Funcs(template.FuncMap{
		"elsewhere": func(x promiseResult) string {
			if x.Machine == v.Machine {
				return ""
			}
			return x.Machine
		},
	}).Parse(pageTemplateText)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = t.Execute(&b, v)
	return b.Bytes(), err
}

// mostCommonMachine returns the machine of most measurements.
func mostCommonMachine(all []promiseResult) string {
	counts, best := map[string]int{}, ""
	for _, v := range all {
		if v.Machine == "" {
			continue
		}
		counts[v.Machine]++
		if counts[v.Machine] > counts[best] {
			best = v.Machine
		}
	}
	return best
}

func outcomeCountsText(all []promiseResult) string {
	var n [outcomeFailed + 1]int
	for _, v := range all {
		n[v.outcome]++
	}
	parts := []string{fmt.Sprintf("%d held", n[outcomeHeld])}
	for o, word := range map[outcome]string{outcomeMissed: "missed", outcomeFailed: "failed or not measured", outcomeWithoutTarget: "without a target"} {
		if n[o] > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n[o], word))
		}
	}
	slices.Sort(parts[1:])
	text := fmt.Sprintf("%d in all: %s.", len(all), strings.Join(parts, ", "))
	short := 0
	for _, v := range all {
		if v.Short {
			short++
		}
	}
	if short > 0 {
		text += fmt.Sprintf(" **%d were measured in the short form**, whose targets are lower: it shows only that a measurement runs.", short)
	}
	return text
}

// The methods below are called by the template.

func (v promiseResult) Name() string               { return v.name }
func (v promiseResult) Sentence() string           { return v.sentence }
func (v promiseResult) Method() string             { return v.method }
func (v promiseResult) Interpretation() string     { return v.interpretation }
func (v promiseResult) IsShort() bool              { return v.Short }
func (v promiseResult) Remark() string             { return v.Note }
func (v promiseResult) DeclaredCommand() string    { return v.run.commandLineWithoutVariables() }
func (v promiseResult) HasRun() bool               { return v.Command != "" }
func (v promiseResult) RowHeader() string          { return v.rowHeader }
func (v promiseResult) HasSingleRow() bool         { return len(v.rows) == 1 && v.rows[0].name == "" }
func (v promiseResult) Rows() []measuredSubjectRow { return v.rows }
func (v promiseResult) Cells() []namedCell         { return v.namedCellsOfRow(0) }

// Outcome returns one or two words for the list at the top.
func (v promiseResult) Outcome() string {
	switch v.outcome {
	case outcomeWithoutTarget:
		return "no target"
	case outcomeHeld:
		return "held" + v.remarkOnShortenedRun()
	case outcomeMissed:
		_, worst := v.worstCell()
		return worst.distanceFromTargetText() + v.remarkOnShortenedRun()
	}
	return "**failed**: " + v.why
}

func (v promiseResult) remarkOnShortenedRun() string {
	if v.Short {
		return " in the short form"
	}
	return ""
}

// Why returns the reason of a failure, "" for everything else.
func (v promiseResult) Why() string { return v.why }

// Duration returns the duration of the measurement.
func (v promiseResult) Duration() string {
	if v.Seconds == 0 {
		return ""
	}
	if v.Seconds < 120 {
		return fmt.Sprintf("%.0f s", v.Seconds)
	}
	return fmt.Sprintf("%.0f min", v.Seconds/60)
}

// OthersShare returns the share of the machine that other processes used, "" for nearly none.
func (v promiseResult) OthersShare() string {
	if v.Others < 0.02 {
		return ""
	}
	return fmt.Sprintf("other processes used %.0f %% of the machine", v.Others*100)
}

// FigureHeadings returns the heads of the columns.
func (v promiseResult) FigureHeadings() []string {
	var out []string
	for _, f := range v.figures {
		out = append(out, f.name)
	}
	return out
}

// namedCell is a cell with the name of its figure.
type namedCell struct {
	Figure string
	figureCell
}

func (v promiseResult) namedCellsOfRow(at int) []namedCell {
	var out []namedCell
	for i, c := range v.rows[at].cells {
		if c.text != "" {
			out = append(out, namedCell{v.figures[i].name, c})
		}
	}
	return out
}

func (r measuredSubjectRow) Name() string {
	if r.name == "" {
		return "all"
	}
	return r.name
}

func (r measuredSubjectRow) Cells() []figureCell { return r.cells }

// Text marks what misses its aim.
func (c figureCell) Text() string {
	if c.outcome == outcomeMissed {
		return "**" + c.text + "**"
	}
	return c.text
}

func (c figureCell) Aim() string {
	if c.aim == nil {
		return ""
	}
	text := c.aim.is.String() + " " + formatNumber(c.bound)
	if c.unit != "" {
		text += " " + c.unit
	}
	return text
}

func (c figureCell) Verdict() string {
	switch c.outcome {
	case outcomeHeld:
		return "held"
	case outcomeMissed:
		return c.distanceFromTargetText()
	}
	return ""
}

// worstCell returns the cell that is farthest beyond its aim, with what it is called.
func (v promiseResult) worstCell() (name string, w figureCell) {
	for i := range v.figures {
		if n, c := v.worstCellOfFigure(i); c.aim != nil && (w.aim == nil || c.outcome > w.outcome || c.outcome == w.outcome && c.excess > w.excess) {
			name, w = n, c
		}
	}
	return name, w
}

func (v promiseResult) worstCellOfFigure(figure int) (name string, w figureCell) {
	for _, r := range v.rows {
		if c := r.cells[figure]; c.aim != nil && (w.aim == nil || c.excess > w.excess) {
			name, w = r.name, c
		}
	}
	return name, w
}

// Aims returns the aims of a table, each with its worst row.
func (v promiseResult) Aims() []string {
	var out []string
	for i, f := range v.figures {
		for _, a := range f.aims {
			var worst figureCell
			var at string
			for _, r := range v.rows {
				if c := r.cells[i]; c.aim != nil && *c.aim == a && (worst.aim == nil || c.excess > worst.excess) {
					worst, at = c, r.name
				}
			}
			if worst.aim == nil {
				continue
			}
			text := f.name
			if a.row != "" {
				text += " of " + strings.Trim(a.row, ", ")
			}
			text += ": " + worst.Aim() + ", " + worst.Verdict()
			if worst.outcome == outcomeMissed && at != "" {
				text += " (" + at + ")"
			}
			out = append(out, text)
		}
	}
	return out
}

// MeasuredText and Aim are the cells of the list at the top: the worst of each figure that
// has an aim.
func (v promiseResult) MeasuredText() string {
	var out []string
	for i, f := range v.figures {
		if name, c := v.worstCellOfFigure(i); c.aim != nil {
			text := f.name + " " + c.text
			if v.hasSeveralTargets(i) {
				text += " (" + name + ")"
			}
			out = append(out, text)
		}
	}
	return strings.Join(out, ", ")
}

func (v promiseResult) Aim() string {
	var out []string
	for i := range v.figures {
		if _, c := v.worstCellOfFigure(i); c.aim != nil {
			out = append(out, c.Aim())
		}
	}
	return strings.Join(out, ", ")
}

// hasSeveralTargets reports whether the rows have different values of a figure.
func (v promiseResult) hasSeveralTargets(figure int) bool {
	return slices.ContainsFunc(v.rows, func(r measuredSubjectRow) bool {
		return r.cells[figure].text != "" && r.cells[figure].text != v.rows[0].cells[figure].text
	})
}

// summaryLine returns a line for the person who waits.
func (v promiseResult) summaryLine() string {
	text := v.Outcome()
	if m := v.MeasuredText(); m != "" {
		text += ": " + m
	}
	return text
}
