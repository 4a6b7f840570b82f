package charttest

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	kjson "sigs.k8s.io/json"
	"sigs.k8s.io/yaml"
)

// manifests are the documents of one rendering. A document that may be absent is nil.
type manifests struct {
	deployment *appsv1.Deployment
	service    *corev1.Service
	admin      *corev1.Service // of the second address
	account    *corev1.ServiceAccount
	configMaps []*corev1.ConfigMap
	secrets    []*corev1.Secret
	scaler     *autoscalingv2.HorizontalPodAutoscaler
	budget     *policyv1.PodDisruptionBudget
	network    *networkingv1.NetworkPolicy
	ingress    *networkingv1.Ingress
	monitor    *serviceMonitor
	rules      *prometheusRule
	route      *httpRoute
	test       *corev1.Pod
	rollups    *batchv1.CronJob

	text map[string]string // the document of each Kind/name
}

// serviceMonitor is the part of the operator's type that the chart uses. Its own
// module would bring a client of Kubernetes along.
type serviceMonitor struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata"`
	Spec              struct {
		Selector  metav1.LabelSelector `json:"selector"`
		Endpoints []struct {
			Port     string `json:"port"`
			Path     string `json:"path"`
			Interval string `json:"interval"`
			Scheme   string `json:"scheme"`
			TLS      any    `json:"tlsConfig"`
			Timeout  string `json:"scrapeTimeout"`
			Relabel  []any  `json:"relabelings"`
			Metrics  []any  `json:"metricRelabelings"`
		} `json:"endpoints"`
	} `json:"spec"`
}

// prometheusRule is an object of the operator. Its alerts are compared with those of deploy/prometheus, which promtool checks.
type prometheusRule struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata"`
	Spec              any `json:"spec"`
}

// httpRoute is the part of the Gateway API that the chart uses.
type httpRoute struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata"`
	Spec              struct {
		ParentRefs []struct {
			Name      string `json:"name"`
			Namespace string `json:"namespace"`
		} `json:"parentRefs"`
		Hostnames []string `json:"hostnames"`
		Rules     []struct {
			Matches []struct {
				Path struct {
					Type  string `json:"type"`
					Value string `json:"value"`
				} `json:"path"`
			} `json:"matches"`
			Filters     []any             `json:"filters"`
			Timeouts    map[string]string `json:"timeouts"`
			BackendRefs []struct {
				Name string `json:"name"`
				Port int    `json:"port"`
			} `json:"backendRefs"`
		} `json:"rules"`
	} `json:"spec"`
}

var separator = regexp.MustCompile(`(?m)^---$`)

// decode reads every document into its type, and fails on what has none.
func decode(t *testing.T, text string) manifests {
	t.Helper()
	m := manifests{text: map[string]string{}}
	for _, doc := range separator.Split(text, -1) {
		if strings.TrimSpace(doc) == "" {
			continue
		}
		var head struct {
			metav1.TypeMeta `json:",inline"`
			Metadata        metav1.ObjectMeta `json:"metadata"`
		}
		if err := yaml.Unmarshal([]byte(doc), &head); err != nil {
			t.Fatalf("%v\n%s", err, doc)
		}
		if head.Kind == "" {
			if strings.Trim(comments.ReplaceAllString(doc, ""), "\n ") != "" {
				t.Fatalf("a document without a kind:\n%s", doc)
			}
			continue
		}
		id := head.Kind + "/" + head.Metadata.Name
		if m.text[id] != "" {
			t.Errorf("%s comes twice", id)
		}
		m.text[id] = doc
		var into any
		if head.Kind == "Service" && head.Metadata.Labels["app.kubernetes.io/component"] == "admin" {
			m.admin = &corev1.Service{}
			into = m.admin
		} else {
			into = m.target(head.APIVersion + " " + head.Kind)
		}
		if into == nil {
			t.Fatalf("no type is known for %s %s", head.APIVersion, head.Kind)
		}
		if err := strictly([]byte(doc), into); err != nil {
			t.Errorf("%s: %v", id, err)
		}
	}
	if m.deployment == nil || m.service == nil || m.test == nil {
		t.Fatalf("no Deployment, Service or test in\n%s", text)
	}
	return m
}

var comments = regexp.MustCompile(`(?m)^#.*$`)

func (m *manifests) target(kind string) any {
	switch kind {
	case "apps/v1 Deployment":
		m.deployment = new(appsv1.Deployment)
		return m.deployment
	case "v1 Service":
		m.service = new(corev1.Service)
		return m.service
	case "v1 ServiceAccount":
		m.account = new(corev1.ServiceAccount)
		return m.account
	case "v1 ConfigMap":
		m.configMaps = append(m.configMaps, new(corev1.ConfigMap))
		return m.configMaps[len(m.configMaps)-1]
	case "v1 Secret":
		m.secrets = append(m.secrets, new(corev1.Secret))
		return m.secrets[len(m.secrets)-1]
	case "v1 Pod":
		m.test = new(corev1.Pod)
		return m.test
	case "batch/v1 CronJob":
		m.rollups = new(batchv1.CronJob)
		return m.rollups
	case "autoscaling/v2 HorizontalPodAutoscaler":
		m.scaler = new(autoscalingv2.HorizontalPodAutoscaler)
		return m.scaler
	case "policy/v1 PodDisruptionBudget":
		m.budget = new(policyv1.PodDisruptionBudget)
		return m.budget
	case "networking.k8s.io/v1 NetworkPolicy":
		m.network = new(networkingv1.NetworkPolicy)
		return m.network
	case "networking.k8s.io/v1 Ingress":
		m.ingress = new(networkingv1.Ingress)
		return m.ingress
	case "monitoring.coreos.com/v1 ServiceMonitor":
		m.monitor = new(serviceMonitor)
		return m.monitor
	case "monitoring.coreos.com/v1 PrometheusRule":
		m.rules = new(prometheusRule)
		return m.rules
	case "gateway.networking.k8s.io/v1 HTTPRoute":
		m.route = new(httpRoute)
		return m.route
	}
	return nil
}

// strictly decodes as an API server does in strict mode: names have
// their exact case, unknown and repeated fields are errors.
func strictly(doc []byte, into any) error {
	text, err := yaml.YAMLToJSONStrict(doc)
	if err != nil {
		return err
	}
	strict, err := kjson.UnmarshalStrict(text, into)
	if err != nil {
		return err
	}
	if len(strict) > 0 {
		return fmt.Errorf("%v", strict)
	}
	return nil
}

func TestDecode_Strict(t *testing.T) {
	for name, doc := range map[string]string{
		"unknown field":  "kind: Service\nspec: {typ: ClusterIP}",
		"wrong case":     "kind: Service\nspec: {Type: ClusterIP}",
		"repeated field": "kind: Service\nkind: Service",
		"wrong type":     "kind: Service\nspec: {ports: [{port: http}]}",
	} {
		if err := strictly([]byte(doc), new(corev1.Service)); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestManifests_AreKubernetesObjects(t *testing.T) {
	everyVariant(t, func(*testing.T, manifests) {}) // decode fails where one is not
}
