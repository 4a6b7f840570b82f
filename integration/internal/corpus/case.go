package corpus

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// The sections that are generated; all others are written by hand.
var generatedSections = []string{"plan.txt", "duckdb.sql", "count.duckdb.sql"}

var handWrittenSections = []string{
	"model.yaml", "data.sql", "data.duckdb.sql", "data.postgres.sql", "data.mysql.sql", "query.json", "select.json",
	"oracle.sql", "oracle.duckdb.sql", "oracle.postgres.sql", "oracle.mysql.sql", "rows.txt", "outputs.txt", "total_rows.txt", "rollups.json", "error.json",
}

// Case is one case file.
type Case struct {
	Name     string // topic/behaviour
	Sentence string // the rule that the case shows
	Fixture  string // "" when the case brings its own data
	Engines  []string
	Dialects []string

	path     string
	head     string
	sections []section
}

// LoadCases reads all cases below dir in the order of their names.
func LoadCases(dir string) ([]*Case, error) {
	var cases []*Case
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".txtar" {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		name, err := filepath.Rel(dir, strings.TrimSuffix(path, ".txtar"))
		if err != nil {
			return err
		}
		c, err := parseCase(filepath.ToSlash(name), string(text))
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		c.path = path
		cases = append(cases, c)
		return nil
	})
	return cases, err
}

func parseCase(name, text string) (*Case, error) {
	c := &Case{Name: name}
	c.head, c.sections = splitSections(text)
	c.readSettings()
	var seen []string
	for _, s := range c.sections {
		if slices.Contains(seen, s.name) {
			return nil, fmt.Errorf("section %s appears twice", s.name)
		}
		if !slices.Contains(handWrittenSections, s.name) && !slices.Contains(generatedSections, s.name) {
			return nil, fmt.Errorf("unknown section %s", s.name)
		}
		seen = append(seen, s.name)
	}
	if (c.Section("query.json") == "") == (c.Section("select.json") == "") {
		return nil, fmt.Errorf("want exactly one of query.json and select.json")
	}
	if c.Fixture == "" && (c.Section("model.yaml") == "" || c.Section("data.sql") == "") {
		return nil, fmt.Errorf("neither a fixture nor model.yaml with data.sql")
	}
	answers := 0
	for _, s := range []string{"oracle.sql", "rows.txt", "error.json"} {
		if slices.Contains(seen, s) {
			answers++
		}
	}
	if answers != 1 {
		return nil, fmt.Errorf("%d answers: want exactly one of oracle.sql, rows.txt, error.json", answers)
	}
	return c, nil
}

// readSettings reads the leading lines of the form key: value, and the sentence that
// follows them.
func (c *Case) readSettings() {
	rest := c.head
	for line := range strings.Lines(c.head) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
		switch key {
		case "fixture":
			c.Fixture = value
		case "engines":
			c.Engines = strings.Fields(value)
		case "dialects":
			c.Dialects = strings.Fields(value)
		default:
			c.Sentence = strings.TrimSpace(rest)
			return
		}
		rest = strings.TrimPrefix(rest, line)
	}
}

// Section returns the text of a section, "" when there is none.
func (c *Case) Section(name string) string {
	for _, s := range c.sections {
		if s.name == name {
			return s.text
		}
	}
	return ""
}

// SectionForEngine returns the section of an engine where there is one, else the general
// one: For("oracle", "mysql") is oracle.mysql.sql or oracle.sql.
func (c *Case) SectionForEngine(name, engine string) string {
	if text := c.Section(name + "." + engine + ".sql"); text != "" {
		return text
	}
	return c.Section(name + ".sql")
}

// QueryJSON returns the text of the query: a metric query, or a detail query.
func (c *Case) QueryJSON() string { return c.Section("query.json") + c.Section("select.json") }

// IsDetail reports whether the query is one of the detail plane.
func (c *Case) IsDetail() bool { return c.Section("select.json") != "" }

// ExpectsError reports whether the case expects an error.
func (c *Case) ExpectsError() bool { return c.Section("error.json") != "" }

// RunsOnEngine reports whether an engine can answer the case.
func (c *Case) RunsOnEngine(engine string) bool {
	return len(c.Engines) == 0 || slices.Contains(c.Engines, engine)
}

// UpdateGeneratedSections replaces the generated sections and writes the file when that changes
// it. The map has them by name; "" leaves one out.
func (c *Case) UpdateGeneratedSections(texts map[string]string) error {
	before := joinSections(c.head, c.sections)
	c.sections = slices.DeleteFunc(c.sections, func(s section) bool { return slices.Contains(generatedSections, s.name) })
	for _, name := range generatedSections {
		if texts[name] != "" {
			c.sections = append(c.sections, section{name, texts[name]})
		}
	}
	after := joinSections(c.head, c.sections)
	if after == before {
		return nil
	}
	return os.WriteFile(c.path, []byte(after), 0o644)
}

// GeneratedTextBySection returns the generated sections as they stand in the file.
func (c *Case) GeneratedTextBySection() map[string]string {
	out := map[string]string{}
	for _, s := range c.sections {
		if slices.Contains(generatedSections, s.name) {
			out[s.name] = s.text
		}
	}
	return out
}
