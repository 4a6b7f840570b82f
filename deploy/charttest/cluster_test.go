package charttest

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
)

// restrictedMessage is in every error and warning of the admission of pod security.
const restrictedMessage = `violates PodSecurity "restricted`

// A release of the chart on a real kube-apiserver, from its installation to its removal.
func TestCluster_ReleasesLive(t *testing.T) {
	c := startAPIServer(t)
	c.addCustomResources(t)
	c.do(t, http.MethodPost, "/apis/scheduling.k8s.io/v1/priorityclasses", map[string]any{"metadata": map[string]any{"name": "services"}, "value": 1}, nil)
	page := valuesOnPage.FindStringSubmatch(operations(t))
	if page == nil {
		t.Fatal("the page for operators has no values.yaml")
	}
	production := filepath.Join(t.TempDir(), "production.yaml")
	write(t, production, page[1])
	type values struct{ release, file string }
	sets := map[string]values{
		"default":    {"semlayer", "testdata/values/least.yaml"},
		"production": {"semlayer", production},
	}
	for _, file := range variants(t) {
		if name := strings.TrimSuffix(filepath.Base(file), ".yaml"); name != "least" {
			sets[name] = values{release, file}
		}
	}
	sets["long name"] = values{"a" + strings.Repeat("-b", 26), "testdata/values/everything.yaml"} // 53 characters, the most that helm accepts
	sets["number as name"] = values{"1e3", "testdata/values/hostile.yaml"}
	for i, name := range slices.Sorted(maps.Keys(sets)) {
		t.Run(name, func(t *testing.T) {
			flags := []string{"--values", sets[name].file}
			if name == "production" {
				flags = append(flags, "--set", "model.inline=version: 0.2.0.dev0")
			}
			c.followRelease(t, sets[name].release, fmt.Sprintf("n%d", i), flags)
		})
	}
	t.Run("pods that are not restricted are refused", func(t *testing.T) { c.refusePods(t) })
}

// followRelease installs, upgrades, rolls back and removes a release.
func (c *apiserver) followRelease(t *testing.T, release, namespace string, flags []string) {
	t.Helper()
	c.addNamespace(t, namespace)
	before := c.inventory(t, namespace)
	c.helm(t, namespace, append([]string{"install", release, chart}, flags...)...)
	installed := c.deployment(t, namespace)
	if added := len(c.inventory(t, namespace)) - len(before); added < 4 {
		t.Fatalf("the release has %d objects", added)
	}
	c.admitPods(t, release, namespace, installed)

	c.helm(t, namespace, append([]string{"upgrade", release, chart, "--set", "image.tag=9.9.9,image.digest=,podAnnotations.example\\.com/change=second"}, flags...)...)
	upgraded := c.deployment(t, namespace)
	if upgraded.Generation <= installed.Generation || !strings.HasSuffix(upgraded.Spec.Template.Spec.Containers[0].Image, ":9.9.9") ||
		upgraded.Spec.Template.Annotations["example.com/change"] != "second" {
		t.Errorf("the upgrade has not reached the Deployment: %v", upgraded.Spec.Template)
	}
	c.admitPods(t, release, namespace, upgraded)

	c.helm(t, namespace, "rollback", release, "1")
	back := c.deployment(t, namespace)
	if diff := cmp.Diff(installed.Spec, back.Spec); diff != "" || back.Generation <= upgraded.Generation {
		t.Errorf("the rollback is not the first revision (-installed +rolled back):\n%s", diff)
	}

	c.helm(t, namespace, "uninstall", release)
	if diff := cmp.Diff(before, c.inventory(t, namespace)); diff != "" {
		t.Errorf("what is in the namespace afterwards (-before +after):\n%s", diff)
	}
}

// helm runs a command about a release. Any warning of the API server ends the test.
func (c *apiserver) helm(t *testing.T, namespace string, command ...string) string {
	t.Helper()
	args := slices.Concat(command, []string{"--namespace", namespace, "--kubeconfig", c.kubeconfig})
	out, errs, err := helm(t, args...)
	if err != nil || strings.Contains(errs, "arning") || strings.Contains(errs, "PodSecurity") {
		t.Fatalf("helm %s: %v\n%s", strings.Join(command, " "), err, errs)
	}
	return out
}

// deployment returns the only Deployment of a namespace.
func (c *apiserver) deployment(t *testing.T, namespace string) appsv1.Deployment {
	t.Helper()
	var list appsv1.DeploymentList
	c.do(t, http.MethodGet, "/apis/apps/v1/namespaces/"+namespace+"/deployments", nil, &list)
	if len(list.Items) != 1 {
		t.Fatalf("%d Deployments", len(list.Items))
	}
	return list.Items[0]
}

// admitPods makes the pods that controllers would make of a release, and the pod of helm test, and deletes them: the
// admission of pods judges pods alone, and only warns about what makes them.
func (c *apiserver) admitPods(t *testing.T, release, namespace string, d appsv1.Deployment) {
	t.Helper()
	pods := []corev1.Pod{{ObjectMeta: d.Spec.Template.ObjectMeta, Spec: d.Spec.Template.Spec}}
	var builds batchv1.CronJobList
	c.do(t, http.MethodGet, "/apis/batch/v1/namespaces/"+namespace+"/cronjobs", nil, &builds)
	for _, build := range builds.Items {
		pod := build.Spec.JobTemplate.Spec.Template
		pods = append(pods, corev1.Pod{ObjectMeta: pod.ObjectMeta, Spec: pod.Spec})
	}
	for _, text := range separator.Split(c.helm(t, namespace, "get", "hooks", release), -1) {
		if strings.TrimSpace(text) == "" {
			continue
		}
		var pod corev1.Pod
		if err := strictly([]byte(text), &pod); err != nil {
			t.Fatal(err)
		}
		pods = append(pods, pod)
	}
	for _, pod := range pods {
		pod.Name, pod.GenerateName = "", "admitted-"
		var made corev1.Pod
		c.do(t, http.MethodPost, "/api/v1/namespaces/"+namespace+"/pods", pod, &made)
		c.do(t, http.MethodDelete, "/api/v1/namespaces/"+namespace+"/pods/"+made.Name, map[string]any{"gracePeriodSeconds": 0}, nil)
	}
}

// refusePods shows that the admission judges: the same chart with more rights is warned about, and its pod is refused.
func (c *apiserver) refusePods(t *testing.T) {
	t.Helper()
	const namespace = "rights"
	c.addNamespace(t, namespace)
	_, errs, err := helm(t, "install", release, chart, "--namespace", namespace, "--kubeconfig", c.kubeconfig,
		"--set", "model.inline=m,containerSecurityContext.privileged=true,containerSecurityContext.allowPrivilegeEscalation=true")
	if err != nil || !strings.Contains(errs, "would violate PodSecurity") {
		t.Errorf("no warning: %v\n%s", err, errs)
	}
	d := c.deployment(t, namespace)
	pod := corev1.Pod{ObjectMeta: d.Spec.Template.ObjectMeta, Spec: d.Spec.Template.Spec}
	pod.GenerateName = "refused-"
	code, text := c.try(http.MethodPost, "/api/v1/namespaces/"+namespace+"/pods", pod)
	var status struct{ Message string }
	if err := json.Unmarshal(text, &status); err != nil || code != http.StatusForbidden || !strings.Contains(status.Message, restrictedMessage) {
		t.Errorf("%d %s", code, text)
	}
}
