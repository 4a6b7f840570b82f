package workflows

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"go.yaml.in/yaml/v3"
)

var (
	pinned      = regexp.MustCompile(`^[\w.-]+/[\w./-]+@[0-9a-f]{40}$`)
	version     = regexp.MustCompile(`^# v\d+\.\d+\.\d+$`)
	imageDigest = regexp.MustCompile(`^[\w./:-]+@sha256:[0-9a-f]{64}$`)
	command     = regexp.MustCompile(`(?m)(?:^|[\s;&|])make((?: +[a-z][a-z-]*)+)`)
	target      = regexp.MustCompile(`(?m)^([a-z-]+):`)
)

// CheckWorkflows reads every workflow below root.
func CheckWorkflows(root string) ([]string, error) {
	files, err := filepath.Glob(filepath.Join(root, ".github/workflows/*.yml"))
	if err != nil {
		return nil, err
	}
	makefile, err := os.ReadFile(filepath.Join(root, "Makefile"))
	if err != nil {
		return nil, err
	}
	c := &checker{targets: map[string]bool{}, pins: map[string]string{}}
	for _, m := range target.FindAllStringSubmatch(string(makefile), -1) {
		c.targets[m[1]] = true
	}
	if len(files) == 0 {
		c.report("there are no workflows")
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		var doc yaml.Node
		if err := yaml.Unmarshal(text, &doc); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		c.file = filepath.Base(name)
		if len(doc.Content) != 1 || value(doc.Content[0], "permissions") == nil {
			c.report("the workflow has no permissions: its token may write")
		}
		c.walk(&doc)
	}
	return c.found, nil
}

type checker struct {
	file    string
	targets map[string]bool   // of the Makefile
	pins    map[string]string // action -> commit and version of its first use
	found   []string
}

func (c *checker) report(format string, args ...any) {
	c.found = append(c.found, strings.TrimPrefix(c.file+": ", ": ")+fmt.Sprintf(format, args...))
}

func (c *checker) walk(n *yaml.Node) {
	if n.Kind != yaml.MappingNode {
		for _, child := range n.Content {
			c.walk(child)
		}
		return
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, v := n.Content[i].Value, n.Content[i+1]
		switch {
		case key == "uses" && v.Kind == yaml.ScalarNode:
			c.action(v, value(n, "with"))
		case (key == "container" || key == "image") && v.Kind == yaml.ScalarNode:
			if !imageDigest.MatchString(v.Value) {
				c.report("the image %s has no digest", v.Value)
			}
		case key == "run":
			c.commands(v.Value)
		default:
			c.walk(v)
		}
	}
}

func (c *checker) action(uses, with *yaml.Node) {
	if strings.HasPrefix(uses.Value, "./") {
		return
	}
	if !pinned.MatchString(uses.Value) {
		c.report("%s is not pinned by a commit of 40 hexadecimal digits", uses.Value)
		return
	}
	if !version.MatchString(uses.LineComment) {
		c.report("%s has the comment %q instead of its version, # v1.2.3", uses.Value, uses.LineComment)
	}
	name, commit, _ := strings.Cut(uses.Value, "@")
	pin := commit + " " + uses.LineComment
	if first, seen := c.pins[name]; seen && first != pin {
		c.report("%s is pinned to %s and to %s", name, first, pin)
	} else {
		c.pins[name] = pin
	}
	if name == "actions/checkout" && scalar(value(with, "persist-credentials")) != "false" {
		c.report("a checkout leaves the token in the folder: persist-credentials is not false")
	}
}

func (c *checker) commands(script string) {
	for _, name := range targets(script) {
		if !c.targets[name] {
			c.report("make %s: the Makefile has no such target", name)
		}
	}
}

// Jobs returns the make targets of each job, by workflow and job.
func Jobs(root string) (map[string]map[string][]string, error) {
	files, err := filepath.Glob(filepath.Join(root, ".github/workflows/*.yml"))
	if err != nil {
		return nil, err
	}
	out := map[string]map[string][]string{}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		var workflow struct {
			Jobs map[string]struct {
				Steps []struct {
					Run string `yaml:"run"`
				} `yaml:"steps"`
			} `yaml:"jobs"`
		}
		if err := yaml.Unmarshal(text, &workflow); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		jobs := map[string][]string{}
		for job, j := range workflow.Jobs {
			jobs[job] = nil
			for _, step := range j.Steps {
				jobs[job] = append(jobs[job], targets(step.Run)...)
			}
		}
		out[filepath.Base(name)] = jobs
	}
	return out, nil
}

// targets are the targets of the make commands of a script.
func targets(script string) []string {
	var out []string
	for _, m := range command.FindAllStringSubmatch(script, -1) {
		out = append(out, strings.Fields(m[1])...)
	}
	return out
}

// value is the value of a key of a mapping, nil where there is none.
func value(n *yaml.Node, key string) *yaml.Node {
	if n == nil || n.Kind != yaml.MappingNode {
		return nil
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			return n.Content[i+1]
		}
	}
	return nil
}

func scalar(n *yaml.Node) string {
	if n == nil {
		return ""
	}
	return n.Value
}
