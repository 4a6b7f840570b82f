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
		"--rollup-dir=/var/lib/semlayer/rollups",
	})
	equal(t, "environment", pod.Containers[0].Env[0], server.Containers[0].Env[slices.IndexFunc(server.Containers[0].Env, func(e corev1.EnvVar) bool { return e.Name == "DW_PASSWORD" })])
	for _, v := range pod.Volumes[:2] { // the model and the profiles of the server
		i := slices.IndexFunc(server.Volumes, func(of corev1.Volume) bool { return of.Name == v.Name })
		equal(t, v.Name, v, server.Volumes[i])
	}
	// The server reads the files of local rollups where the job writes them.
	volume := func(p corev1.PodSpec) corev1.Volume {
		return p.Volumes[slices.IndexFunc(p.Volumes, func(v corev1.Volume) bool { return v.Name == "rollups" })]
	}
	mount := func(p corev1.PodSpec) corev1.VolumeMount {
		list := p.Containers[0].VolumeMounts
		return list[slices.IndexFunc(list, func(v corev1.VolumeMount) bool { return v.Name == "rollups" })]
	}
	equal(t, "claim", volume(pod).PersistentVolumeClaim.ClaimName, "aggregations")
	equal(t, "volume of the server", volume(server), volume(pod))
	equal(t, "mount of the job", mount(pod), corev1.VolumeMount{Name: "rollups", MountPath: "/var/lib/semlayer/rollups"})
	equal(t, "mount of the server", mount(server), corev1.VolumeMount{Name: "rollups", MountPath: "/var/lib/semlayer/rollups", ReadOnly: true})
	if !slices.Contains(server.Containers[0].Args, "--rollup-dir=/var/lib/semlayer/rollups") {
		t.Errorf("the server reads no local rollups: %q", server.Containers[0].Args)
	}
	if least := decode(t, render(t, "--values", "testdata/values/least.yaml")); least.rollups != nil {
		t.Error("rollups are built without a schedule")
	}
}
