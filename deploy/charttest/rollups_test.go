package charttest

import (
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
)

func TestRollups_AreBuiltOnAScheduleByOnePodAtATime(t *testing.T) {
	m := decode(t, render(t, "--values", "testdata/values/rollups.yaml"))
	job := m.rollups.Spec
	equal(t, "schedule", []string{job.Schedule, string(job.ConcurrencyPolicy)}, []string{"15 * * * *", "Forbid"})
	equal(t, "limit", *job.JobTemplate.Spec.ActiveDeadlineSeconds, 900)
	pod, server := job.JobTemplate.Spec.Template.Spec, m.deployment.Spec.Template.Spec
	equal(t, "arguments", pod.Containers[0].Args, []string{
		"rollup", "refresh", "--all", "--model=/etc/semlayer/model/model.yaml", "--connections=/etc/semlayer/connections/connections.yaml", "--connection=dw", "--full",
	})
	equal(t, "environment", pod.Containers[0].Env[0], server.Containers[0].Env[slices.IndexFunc(server.Containers[0].Env, func(e corev1.EnvVar) bool { return e.Name == "DW_PASSWORD" })])
	for _, v := range pod.Volumes[:2] { // the model and the profiles of the server
		i := slices.IndexFunc(server.Volumes, func(of corev1.Volume) bool { return of.Name == v.Name })
		equal(t, v.Name, v, server.Volumes[i])
	}
	if least := decode(t, render(t, "--values", "testdata/values/least.yaml")); least.rollups != nil {
		t.Error("rollups are built without a schedule")
	}
}
