package corpus

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// Statements has what each dialect makes of each case, by the name of the dialect and of the case: SQL, or RejectedPrefix
// and the code of the error. PlanKey is a dialect whose texts are plans.
type Statements map[string]map[string]string

// RejectedPrefix begins the text of a case that the dialect rejects.
const RejectedPrefix = "rejected: "

// PlanKey is the name of the plans among the dialects.
const PlanKey = "plan"

// Add adds the text of a case.
func (s Statements) Add(dialect, name, text string) {
	if s[dialect] == nil {
		s[dialect] = map[string]string{}
	}
	s[dialect][name] = strings.TrimSuffix(text, "\n") + "\n"
}

// Write writes one archive a dialect, with a section for each case, and removes the archives of other dialects.
func (s Statements) Write(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	old, err := archivesBelow(dir)
	if err != nil {
		return err
	}
	for _, path := range old {
		if err := os.Remove(path); err != nil {
			return err
		}
	}
	for dialect, texts := range s {
		var sections []section
		for _, name := range slices.Sorted(maps.Keys(texts)) {
			sections = append(sections, section{name, texts[name]})
		}
		if err := os.WriteFile(filepath.Join(dir, dialect+archiveExtension), []byte(joinSections("", sections)), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// ReadStatements returns what Write wrote.
func ReadStatements(dir string) (Statements, error) {
	paths, err := archivesBelow(dir)
	s := Statements{}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		_, sections := splitSections(string(text))
		for _, c := range sections {
			s.Add(strings.TrimSuffix(filepath.Base(path), archiveExtension), c.name, c.text)
		}
	}
	return s, err
}

const archiveExtension = ".txtar"

func archivesBelow(dir string) ([]string, error) {
	return filepath.Glob(filepath.Join(dir, "*"+archiveExtension))
}

// Cover adds cases to a list until every construct that a dialect prints for some case is printed for one of the list. It
// takes the case that adds most in relation to the length of its SQL. A construct is a keyword, a function, an operator or a node of the plan. Names of cases that have gone are left out.
func (s Statements) Cover(names []string) []string {
	constructs := s.constructsByCase()
	names = slices.DeleteFunc(slices.Clone(names), func(name string) bool { return constructs[name] == nil })
	missing := map[string]bool{}
	for _, c := range constructs {
		maps.Copy(missing, c)
	}
	remove := func(name string) {
		maps.DeleteFunc(missing, func(construct string, _ bool) bool { return constructs[name][construct] })
	}
	for _, name := range names {
		remove(name)
	}
	length := map[string]int{}
	for _, texts := range s {
		for name, text := range texts {
			length[name] += len(text)
		}
	}
	for len(missing) > 0 {
		best, most := "", 0.0
		for _, name := range slices.Sorted(maps.Keys(constructs)) {
			found := 0.0
			for construct := range constructs[name] {
				if missing[construct] {
					found++
				}
			}
			if gain := found / float64(length[name]); gain > most {
				best, most = name, gain
			}
		}
		names = append(names, best)
		remove(best)
	}
	slices.Sort(names)
	return names
}

// constructsByCase returns the constructs that the dialects print for each case.
func (s Statements) constructsByCase() map[string]map[string]bool {
	out := map[string]map[string]bool{}
	for dialect, texts := range s {
		for name, text := range texts {
			if dialect == PlanKey || strings.HasPrefix(text, RejectedPrefix) {
				continue
			}
			if out[name] == nil {
				out[name] = map[string]bool{}
			}
			for _, construct := range append(constructsOfSQL(text), constructsOfPlan(s[PlanKey][name])...) {
				out[name][dialect+": "+construct] = true
			}
		}
	}
	return out
}

var (
	// sqlToken matches quoted text, a word with the parenthesis of a call, or an operator. Names of the models have no
	// capital letter; numbers belong to no construct.
	sqlToken       = regexp.MustCompile("'[^']*'|\"[^\"]*\"|`[^`]*`|[0-9][0-9.]*|[A-Za-z_][A-Za-z0-9_]*(?: *\\()?|[^\\sA-Za-z0-9_'\"`(),.;]+")
	quotedOrNumber = regexp.MustCompile("^['\"`0-9]")
	lowerCaseName  = regexp.MustCompile(`^[a-z0-9_]+$`)
)

func constructsOfSQL(sql string) []string {
	return slices.DeleteFunc(sqlToken.FindAllString(sql, -1), func(token string) bool {
		return quotedOrNumber.MatchString(token) || lowerCaseName.MatchString(token)
	})
}

var planNode = regexp.MustCompile(`(?m)^ *([A-Z][A-Za-z]*)`)

func constructsOfPlan(plan string) []string {
	var out []string
	for _, m := range planNode.FindAllStringSubmatch(plan, -1) {
		out = append(out, "node "+m[1])
	}
	return out
}
