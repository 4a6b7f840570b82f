package charttest

import (
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestRollout_ConfigChangesRestartPods(t *testing.T) {
	t.Run("a change of model, connections or image restarts the pods, other changes do not", func(t *testing.T) {
		template := func(flags ...string) any {
			t.Helper()
			m := decode(t, render(t, append([]string{"--values", "testdata/values/everything.yaml"}, flags...)...))
			return m.deployment.Spec.Template
		}
		before := template()
		for name, flag := range map[string]string{
			"a changed model":         "model.inline=version: 2",
			"changed connections":     "connections.inline=other",
			"another image":           "image.tag=9.9.9",
			"another limit of memory": "resources.limits.memory=3Gi",
		} {
			if cmp.Equal(before, template("--set", flag)) {
				t.Errorf("%s leaves the pods as they are", name)
			}
		}
		// They are read again while serving.
		if diff := cmp.Diff(before, template("--set", "auth.tokens={another-token-of-length}")); diff != "" {
			t.Errorf("changed tokens roll the pods:\n%s", diff)
		}
	})
}

// A pod that receives SIGTERM finishes its longest request: the hook of preStop,
// the budget of an execution and what the server adds, five and a half seconds.
func TestRollout_PodsHaveTimeToDrain(t *testing.T) {
	everyVariant(t, func(t *testing.T, m manifests) {
		pod := m.deployment.Spec.Template.Spec
		c := pod.Containers[0]
		need := int64(6)
		if c.Lifecycle != nil {
			need += c.Lifecycle.PreStop.Sleep.Seconds
		}
		budget := int64(0)
		for _, arg := range c.Args {
			for _, flag := range []string{"--execute-timeout-secs=", "--request-timeout-secs="} {
				if text, found := strings.CutPrefix(arg, flag); found {
					n, err := strconv.ParseInt(text, 10, 64)
					if err != nil {
						t.Fatal(err)
					}
					budget = max(budget, n)
				}
			}
		}
		if budget == 0 {
			t.Fatal("no budget is given")
		}
		if pod.TerminationGracePeriodSeconds == nil || *pod.TerminationGracePeriodSeconds < need+budget {
			t.Errorf("%d s to end, %d are needed", *pod.TerminationGracePeriodSeconds, need+budget)
		}
	})
}

// Every flag that the chart gives is one that the page for operators lists.
func TestRollout_FlagsAreDocumented(t *testing.T) {
	page, err := os.ReadFile("../../docs/operations.md")
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{}
	for _, line := range strings.Split(string(page), "\n") {
		if !strings.HasPrefix(line, "| `--") {
			continue
		}
		first, _, _ := strings.Cut(line[2:], "|")
		for _, flag := range regexp.MustCompile(`--[a-z-]+`).FindAllString(first, -1) {
			known[flag] = true
		}
	}
	everyVariant(t, func(t *testing.T, m manifests) {
		args := m.deployment.Spec.Template.Spec.Containers[0].Args
		if len(args) == 0 || args[0] != "serve" {
			t.Fatalf("the container runs %v", args)
		}
		for _, arg := range args[1:] {
			if flag, _, _ := strings.Cut(arg, "="); !known[flag] {
				t.Errorf("%s is no flag of semlayer serve", flag)
			}
		}
	})
}

func TestMemory_GoLimitIsThreeQuarters(t *testing.T) {
	for limit, want := range map[string]string{
		"1Gi": "805306368", "512Mi": "402653184", "2G": "1500000000", "900M": "675000000", "400000000": "300000000",
		"1.5Gi": "1207959552", "2Ti": "1649267441664", "0.5Gi": "402653184", "1e9": "750000000", "1.5E9": "1125000000", "2000000000000m": "1500000000", "4e8": "300000000",
	} {
		m := decode(t, render(t, "--set", "model.inline=m", "--set-string", "resources.limits.memory="+limit))
		if got := goMemLimit(m); got != want {
			t.Errorf("of %s: %s, want %s", limit, got, want)
		}
		if q := m.deployment.Spec.Template.Spec.Containers[0].Resources.Limits["memory"]; q.IsZero() {
			t.Errorf("%s is not a Kubernetes quantity", limit)
		}
	}
	// A number that YAML reads as one.
	if got := goMemLimit(decode(t, render(t, "--set", "model.inline=m", "--set-json", "resources.limits.memory=1073741824"))); got != "805306368" {
		t.Errorf("of a number: %s", got)
	}
}

func TestMemory_ALimitIsNotRequired(t *testing.T) {
	for name, flags := range map[string][]string{
		"no limit of memory": {"--set", "resources.limits.memory=null"},
		"no limits":          {"--set", "resources.limits=null"},
		"no resources":       {"--set", "resources.limits=null", "--set", "resources.requests=null"},
		"an environment":     {"--set", "resources.limits=null", "--set", "extraEnv[0].name=A", "--set", "extraEnv[0].value=b"},
	} {
		m := decode(t, render(t, append(flags, "--set", "model.inline=m")...))
		if got := goMemLimit(m); got != "" {
			t.Errorf("%s: GOMEMLIMIT is %s", name, got)
		}
		if name == "an environment" && len(m.deployment.Spec.Template.Spec.Containers[0].Env) != 1 {
			t.Errorf("%v", m.deployment.Spec.Template.Spec.Containers[0].Env)
		}
	}
}

func goMemLimit(m manifests) string {
	for _, e := range m.deployment.Spec.Template.Spec.Containers[0].Env {
		if e.Name == "GOMEMLIMIT" {
			return e.Value
		}
	}
	return ""
}
