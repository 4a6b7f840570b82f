package charttest

import (
	"encoding/json"
	"maps"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/yaml"
)

func platform(t *testing.T, flags ...string) manifests {
	t.Helper()
	return decode(t, render(t, append([]string{"--values", "testdata/values/platform.yaml"}, flags...)...))
}

// equal fails unless two values are the same as JSON.
func equal(t *testing.T, what string, got, want any) {
	t.Helper()
	texts := make([]string, 2)
	for i, v := range []any{got, want} {
		text, ok := v.(string)
		if !ok {
			b, err := json.Marshal(v)
			if err != nil {
				t.Fatal(err)
			}
			text = string(b)
		}
		texts[i] = text
	}
	if texts[0] != texts[1] {
		t.Errorf("%s: %s, not %s", what, texts[0], texts[1])
	}
}

func TestPlatform_ValuesReachTheObjects(t *testing.T) {
	m := platform(t)
	pod := m.deployment.Spec.Template.Spec
	equal(t, "models", pod.Volumes[0].Projected.Sources, `[{"configMap":{"name":"sales-models"}},{"configMap":{"name":"stock-models"}}]`)
	equal(t, "strategy", m.deployment.Spec.Strategy, appsv1.DeploymentStrategy{Type: appsv1.RecreateDeploymentStrategyType})
	equal(t, "startup", []int32{pod.Containers[0].StartupProbe.PeriodSeconds, pod.Containers[0].StartupProbe.FailureThreshold}, []int32{1, 300})
	equal(t, "containers", []string{pod.InitContainers[0].Name, pod.Containers[0].Name, pod.Containers[1].Name}, []string{"wait", "semlayer", "proxy"})
	s := m.service.Spec
	equal(t, "service", []string{string(s.Type), s.LoadBalancerIP, *s.LoadBalancerClass, s.LoadBalancerSourceRanges[0], string(s.ExternalTrafficPolicy)},
		[]string{"LoadBalancer", "192.0.2.10", "example.com/internal", "10.0.0.0/8", "Local"})
	equal(t, "port of the nodes", s.Ports[0].NodePort, 30080)
	equal(t, "metric of the autoscaler", m.scaler.Spec.Metrics[0].Pods.Metric.Name, "semlayer_executions_in_flight")
	equal(t, "metrics of the autoscaler", len(m.scaler.Spec.Metrics), 1)
	equal(t, "behavior of the autoscaler", *m.scaler.Spec.Behavior.ScaleDown.StabilizationWindowSeconds, 600)
	if m.budget.Spec.MaxUnavailable != nil || m.budget.Spec.MinAvailable.String() != "50%" {
		t.Errorf("the budget is %v", m.budget.Spec)
	}
	route := m.route.Spec
	equal(t, "gateway", route.ParentRefs, `[{"name":"public","namespace":"gateways"}]`)
	equal(t, "paths of the route", route.Rules[0].Matches, `[{"path":{"type":"PathPrefix","value":"/v1"}},{"path":{"type":"Exact","value":"/mcp"}}]`)
	equal(t, "target of the route", route.Rules[0].BackendRefs, `[{"name":"`+m.service.Name+`","port":80}]`)
	for _, name := range []string{"ConfigMap/sales-extra", "ConfigMap/sales-semlayer-text"} {
		if m.text[name] == "" {
			t.Errorf("%s is missing", name)
		}
	}
}

// Values that YAML or a template could take for something else reach the objects as they are written.
func TestHostileValues_AreNotRead(t *testing.T) {
	const file = "testdata/values/hostile.yaml"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var values struct {
		Model       struct{ Inline string }
		Connections struct{ Inline string }
		Auth        struct{ Tokens []string }
		ExtraArgs   []string        `json:"extraArgs"`
		ExtraEnv    []corev1.EnvVar `json:"extraEnv"`
		PodLabels   map[string]string
		Ingress     struct {
			ClassName   string
			Annotations map[string]string
		}
	}
	if err := yaml.Unmarshal(text, &values); err != nil {
		t.Fatal(err)
	}
	m := decode(t, render(t, "--values", file))
	data := map[string]string{}
	for _, c := range m.configMaps {
		maps.Copy(data, c.Data)
	}
	for _, s := range m.secrets {
		maps.Copy(data, s.StringData)
	}
	equal(t, "model", data["0x1f.yaml"], values.Model.Inline)
	equal(t, "connections", data["null"], values.Connections.Inline)
	equal(t, "tokens", data["1e3"], strings.Join(values.Auth.Tokens, "\n"))
	c := m.deployment.Spec.Template.Spec.Containers[0]
	equal(t, "arguments", c.Args[len(c.Args)-1:], values.ExtraArgs)
	equal(t, "environment", c.Env[1:], values.ExtraEnv) // the first is GOMEMLIMIT
	equal(t, "class of the ingress", *m.ingress.Spec.IngressClassName, values.Ingress.ClassName)
	for what, want := range map[string]map[string]string{"labels": values.PodLabels, "annotations": values.Ingress.Annotations} {
		got := m.deployment.Spec.Template.Labels
		if what == "annotations" {
			got = m.ingress.Annotations
		}
		for key, value := range want {
			equal(t, what+" "+key, got[key], value)
		}
	}
}

func TestAnnotations_AreOnEveryObject(t *testing.T) {
	for id, text := range platform(t).text {
		if strings.HasSuffix(id, "-extra") || strings.HasSuffix(id, "-text") {
			continue // objects of the user
		}
		var o struct {
			Metadata struct{ Annotations map[string]string }
			Spec     struct {
				Template struct {
					Metadata struct{ Annotations map[string]string }
				}
			}
		}
		if err := yaml.Unmarshal([]byte(text), &o); err != nil {
			t.Fatal(err)
		}
		owner := "platform"
		if strings.HasPrefix(id, "Deployment/") {
			owner = "data" // its own annotation wins
			equal(t, "pods", o.Spec.Template.Metadata.Annotations["example.com/owner"], "platform")
		}
		equal(t, id, []string{o.Metadata.Annotations["example.com/owner"], o.Metadata.Annotations["example.com/cost"]}, []string{owner, "shared"})
	}
}

// The chart has the alerts and the dashboard of the folders beside it, to the byte.
func TestMonitoring_IsThatOfDeploy(t *testing.T) {
	m := platform(t)
	rules, err := os.ReadFile("../prometheus/rules.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var want any
	if err := yaml.Unmarshal(rules, &want); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, m.rules.Spec); diff != "" {
		t.Errorf("alerts (-deploy +chart)\n%s", diff)
	}
	dashboard, err := os.ReadFile("../grafana/semlayer.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range m.configMaps {
		if strings.HasSuffix(c.Name, "-dashboard") {
			equal(t, "dashboard", strings.TrimSpace(c.Data["semlayer.json"]), strings.TrimSpace(string(dashboard)))
			equal(t, "label", c.Labels["grafana_dashboard"], "1")
			return
		}
	}
	t.Error("the dashboard is missing")
}

// OpenShift's restricted SCC chooses the user of a pod, and rejects pods that choose it themselves.
func TestSecurityContext_MayBeLeftToTheCluster(t *testing.T) {
	m := decode(t, render(t, "--values", "testdata/values/everything.yaml", "--set", "podSecurityContext=null,containerSecurityContext=null"))
	for name, pod := range m.pods() {
		if pod.SecurityContext != nil {
			t.Errorf("%s: %v", name, pod.SecurityContext)
		}
		for _, c := range pod.Containers {
			if c.SecurityContext != nil {
				t.Errorf("%s: %s: %v", name, c.Name, c.SecurityContext)
			}
		}
	}
	m = decode(t, render(t, "--values", "testdata/values/everything.yaml", "--set", "podSecurityContext.runAsUser=null,podSecurityContext.runAsGroup=null,podSecurityContext.fsGroup=null"))
	yes := true
	want := &corev1.PodSecurityContext{RunAsNonRoot: &yes, SeccompProfile: &corev1.SeccompProfile{Type: corev1.SeccompProfileTypeRuntimeDefault}}
	equal(t, "context", m.deployment.Spec.Template.Spec.SecurityContext, want)
}

func TestHelmTest_ChecksEachConnection(t *testing.T) {
	names := func(m manifests) (out []string) {
		for _, c := range m.test.Spec.Containers {
			out = append(out, c.Name)
		}
		return out
	}
	everyVariant(t, func(t *testing.T, m manifests) {
		connections, folder := false, len(m.deployment.Spec.Template.Spec.InitContainers) > 1 // git-sync
		for _, arg := range m.deployment.Spec.Template.Spec.Containers[0].Args {
			connections = connections || strings.HasPrefix(arg, "--connections=")
			folder = folder || strings.HasPrefix(arg, "--models=")
		}
		want := []string{"compile"}
		if connections && !folder {
			want = append(want, "connections")
			server, checker := m.deployment.Spec.Template.Spec.Containers[0], m.test.Spec.Containers[1]
			equal(t, "environment", checker.EnvFrom, server.EnvFrom)
			for _, arg := range checker.Args[2:] { // the same files as the server
				if !strings.Contains(strings.Join(server.Args, "\n")+"\n", arg+"\n") {
					t.Errorf("the server does not have %s", arg)
				}
			}
		}
		equal(t, "containers", names(m), want)
	})
}
