package charttest

import (
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	metavalidation "k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// objects returns the metadata of all documents, by kind and name.
func (m manifests) objects() map[string]metav1.ObjectMeta {
	out := map[string]metav1.ObjectMeta{"Deployment": m.deployment.ObjectMeta, "Service": m.service.ObjectMeta, "Pod": m.test.ObjectMeta, "template": m.deployment.Spec.Template.ObjectMeta}
	if m.account != nil {
		out["ServiceAccount"] = m.account.ObjectMeta
	}
	for _, c := range m.configMaps {
		out["ConfigMap "+c.Name] = c.ObjectMeta
	}
	for _, s := range m.secrets {
		out["Secret "+s.Name] = s.ObjectMeta
	}
	if m.scaler != nil {
		out["HorizontalPodAutoscaler"] = m.scaler.ObjectMeta
	}
	if m.network != nil {
		out["NetworkPolicy"] = m.network.ObjectMeta
	}
	return out
}

func TestReleaseNames_NumericOnesGiveValidObjects(t *testing.T) {
	for _, name := range []string{"123", "1e3", "0x1f", "1-2", "1semlayer", "null", "true", "semlayer", "a"} {
		t.Run(name, func(t *testing.T) {
			out, errs, err := helm(t, "template", name, chart, "--namespace", namespace, oldest, "--values", "testdata/values/everything.yaml")
			if err != nil {
				t.Fatalf("%v\n%s", err, errs)
			}
			m := decode(t, out)
			for what, o := range m.objects() {
				if what != "template" {
					for _, problem := range validation.IsDNS1123Subdomain(o.Name) {
						t.Errorf("%s %q: %s", what, o.Name, problem)
					}
				}
				for _, problem := range metavalidation.ValidateLabels(o.Labels, field.NewPath("labels")) {
					t.Errorf("%s: %v", what, problem)
				}
				if got := o.Labels["app.kubernetes.io/instance"]; got != name {
					t.Errorf("%s: the label of the release is %q", what, got)
				}
			}
			for _, problem := range validation.IsDNS1035Label(m.service.Name) {
				t.Errorf("Service %q: %s", m.service.Name, problem)
			}
		})
	}
}

func TestReleaseNames_ThoseOfLettersStayAsTheyWere(t *testing.T) {
	for name, want := range map[string]string{"sales": "sales-semlayer", "my-semlayer": "my-semlayer", "123": "semlayer-123"} {
		out, errs, err := helm(t, "template", name, chart, oldest, "--set", "model.inline=m")
		if err != nil {
			t.Fatalf("%v\n%s", err, errs)
		}
		if m := decode(t, out); m.service.Name != want || m.deployment.Name != want {
			t.Errorf("%s: %s and %s, want %s", name, m.service.Name, m.deployment.Name, want)
		}
	}
}

func TestPodLabels_AreBesideThoseOfTheSelector(t *testing.T) {
	m := decode(t, render(t, "--set", "model.inline=m", "--set", "podLabels.team=data"))
	labels := m.deployment.Spec.Template.Labels
	if labels["team"] != "data" || len(labels) != 1+len(m.deployment.Spec.Selector.MatchLabels) {
		t.Errorf("%v", labels)
	}
	for key, value := range m.deployment.Spec.Selector.MatchLabels {
		if labels[key] != value {
			t.Errorf("the pods lack the label %s=%s of the selector", key, value)
		}
	}
	if strings.Contains(m.text["Deployment/"+m.deployment.Name], "null") {
		t.Error("a label is null")
	}
}
