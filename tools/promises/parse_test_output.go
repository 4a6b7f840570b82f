package main

import (
	"bufio"
	"encoding/json"
	"io"
	"regexp"
	"slices"
	"strings"
)

// reportedValue is one value that a test or a benchmark gave.
type reportedValue struct {
	Test  string `json:"test"`
	Key   string `json:"key"`
	Value string `json:"value"`
}

// testOutput is the parsed output of a run.
type testOutput struct {
	events []reportedValue
	failed []string // tests, the innermost of a tree
	broken bool     // a package failed, perhaps without a failed test
	// For the person who looks for the reason: the output of the first failed test, and
	// the last lines of all.
	first, last  []string
	pendingLines map[string][]string // by test, while it runs
}

func (o testOutput) failureLines() []string {
	if len(o.first) > 0 {
		return o.first
	}
	return o.last
}

// goTestJSONLine is one line of go test -json.
type goTestJSONLine struct {
	Action, Package, Test, Output, Key, Value string
}

const maxKeptOutputLines = 60

// parseTestOutput reads what a command prints: the events of go test -json, or plain text, in
// which a script prints attributes like a test: "=== ATTR  name key value".
func parseTestOutput(in io.Reader) (testOutput, error) {
	out := testOutput{pendingLines: map[string][]string{}}
	pending := map[string]string{} // by package: a line of text may come in parts
	text := bufio.NewReader(in)
	for {
		raw, err := text.ReadString('\n')
		if raw != "" {
			var l goTestJSONLine
			if json.Unmarshal([]byte(raw), &l) != nil || l.Action == "" {
				l = goTestJSONLine{Action: "output", Output: raw}
			}
			out.addLine(l, pending)
		}
		if err == io.EOF {
			return out, nil
		}
		if err != nil {
			return out, err
		}
	}
}

func (o *testOutput) addLine(l goTestJSONLine, pending map[string]string) {
	switch l.Action {
	case "attr":
		o.events = append(o.events, reportedValue{l.Test, l.Key, l.Value})
	case "fail":
		if len(o.first) == 0 {
			o.first = o.pendingLines[l.Test]
		}
		o.addFailure(l.Test)
	case "pass", "skip":
		delete(o.pendingLines, l.Test)
	case "build-output":
		o.keepLastLine(strings.TrimRight(l.Output, "\n"))
	case "output":
		whole := pending[l.Package] + l.Output
		complete := whole[:strings.LastIndexByte(whole, '\n')+1]
		pending[l.Package] = whole[len(complete):]
		for t := range strings.Lines(complete) {
			o.addOutputTextLine(strings.TrimRight(t, "\n"), l)
		}
	}
}

// addFailure notes a test that failed. Parents fail after their children and say nothing new.
func (o *testOutput) addFailure(test string) {
	if test == "" {
		o.broken = true
		return
	}
	if !slices.ContainsFunc(o.failed, func(f string) bool { return strings.HasPrefix(f, test+"/") }) {
		o.failed = append(o.failed, test)
	}
}

func (o *testOutput) keepLastLine(text string) {
	if o.last = append(o.last, text); len(o.last) > maxKeptOutputLines {
		o.last = o.last[1:]
	}
}

func (o *testOutput) addOutputTextLine(t string, l goTestJSONLine) {
	if rest, is := strings.CutPrefix(t, "=== ATTR  "); is && l.Package == "" {
		if parts := strings.SplitN(rest, " ", 3); len(parts) == 3 {
			o.events = append(o.events, reportedValue{parts[0], parts[1], parts[2]})
		}
		return
	}
	if strings.HasPrefix(t, "===") || strings.HasPrefix(strings.TrimSpace(t), "--- PASS") {
		return
	}
	o.keepLastLine(t)
	if said := o.pendingLines[l.Test]; l.Test != "" && len(said) < maxKeptOutputLines {
		o.pendingLines[l.Test] = append(said, t)
	}
	o.events = append(o.events, parseBenchmarkLine(t, l.Test)...)
}

var processorCountSuffix = regexp.MustCompile(`-\d+$`)

// parseBenchmarkLine reads the metrics of a line of results: a name, the number of iterations,
// and pairs of a value and its unit.
func parseBenchmarkLine(text, test string) []reportedValue {
	fields := strings.Fields(text)
	if len(fields) < 4 || len(fields)%2 != 0 || !strings.HasPrefix(fields[0], "Benchmark") {
		return nil
	}
	// The name ends in the number of processors, unless there is one only.
	name := fields[0]
	if test == "" || test != name {
		name = processorCountSuffix.ReplaceAllString(name, "")
	}
	var out []reportedValue
	for i := 2; i+1 < len(fields); i += 2 {
		out = append(out, reportedValue{name, fields[i+1], fields[i]})
	}
	return out
}
