// Package charttest holds the Helm chart to what it promises. It has tests only.
//
//	values ─► helm template ─► documents ─► Kubernetes types ─► policies, golden files
//	   └────► refused: by values.schema.json, or by a sentence of the chart
//
// The documents are decoded into the types of k8s.io/api, strictly: a field that
// is misspelt, indented wrongly or given twice is an error, where a cluster
// would drop it or reject the release. The policies then ask of every rendering
// what a reader of one template easily forgets in another.
//
//	values ─► helm install, upgrade, rollback, uninstall ─► kube-apiserver ─► etcd
//	                                                              └── pods of the Deployment, the CronJob and helm test: admitted?
//
// `make helm-apiserver` runs that part. Its server has no controllers and no kubelet: objects are validated, admitted and
// kept, and nothing runs. The admission of pod security judges pods alone, so that the tests make them from their templates.
//
// The module is not part of go.work, so that the versions of Kubernetes do
// not decide those of the workspace. `make helm-test` runs it, and installs helm
// first.
package charttest
