package runbooktest

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/executor/testwait"
)

const root = "../../.."

// section is the part of the runbook about one symptom.
type section struct {
	title        string
	log, metrics []string // lines that the page shows
}

// ownSample is a sample that is not of the runtime.
var ownSample = regexp.MustCompile(`(?m)^semlayer_.*$`)

var fencedBlock = regexp.MustCompile("(?ms)^```(log|metrics)\n(.*?)^```$")

// sections reads the runbook: its headings of the second level are symptoms.
func sections(t *testing.T) []section {
	t.Helper()
	page, err := os.ReadFile(root + "/docs/runbook.md")
	if err != nil {
		t.Fatal(err)
	}
	var out []section
	for _, text := range strings.Split(string(page), "\n## ")[1:] {
		title, body, _ := strings.Cut(text, "\n")
		s := section{title: title}
		for _, block := range fencedBlock.FindAllStringSubmatch(body, -1) {
			lines := strings.Split(strings.TrimSpace(block[2]), "\n")
			if block[1] == "log" {
				s.log = append(s.log, lines...)
			} else {
				s.metrics = append(s.metrics, lines...)
			}
		}
		if len(s.log)+len(s.metrics) == 0 {
			t.Errorf("the section %q shows neither a line of the log nor a metric", title)
		}
		out = append(out, s)
	}
	return out
}

// anchor returns the fragment of a heading, as GitHub makes it.
func anchor(title string) string {
	return strings.ReplaceAll(strings.ToLower(regexp.MustCompile(`[^\w\- ]`).ReplaceAllString(title, "")), " ", "-")
}

// matches reports whether a line of the page is in a text. A line of the log may have more in front of it and behind
// it, a metric may not.
func matches(line, text string, whole bool) bool {
	pattern := strings.ReplaceAll(regexp.QuoteMeta(line), "…", ".*")
	if whole {
		pattern = "^" + pattern + "$"
	}
	return regexp.MustCompile("(?m)" + pattern).MatchString(text)
}

func TestRunbook_EverySymptomIsProduced(t *testing.T) {
	seen := map[string]bool{}
	for _, s := range sections(t) {
		seen[s.title] = true
		produce, ok := symptoms[s.title]
		if !ok {
			t.Errorf("nothing produces %q", s.title)
			continue
		}
		t.Run(anchor(s.title), func(t *testing.T) {
			t.Setenv("HOME", t.TempDir()) // the user's connection profiles are in HOME
			e := produce(t)
			var missing []string
			t.Cleanup(func() {
				if len(missing) > 0 {
					t.Errorf("the page shows lines that the server does not write:\n%s\nthe log:\n%s\nmetrics:\n%s", strings.Join(missing, "\n"), e.log(), strings.Join(ownSample.FindAllString(e.metrics(), -1), "\n"))
				}
			})
			testwait.Until(t, "the log and the metrics have the lines of the page", func() bool {
				missing = nil
				for _, line := range s.log {
					if !matches(line, e.log(), false) {
						missing = append(missing, line)
					}
				}
				for _, line := range s.metrics {
					if !matches(line, e.metrics(), true) {
						missing = append(missing, line)
					}
				}
				return len(missing) == 0
			})
		})
	}
	for title := range symptoms {
		if !seen[title] {
			t.Errorf("the runbook has no section %q", title)
		}
	}
}
