package main

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/mod/semver"
)

// releasedModule is what the rules are asked about.
type releasedModule struct {
	dir     string
	version string   // of versions.yaml
	tagged  string   // the version of its last tag, "" without one
	base    []string // the API of that tag, or the one that is written down
	now     []string // the API of the tree
	changed bool     // it is not what the tag holds; always, without one
}

// releaseFindings holds the errors and the notes about a module.
type releaseFindings struct{ wrong, notes []string }

func (m releasedModule) checkRelease(changelog string) (v releaseFindings) {
	gone, added := linesMissingFrom(m.base, m.now), linesMissingFrom(m.now, m.base)
	raised := m.tagged == "" || m.version != m.tagged
	switch {
	case m.tagged == "":
		for _, line := range gone {
			v.wrong = append(v.wrong, "gone: "+line)
		}
	case semver.Compare(m.version, m.tagged) < 0:
		v.wrong = append(v.wrong, fmt.Sprintf("%s is older than the tag %s", m.version, m.tagged))
	default:
		least := nextVersion(m.tagged, len(gone) > 0, len(added) > 0)
		switch {
		case m.changed && !raised:
			v.notes = append(v.notes, fmt.Sprintf("changed since %s; its next release is %s or above", m.tagged, least))
		case raised && semver.Compare(m.version, least) < 0:
			v.wrong = append(v.wrong, fmt.Sprintf("%s after %s is too little: it has to be %s or above", m.version, m.tagged, least))
			for _, line := range gone {
				v.wrong = append(v.wrong, "gone: "+line)
			}
		}
	}
	if n := len(added); n > 0 {
		v.notes = append(v.notes, fmt.Sprintf("%d new lines of API", n))
	}
	if m.changed && !changelogNamesModule(changelog, m.dir, m.version) {
		v.wrong = append(v.wrong, "changed, and CHANGELOG.md does not name it under Unreleased or "+m.dir+" "+m.version)
	}
	return v
}

// nextVersion returns the least version after one that fits what has happened to the API.
// Before v1 a minor version may break, and a patch may add.
func nextVersion(tagged string, gone, added bool) string {
	var major, minor, patch int
	// A canonical version has three numbers.
	_, _ = fmt.Sscanf(semver.Canonical(tagged), "v%d.%d.%d", &major, &minor, &patch)
	switch {
	case gone && major > 0:
		return fmt.Sprintf("v%d.0.0", major+1)
	case gone, added && major > 0:
		return fmt.Sprintf("v%d.%d.0", major, minor+1)
	}
	return fmt.Sprintf("v%d.%d.%d", major, minor, patch+1)
}

var changelogHeadingPattern = regexp.MustCompile(`(?m)^## `)

// changelogNamesModule reports whether the changelog names a module: in the entries under
// Unreleased, or in a section of its version.
func changelogNamesModule(changelog, dir, version string) bool {
	for _, section := range changelogHeadingPattern.Split(changelog, -1)[1:] {
		title, entries, _ := strings.Cut(section, "\n")
		if strings.Contains(title, dir+" "+version) {
			return true
		}
		if strings.Contains(title, "Unreleased") && strings.Contains(entries, "`"+dir+"`") {
			return true
		}
	}
	return false
}

func linesMissingFrom(lines, others []string) []string {
	var out []string
	for _, line := range lines {
		if _, found := slices.BinarySearch(others, line); !found {
			out = append(out, line)
		}
	}
	return out
}
