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

func place(r modeltest.Result) string {
	if r.File == "" {
		return ""
	}
	return r.File + ":" + strconv.Itoa(r.Line) + ": "
}

// testText lists the tests that did not pass, then a summary.
func testText(results []modeltest.Result) string {
	var b strings.Builder
	for _, r := range results {
		switch r.Status {
		case modeltest.Failed:
			b.WriteString("FAIL " + place(r) + r.Name + "\n" + indent(failureText(r)))
		case modeltest.Skipped:
			b.WriteString("skip " + place(r) + r.Name + ": " + r.Message + "\n")
		}
	}
	return b.String() + testSummary(results)
}

// failureText is the message of a failure with its rows and the SQL.
func failureText(r modeltest.Result) string {
	lines := append([]string{r.Message}, r.Rows...)
	if r.SQL != "" {
		lines = append(lines, "SQL:", r.SQL)
	}
	return strings.Join(lines, "\n") + "\n"
}

func indent(text string) string {
	return "  " + strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "\n", "\n  ") + "\n"
}

func testSummary(results []modeltest.Result) string {
	n := map[modeltest.Status]int{}
	for _, r := range results {
		n[r.Status]++
	}
	return fmt.Sprintf("%d passed, %d failed, %d skipped\n", n[modeltest.Passed], n[modeltest.Failed], n[modeltest.Skipped])
}

// tapText prints results in the Test Anything Protocol, version 13.
func tapText(results []modeltest.Result) string {
	var b strings.Builder
	fmt.Fprintf(&b, "TAP version 13\n1..%d\n", len(results))
	for i, r := range results {
		ok, directive := "ok", ""
		switch r.Status {
		case modeltest.Failed:
			ok = "not ok"
		case modeltest.Skipped:
			directive = " # SKIP " + oneLine(r.Message)
		}
		fmt.Fprintf(&b, "%s %d - %s%s\n", ok, i+1, strings.ReplaceAll(oneLine(r.Name), "#", `\#`), directive)
		if r.Status == modeltest.Failed {
			for _, line := range strings.Split(strings.TrimSuffix(place(r)+failureText(r), "\n"), "\n") {
				b.WriteString("# " + line + "\n")
			}
		}
	}
	return b.String()
}

// testCommands lists failures as workflow commands of GitHub.
func testCommands(results []modeltest.Result) string {
	var b strings.Builder
	for _, r := range results {
		if r.Status != modeltest.Failed {
			continue
		}
		properties := "title=" + workflowProperty.Replace(r.Name)
		if r.File != "" {
			properties = "file=" + workflowProperty.Replace(r.File) + ",line=" + strconv.Itoa(r.Line) + "," + properties
		}
		b.WriteString("::error " + properties + "::" + workflowMessage.Replace(strings.TrimSuffix(failureText(r), "\n")) + "\n")
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
		case modeltest.Failed:
			suite.Failures++
			c.Failure = &junitMessage{Message: oneLine(r.Message), Text: place(r) + failureText(r)}
		case modeltest.Skipped:
			suite.Skipped++
			c.Skipped = &junitMessage{Message: oneLine(r.Message)}
		}
		suite.Cases = append(suite.Cases, c)
	}
	text, err := xml.MarshalIndent(suite, "", "  ")
	if err != nil {
		return err
	}
	return a.printText(xml.Header + string(text))
}
