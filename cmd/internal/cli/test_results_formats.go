package cli

import (
	"encoding/xml"
	"fmt"
	"strconv"
	"strings"

	"github.com/semlayer/semlayer/engine/modeltest"
)

// The formats of test results.
const (
	formatJUnit = "junit"
	formatTAP   = "tap"
)

func testResultPositionPrefix(r modeltest.Result) string {
	if r.File == "" {
		return ""
	}
	return r.File + ":" + strconv.Itoa(r.Line) + ": "
}

// testResultsText lists the tests that did not pass, then a summary.
func testResultsText(results []modeltest.Result) string {
	var b strings.Builder
	for _, r := range results {
		switch r.Status {
		case modeltest.StatusFailed:
			b.WriteString("FAIL " + testResultPositionPrefix(r) + r.Name + "\n" + indentLines(testFailureText(r)))
		case modeltest.StatusSkipped:
			b.WriteString("skip " + testResultPositionPrefix(r) + r.Name + ": " + r.Message + "\n")
		}
	}
	return b.String() + testSummary(results)
}

// testFailureText returns the message of a failure with its rows and the SQL.
func testFailureText(r modeltest.Result) string {
	lines := append([]string{r.Message}, r.Rows...)
	if r.SQL != "" {
		lines = append(lines, "SQL:", r.SQL)
	}
	return strings.Join(lines, "\n") + "\n"
}

func indentLines(text string) string {
	return "  " + strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "\n", "\n  ") + "\n"
}

func testSummary(results []modeltest.Result) string {
	n := map[modeltest.Status]int{}
	for _, r := range results {
		n[r.Status]++
	}
	return fmt.Sprintf("%d passed, %d failed, %d skipped\n", n[modeltest.StatusPassed], n[modeltest.StatusFailed], n[modeltest.StatusSkipped])
}

// testResultsTAP prints results in the Test Anything Protocol, version 13.
func testResultsTAP(results []modeltest.Result) string {
	var b strings.Builder
	fmt.Fprintf(&b, "TAP version 13\n1..%d\n", len(results))
	for i, r := range results {
		ok, directive := "ok", ""
		switch r.Status {
		case modeltest.StatusFailed:
			ok = "not ok"
		case modeltest.StatusSkipped:
			directive = " # SKIP " + terminalSafeLine(r.Message)
		}
		fmt.Fprintf(&b, "%s %d - %s%s\n", ok, i+1, strings.ReplaceAll(terminalSafeLine(r.Name), "#", `\#`), directive)
		if r.Status == modeltest.StatusFailed {
			for _, line := range strings.Split(strings.TrimSuffix(testResultPositionPrefix(r)+testFailureText(r), "\n"), "\n") {
				b.WriteString("# " + line + "\n")
			}
		}
	}
	return b.String()
}

// testFailureWorkflowCommands lists failures as workflow commands of GitHub.
func testFailureWorkflowCommands(results []modeltest.Result) string {
	var b strings.Builder
	for _, r := range results {
		if r.Status != modeltest.StatusFailed {
			continue
		}
		properties := "title=" + workflowPropertyEscaper.Replace(r.Name)
		if r.File != "" {
			properties = "file=" + workflowPropertyEscaper.Replace(r.File) + ",line=" + strconv.Itoa(r.Line) + "," + properties
		}
		b.WriteString("::error " + properties + "::" + workflowMessageEscaper.Replace(strings.TrimSuffix(testFailureText(r), "\n")) + "\n")
	}
	return b.String()
}

type junitSuite struct {
	XMLName  xml.Name    `xml:"testsuite"`
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Skipped  int         `xml:"skipped,attr"`
	Cases    []junitCase `xml:"testcase"`
}

type junitCase struct {
	Name    string        `xml:"name,attr"`
	Class   string        `xml:"classname,attr"`
	Seconds string        `xml:"time,attr"`
	Failure *junitMessage `xml:"failure,omitempty"`
	Skipped *junitMessage `xml:"skipped,omitempty"`
}

type junitMessage struct {
	Message string `xml:"message,attr"`
	Text    string `xml:",chardata"`
}

// printJUnit prints results as JUnit XML, which continuous integration reads.
func (a *app) printJUnit(results []modeltest.Result) error {
	suite := junitSuite{Name: "semlayer", Tests: len(results)}
	for _, r := range results {
		c := junitCase{Name: r.Name, Class: r.File, Seconds: strconv.FormatFloat(r.Took.Seconds(), 'f', 3, 64)}
		switch r.Status {
		case modeltest.StatusFailed:
			suite.Failures++
			c.Failure = &junitMessage{Message: terminalSafeLine(r.Message), Text: testResultPositionPrefix(r) + testFailureText(r)}
		case modeltest.StatusSkipped:
			suite.Skipped++
			c.Skipped = &junitMessage{Message: terminalSafeLine(r.Message)}
		}
		suite.Cases = append(suite.Cases, c)
	}
	text, err := xml.MarshalIndent(suite, "", "  ")
	if err != nil {
		return err
	}
	return a.printText(xml.Header + string(text))
}
