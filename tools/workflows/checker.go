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
	pinnedActionPattern         = regexp.MustCompile(`^[\w.-]+/[\w./-]+@[0-9a-f]{40}$`)
	actionVersionCommentPattern = regexp.MustCompile(`^# v\d+\.\d+\.\d+$`)
	imageDigestPattern          = regexp.MustCompile(`^[\w./:-]+@sha256:[0-9a-f]{64}$`)
	makeCommandPattern          = regexp.MustCompile(`(?m)(?:^|[\s;&|])make((?: +[a-z][a-z-]*)+)`)
	makeTargetPattern           = regexp.MustCompile(`(?m)^([a-z-]+):`)
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
	c := &workflowChecker{targets: map[string]bool{}, pins: map[string]string{}}
	for _, m := range makeTargetPattern.FindAllStringSubmatch(string(makefile), -1) {
		c.targets[m[1]] = true
	}
	if len(files) == 0 {
		c.addFinding("there are no workflows")
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
		if len(doc.Content) != 1 || valueOfMappingKey(doc.Content[0], "permissions") == nil {
			c.addFinding("the workflow has no permissions: its token may write")
		}
		c.checkWorkflowNode(&doc)
	}
	return c.found, nil
}

type workflowChecker struct {
	file    string
	targets map[string]bool   // of the Makefile
	pins    map[string]string // action -> commit and version of its first use
	found   []string
}

func (c *workflowChecker) addFinding(format string, args ...any) {
	c.found = append(c.found, strings.TrimPrefix(c.file+": ", ": ")+fmt.Sprintf(format, args...))
}

func (c *workflowChecker) checkWorkflowNode(n *yaml.Node) {
	if n.Kind != yaml.MappingNode {
		for _, child := range n.Content {
			c.checkWorkflowNode(child)
		}
		return
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, v := n.Content[i].Value, n.Content[i+1]
		switch {
		case key == "uses" && v.Kind == yaml.ScalarNode:
			c.checkActionPin(v, valueOfMappingKey(n, "with"))
		case (key == "container" || key == "image") && v.Kind == yaml.ScalarNode:
			if !imageDigestPattern.MatchString(v.Value) {
				c.addFinding("the image %s has no digest", v.Value)
			}
		case key == "run":
			c.checkMakeCommands(v.Value)
		default:
			c.checkWorkflowNode(v)
		}
	}
}

func (c *workflowChecker) checkActionPin(uses, with *yaml.Node) {
	if strings.HasPrefix(uses.Value, "./") {
		return
	}
	if !pinnedActionPattern.MatchString(uses.Value) {
		c.addFinding("%s is not pinned by a commit of 40 hexadecimal digits", uses.Value)
		return
	}
	if !actionVersionCommentPattern.MatchString(uses.LineComment) {
		c.addFinding("%s has the comment %q instead of its version, # v1.2.3", uses.Value, uses.LineComment)
	}
	name, commit, _ := strings.Cut(uses.Value, "@")
	pin := commit + " " + uses.LineComment
	if first, seen := c.pins[name]; seen && first != pin {
		c.addFinding("%s is pinned to %s and to %s", name, first, pin)
	} else {
		c.pins[name] = pin
	}
	if name == "actions/checkout" && scalarText(valueOfMappingKey(with, "persist-credentials")) != "false" {
		c.addFinding("a checkout leaves the token in the folder: persist-credentials is not false")
	}
}

func (c *workflowChecker) checkMakeCommands(script string) {
	for _, name := range makeTargetsOfScript(script) {
		if !c.targets[name] {
			c.addFinding("make %s: the Makefile has no such target", name)
		}
	}
}

// MakeTargetsOfJobs returns the make targets of each job, by workflow and job.
func MakeTargetsOfJobs(root string) (map[string]map[string][]string, error) {
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
				jobs[job] = append(jobs[job], makeTargetsOfScript(step.Run)...)
			}
		}
		out[filepath.Base(name)] = jobs
	}
	return out, nil
}

// makeTargetsOfScript returns the targets of the make commands of a script.
func makeTargetsOfScript(script string) []string {
	var out []string
	for _, m := range makeCommandPattern.FindAllStringSubmatch(script, -1) {
		out = append(out, strings.Fields(m[1])...)
	}
	return out
}

// valueOfMappingKey returns the value of a key of a mapping, nil where there is none.
func valueOfMappingKey(n *yaml.Node, key string) *yaml.Node {
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

func scalarText(n *yaml.Node) string {
	if n == nil {
		return ""
	}
	return n.Value
}
