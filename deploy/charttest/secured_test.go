package charttest

import (
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/yaml"
)

func secured(t *testing.T, flags ...string) manifests {
	t.Helper()
	return decode(t, render(t, append([]string{"--values", "testdata/values/secured.yaml"}, flags...)...))
}

func TestSecured_AddressesHaveTheCertificate(t *testing.T) {
	m := secured(t)
	c := m.deployment.Spec.Template.Spec.Containers[0]
	for _, arg := range []string{"--tls-cert=/etc/semlayer/tls/tls.crt", "--tls-key=/etc/semlayer/tls/tls.key", "--admin-bind=0.0.0.0:8082"} {
		if !slices.Contains(c.Args, arg) {
			t.Errorf("the server does not get %s", arg)
		}
	}
	for name, probe := range map[string]*corev1.Probe{"startup": c.StartupProbe, "readiness": c.ReadinessProbe, "liveness": c.LivenessProbe} {
		equal(t, name, []string{string(probe.HTTPGet.Scheme), probe.HTTPGet.Port.StrVal}, []string{"HTTPS", "admin"})
	}
	equal(t, "protocol", *m.service.Spec.Ports[0].AppProtocol, "https")
	equal(t, "second address", m.admin.Spec.Ports, `[{"name":"admin","protocol":"TCP","appProtocol":"https","port":9090,"targetPort":"admin"}]`)
	scraped := m.monitor.Spec.Endpoints[0]
	equal(t, "scheme", scraped.Scheme, "https")
	equal(t, "check of the certificate", scraped.TLS, `{"serverName":"metrics.example.com"}`)
	if args := strings.Join(m.test.Spec.Containers[0].Args, " "); !strings.Contains(args, "--url=https://") || !strings.Contains(args, "--ca-cert=/etc/semlayer/tls/ca.crt") {
		t.Errorf("helm test asks %s", args)
	}
}

// Who scrapes metrics does not reach the address of the callers, and callers do not reach that of the metrics.
func TestSecured_MetricsHaveTheirOwnPeers(t *testing.T) {
	peers := map[string]string{}
	for _, rule := range secured(t).network.Spec.Ingress {
		peers[rule.Ports[0].Port.StrVal] = rule.From[0].NamespaceSelector.MatchLabels["team"]
		if n := len(rule.From); rule.Ports[0].Port.StrVal == "admin" && n != 1 {
			t.Errorf("%d peers reach the metrics", n)
		}
	}
	equal(t, "peers", peers, `{"admin":"monitoring","http":"bi"}`)
}

func TestSettings_AreAFileOfTheServer(t *testing.T) {
	m := secured(t)
	var got map[string]any
	if len(m.configMaps) != 2 || !strings.HasSuffix(m.configMaps[1].Name, "-settings") {
		t.Fatalf("%d ConfigMaps", len(m.configMaps))
	}
	if err := yaml.Unmarshal([]byte(m.configMaps[1].Data["settings.yaml"]), &got); err != nil {
		t.Fatal(err)
	}
	equal(t, "settings", got, `{"audit-log":"-","cache-mib":256,"default-connection":"warehouse"}`)
	if !slices.Contains(m.deployment.Spec.Template.Spec.Containers[0].Args, "--config=/etc/semlayer/settings/settings.yaml") {
		t.Error("the server does not read them")
	}
	other := secured(t, "--set", "settings.cache-mib=512")
	if sum := "checksum/settings"; other.deployment.Spec.Template.Annotations[sum] == m.deployment.Spec.Template.Annotations[sum] {
		t.Error("a changed setting leaves the pods as they are")
	}
}

func TestSecured_ClientsNeedCertificates(t *testing.T) {
	text := render(t, "--values", "testdata/values/secured.yaml", "--set", "tls.clientCASecret=authorities")
	if !strings.Contains(text, "--tls-client-ca=/etc/semlayer/client-ca/ca.crt") || !strings.Contains(text, `secretName: "authorities"`) {
		t.Error("the server does not get the authorities")
	}
	if strings.Contains(text, "helm.sh/hook: test") {
		t.Error("helm test asks without a certificate")
	}
}
