package charttest

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// cluster answers what helm asks of an API server to look a Deployment up.
type cluster struct{ deployment string }

func (c cluster) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	answers := map[string]string{
		"/version":      `{"major":"1","minor":"33","gitVersion":"v1.33.0"}`,
		"/api":          `{"kind":"APIVersions","versions":["v1"]}`,
		"/apis":         `{"kind":"APIGroupList","apiVersion":"v1","groups":[{"name":"apps","versions":[{"groupVersion":"apps/v1","version":"v1"}],"preferredVersion":{"groupVersion":"apps/v1","version":"v1"}}]}`,
		"/api/v1":       `{"kind":"APIResourceList","apiVersion":"v1","groupVersion":"v1","resources":[]}`,
		"/apis/apps/v1": `{"kind":"APIResourceList","apiVersion":"v1","groupVersion":"apps/v1","resources":[{"name":"deployments","singularName":"deployment","namespaced":true,"kind":"Deployment","verbs":["get"]}]}`,
	}
	if c.deployment != "" {
		answers["/apis/apps/v1/namespaces/"+namespace+"/deployments/"+release+"-semlayer"] = c.deployment
	}
	w.Header().Set("Content-Type", "application/json")
	text, ok := answers[r.URL.Path]
	if !ok {
		w.WriteHeader(http.StatusNotFound)
		text = `{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"NotFound","code":404}`
	}
	_, _ = w.Write([]byte(text))
}

// renderIn renders the chart for a cluster that helm can ask.
func renderIn(t *testing.T, c cluster, flags ...string) manifests {
	t.Helper()
	server := httptest.NewServer(c)
	t.Cleanup(server.Close)
	home := t.TempDir()
	config := filepath.Join(home, "config")
	text := "apiVersion: v1\nkind: Config\nclusters: [{name: c, cluster: {server: '" + server.URL + "'}}]\ncontexts: [{name: c, context: {cluster: c, user: u}}]\nusers: [{name: u, user: {}}]\ncurrent-context: c\n"
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	bin := os.Getenv("HELM")
	if bin == "" {
		bin = "helm"
	}
	args := []string{"template", release, chart, "--namespace", namespace, oldest, "--dry-run=server", "--is-upgrade", "--set", "model.inline=m"}
	cmd := exec.CommandContext(t.Context(), bin, append(args, flags...)...)
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + home, "HELM_CACHE_HOME=" + home, "HELM_CONFIG_HOME=" + home, "HELM_DATA_HOME=" + home, "KUBECONFIG=" + config}
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v\n%s", err, errs.String())
	}
	return decode(t, out.String())
}

func deploymentOf(replicas string) string {
	return `{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"` + release + `-semlayer","namespace":"` + namespace + `"},"spec":{"replicas":` + replicas + `}}`
}

// An upgrade that takes the number of replicas away from a Deployment sets it to 1.
func TestReplicas_SwitchingAutoscalingOnKeepsThoseOfTheCluster(t *testing.T) {
	for name, c := range map[string]struct {
		live  string
		flags []string
		want  int32 // 0: the field is left out
	}{
		"the pods that there are":             {deploymentOf("7"), []string{"--set", "autoscaling.enabled=true,autoscaling.maxReplicas=9"}, 7},
		"never fewer than the minimum":        {deploymentOf("1"), []string{"--set", "autoscaling.enabled=true,autoscaling.minReplicas=3"}, 3},
		"no Deployment: the autoscaler's own": {"", []string{"--set", "autoscaling.enabled=true"}, 0},
		"without autoscaling the value":       {deploymentOf("7"), []string{"--set", "replicaCount=4"}, 4},
	} {
		t.Run(name, func(t *testing.T) {
			m := renderIn(t, cluster{c.live}, c.flags...)
			got := int32(0)
			if m.deployment.Spec.Replicas != nil {
				got = *m.deployment.Spec.Replicas
			}
			if got != c.want {
				t.Errorf("%d replicas, want %d", got, c.want)
			}
		})
	}
}

func TestReplicas_NoneCanBeAskedFor(t *testing.T) {
	m := decode(t, render(t, "--set", "model.inline=m", "--set", "replicaCount=0"))
	if r := m.deployment.Spec.Replicas; r == nil || *r != 0 {
		t.Errorf("%v", r)
	}
}
