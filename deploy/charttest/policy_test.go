package charttest

import (
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
)

// pods returns the specifications of everything that runs.
func (m manifests) pods() map[string]corev1.PodSpec {
	out := map[string]corev1.PodSpec{"server": m.deployment.Spec.Template.Spec, "test": m.test.Spec}
	if m.rollups != nil {
		out["rollups"] = m.rollups.Spec.JobTemplate.Spec.Template.Spec
	}
	return out
}

// The profile "restricted" of the Pod Security Standards, and what it leaves out:
// a read-only root file system, and limits.
func TestPods_MeetRestrictedProfile(t *testing.T) {
	everyVariant(t, func(t *testing.T, m manifests) {
		for name, pod := range m.pods() {
			check := func(ok bool, what string) {
				t.Helper()
				if !ok {
					t.Errorf("%s: %s", name, what)
				}
			}
			check(!pod.HostNetwork && !pod.HostPID && !pod.HostIPC, "shares a namespace of the host")
			check(pod.AutomountServiceAccountToken != nil && !*pod.AutomountServiceAccountToken, "mounts the token of its account")
			s := pod.SecurityContext
			check(s != nil && s.RunAsNonRoot != nil && *s.RunAsNonRoot, "may run as root")
			check(s != nil && s.RunAsUser != nil && *s.RunAsUser == 65532, "does not run as 65532")
			check(s != nil && s.SeccompProfile != nil && s.SeccompProfile.Type == corev1.SeccompProfileTypeRuntimeDefault, "has no seccomp profile")
			for _, v := range pod.Volumes {
				check(v.HostPath == nil, "mounts a path of the host: "+v.Name)
			}
			for _, c := range slices.Concat(pod.InitContainers, pod.Containers) {
				s := c.SecurityContext
				check(s != nil && s.AllowPrivilegeEscalation != nil && !*s.AllowPrivilegeEscalation, "may gain privileges")
				check(s != nil && s.ReadOnlyRootFilesystem != nil && *s.ReadOnlyRootFilesystem, "may write its root file system")
				check(s != nil && s.Capabilities != nil && slices.Equal(s.Capabilities.Drop, []corev1.Capability{"ALL"}) && len(s.Capabilities.Add) == 0, "keeps capabilities")
				check(s != nil && s.Privileged == nil && s.RunAsUser == nil && s.RunAsNonRoot == nil, "overrules its pod")
				for _, r := range []corev1.ResourceName{corev1.ResourceCPU, corev1.ResourceMemory} {
					check(!c.Resources.Limits.Name(r, "").IsZero(), "has no limit of "+string(r))
					check(!c.Resources.Requests.Name(r, "").IsZero(), "has no request of "+string(r))
				}
				for _, p := range c.Ports {
					check(p.HostPort == 0, "takes a port of the host")
				}
				_, tag, tagged := strings.Cut(c.Image, ":")
				check(tagged && tag != "latest", "runs whatever image is newest: "+c.Image)
			}
		}
		if m.account != nil && (m.account.AutomountServiceAccountToken == nil || *m.account.AutomountServiceAccountToken) {
			t.Error("the account's token is mounted")
		}
	})
}

// The files of values have this word in every secret that they give in clear.
const sentinel = "s3cret"

func TestSecrets_OnlyInSecretObjects(t *testing.T) {
	found := 0
	everyVariant(t, func(t *testing.T, m manifests) {
		for id, text := range m.text {
			if !strings.Contains(text, sentinel) {
				continue
			}
			if found++; !strings.HasPrefix(id, "Secret/") {
				t.Errorf("%s tells a secret", id)
			}
		}
	})
	if found == 0 {
		t.Error("no values give a secret")
	}
}

func TestSelectors_MatchOnlyServerPods(t *testing.T) {
	everyVariant(t, func(t *testing.T, m manifests) {
		server, tester := labels.Set(m.deployment.Spec.Template.Labels), labels.Set(m.test.Labels)
		selectors := map[string]*metav1.LabelSelector{
			"Deployment": m.deployment.Spec.Selector,
			"Service":    {MatchLabels: m.service.Spec.Selector},
		}
		if m.budget != nil {
			selectors["PodDisruptionBudget"] = m.budget.Spec.Selector
		}
		if m.network != nil {
			selectors["NetworkPolicy"] = &m.network.Spec.PodSelector
		}
		for _, c := range m.deployment.Spec.Template.Spec.TopologySpreadConstraints {
			selectors["topology"] = c.LabelSelector
		}
		for name, selector := range selectors {
			s, err := metav1.LabelSelectorAsSelector(selector)
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			if s.Empty() || !s.Matches(server) {
				t.Errorf("%s does not select the servers: %s", name, s)
			}
			if s.Matches(tester) {
				t.Errorf("%s selects the pod of helm test", name)
			}
			if m.rollups != nil && s.Matches(labels.Set(m.rollups.Spec.JobTemplate.Spec.Template.Labels)) {
				t.Errorf("%s selects the pods that build rollups", name)
			}
		}
		if m.monitor != nil {
			scraped, others := m.service, m.admin
			if m.admin != nil {
				scraped, others = m.admin, m.service
			}
			s := labels.SelectorFromSet(m.monitor.Spec.Selector.MatchLabels)
			if !s.Matches(labels.Set(scraped.Labels)) || others != nil && s.Matches(labels.Set(others.Labels)) {
				t.Error("the ServiceMonitor does not select the Service of the metrics alone")
			}
			if name := scraped.Spec.Ports[0].Name; m.monitor.Spec.Endpoints[0].Port != name {
				t.Errorf("the ServiceMonitor does not scrape the port %s", name)
			}
		}
		if m.scaler != nil && m.scaler.Spec.ScaleTargetRef.Name != m.deployment.Name {
			t.Errorf("the autoscaler scales %s", m.scaler.Spec.ScaleTargetRef.Name)
		}
		if (m.scaler != nil) == (m.deployment.Spec.Replicas != nil) {
			t.Error("replicas are counted by the autoscaler or by the Deployment, never by both")
		}
	})
}

func mountsOf(pod corev1.PodSpec) (out []corev1.VolumeMount) {
	for _, c := range pod.Containers {
		out = append(out, c.VolumeMounts...)
	}
	return out
}

func argumentsOf(pod corev1.PodSpec) (out []string) {
	for _, c := range pod.Containers {
		out = append(out, c.Args...)
	}
	return out
}

func TestPods_MountsAndPortsMatch(t *testing.T) {
	everyVariant(t, func(t *testing.T, m manifests) {
		for name, pod := range m.pods() {
			var volumes, mounts []string
			for _, v := range pod.Volumes {
				volumes = append(volumes, v.Name)
			}
			for _, mount := range mountsOf(pod) {
				mounts = append(mounts, mount.Name)
				isWritten := mount.Name == "tmp" || mount.Name == "rollups" && pod.Containers[0].Args[0] == "rollup"
				if !isWritten && !mount.ReadOnly {
					t.Errorf("%s: %s is mounted to be written", name, mount.Name)
				}
			}
			slices.Sort(volumes)
			slices.Sort(mounts)
			mounts = slices.Compact(mounts)
			if !slices.Equal(volumes, mounts) {
				t.Errorf("%s: volumes %v, mounts %v", name, volumes, mounts)
			}
			for _, arg := range argumentsOf(pod) {
				_, path, found := strings.Cut(arg, "=/etc/semlayer/")
				if !found {
					continue
				}
				if mount, _, _ := strings.Cut(path, "/"); !slices.Contains(mounts, mount) {
					t.Errorf("%s: %s is not mounted", name, arg)
				}
			}
		}
		c := m.deployment.Spec.Template.Spec.Containers[0]
		ports, probed := m.service.Spec.Ports, c.Ports[0].Name
		if m.admin != nil {
			ports, probed = slices.Concat(ports, m.admin.Spec.Ports), "admin"
		}
		if len(c.Ports) != len(ports) {
			t.Errorf("the Services have %d ports, and the container %d", len(ports), len(c.Ports))
		}
		for i, port := range ports {
			if port.TargetPort.StrVal != c.Ports[i].Name {
				t.Error("the Service does not lead to the ports of the container")
			}
		}
		for name, want := range map[string]*corev1.Probe{"/ready": c.ReadinessProbe, "/health": c.LivenessProbe} {
			if want == nil || want.HTTPGet == nil || want.HTTPGet.Path != name || want.HTTPGet.Port.StrVal != probed {
				t.Errorf("no probe asks %s", name)
			}
		}
		if m.ingress != nil {
			for _, rule := range m.ingress.Spec.Rules {
				for _, path := range rule.HTTP.Paths {
					if path.Backend.Service.Name != m.service.Name || path.Backend.Service.Port.Name != m.service.Spec.Ports[0].Name {
						t.Errorf("%s%s does not lead to the Service", rule.Host, path.Path)
					}
				}
			}
		}
		for _, s := range m.secrets {
			if len(s.StringData) == 0 {
				t.Errorf("Secret %s is empty", s.Name)
			}
		}
	})
}

func TestNetworkPolicy_Ingress(t *testing.T) {
	policies := 0
	everyVariant(t, func(t *testing.T, m manifests) {
		if m.network == nil {
			return
		}
		policies++
		both := []networkingv1.PolicyType{networkingv1.PolicyTypeIngress, networkingv1.PolicyTypeEgress}
		if !slices.Equal(m.network.Spec.PolicyTypes, both) {
			t.Errorf("the policy is about %v", m.network.Spec.PolicyTypes)
		}
		tester := false
		for _, rule := range m.network.Spec.Ingress {
			if len(rule.From) == 0 {
				t.Error("a rule lets everybody in")
			}
			if len(rule.Ports) != 1 || !slices.Contains([]string{"http", "postgres", "admin"}, rule.Ports[0].Port.StrVal) {
				t.Error("a rule opens other ports than http, postgres and admin")
			}
			for _, peer := range rule.From {
				tester = tester || peer.PodSelector != nil && peer.PodSelector.MatchLabels["app.kubernetes.io/component"] == "test"
			}
		}
		if !tester {
			t.Error("helm test is kept out")
		}
	})
	if policies == 0 {
		t.Error("no values have a policy")
	}
}
