package charttest

import (
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
)

func TestModelOfGit_IsFollowedByASidecar(t *testing.T) {
	m := decode(t, render(t, "--values", "testdata/values/repository.yaml"))
	pod := m.deployment.Spec.Template.Spec
	if len(pod.InitContainers) != 2 {
		t.Fatalf("%d containers start before the server", len(pod.InitContainers))
	}
	sync := pod.InitContainers[1]
	if sync.RestartPolicy == nil || *sync.RestartPolicy != corev1.ContainerRestartPolicyAlways {
		t.Error("git-sync ends before the server starts")
	}
	if sync.StartupProbe == nil || sync.StartupProbe.HTTPGet.Port.IntVal != 8085 || !slices.Contains(sync.Args, "--http-bind=:8085") {
		t.Error("the server does not wait for the first commit")
	}
	for _, want := range []string{"--repo=https://git.example.com/data/models.git", "--ref=main", "--period=30s", "--root=/git", "--link=current"} {
		if !slices.Contains(sync.Args, want) {
			t.Errorf("git-sync has no %s", want)
		}
	}
	for _, e := range sync.Env[1:] {
		if ref := e.ValueFrom.SecretKeyRef; ref.Name != "git" || "GITSYNC_"+strings.ToUpper(ref.Key) != e.Name {
			t.Errorf("%s comes from %v", e.Name, ref)
		}
	}
	equal(t, "folder of git-sync", []string{sync.VolumeMounts[0].Name, sync.VolumeMounts[0].MountPath}, []string{"model", "/git"})
	server := pod.Containers[0]
	for _, want := range []string{"--model=/etc/semlayer/model/current/sales/shop.yaml", "--watch"} {
		if !slices.Contains(server.Args, want) {
			t.Errorf("the server has no %s", want)
		}
	}
	if pod.Volumes[0].EmptyDir == nil {
		t.Errorf("the volume is %v", pod.Volumes[0])
	}
}

func TestModelOfOCI_IsMountedAsAVolume(t *testing.T) {
	flags := []string{"--set", "model.oci.reference=registry.example.com/models:7,model.key=sales/shop.yaml"}
	m := decode(t, render(t, append(flags, "--kube-version=1.33.0")...))
	image := m.deployment.Spec.Template.Spec.Volumes[0].Image
	if image == nil || image.Reference != "registry.example.com/models:7" || image.PullPolicy != corev1.PullIfNotPresent {
		t.Errorf("the volume is %v", image)
	}
	if !slices.Contains(m.deployment.Spec.Template.Spec.Containers[0].Args, "--model=/etc/semlayer/model/sales/shop.yaml") {
		t.Error("the server does not read the model of the artifact")
	}
	if _, errs, err := helm(t, append([]string{"template", release, chart, oldest}, flags...)...); err == nil || !strings.Contains(errs, "model.oci needs Kubernetes 1.33") {
		t.Errorf("1.30: %v %s", err, errs)
	}
}
