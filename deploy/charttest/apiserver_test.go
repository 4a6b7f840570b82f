package charttest

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"
)

// The programs and folders that `make helm-apiserver` names.
const (
	apiserverEnv = "KUBE_APISERVER"
	etcdEnv      = "ETCD"
	// crdsEnv is a list of files of custom resources, of the operator of Prometheus and of the Gateway API.
	crdsEnv = "CLUSTER_CRDS"
)

// apiserver is a kube-apiserver with its etcd: no kubelet, no scheduler and no controller. Objects are validated, given their
// defaults, admitted and kept, and nothing runs.
type apiserver struct {
	base       string
	kubeconfig string
	token      string
	client     *http.Client
}

// startAPIServer starts etcd and kube-apiserver on ports of the loopback address.
func startAPIServer(t *testing.T) *apiserver {
	t.Helper()
	program := os.Getenv(apiserverEnv)
	if program == "" {
		t.Skip(apiserverEnv + " names no kube-apiserver: make helm-apiserver builds it")
	}
	etcd := os.Getenv(etcdEnv)
	if etcd == "" {
		etcd = "etcd"
	}
	dir := t.TempDir()
	store, peers, port := freePort(t), freePort(t), freePort(t)
	database := fmt.Sprintf("http://127.0.0.1:%d", store)
	run(t, etcd, "--data-dir="+filepath.Join(dir, "etcd"), "--listen-client-urls="+database, "--advertise-client-urls="+database,
		fmt.Sprintf("--listen-peer-urls=http://127.0.0.1:%d", peers))
	certificate, key, pool := writeCertificate(t, dir)
	c := &apiserver{
		base: fmt.Sprintf("https://127.0.0.1:%d", port), token: "administrator-of-the-test", kubeconfig: filepath.Join(dir, "kubeconfig"),
		client: &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool, MinVersion: tls.VersionTLS12}}, Timeout: time.Minute},
	}
	write(t, filepath.Join(dir, "tokens"), c.token+`,administrator,1,"system:masters"`)
	write(t, c.kubeconfig, fmt.Sprintf(`apiVersion: v1
kind: Config
current-context: test
clusters: [{name: test, cluster: {server: %q, certificate-authority: %q}}]
users: [{name: test, user: {token: %q}}]
contexts: [{name: test, context: {cluster: test, user: test}}]
`, c.base, certificate, c.token))
	log := run(t, program, "--etcd-servers="+database, "--bind-address=127.0.0.1", "--secure-port="+strconv.Itoa(port),
		"--tls-cert-file="+certificate, "--tls-private-key-file="+key, "--token-auth-file="+filepath.Join(dir, "tokens"), "--authorization-mode=RBAC",
		"--service-account-key-file="+key, "--service-account-signing-key-file="+key, "--service-account-issuer="+c.base,
		"--service-cluster-ip-range=10.96.0.0/16", "--endpoint-reconciler-type=none", "--cert-dir="+dir,
		"--allow-privileged") // pod security, not the server as a whole, refuses privileged containers
	await(t, "kube-apiserver is ready", 5*time.Minute, log, func() bool {
		code, _ := c.try(http.MethodGet, "/readyz", nil)
		return code == http.StatusOK
	})
	return c
}

// run starts a program that ends with the test, and returns the file of what it prints.
func run(t *testing.T, program string, args ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "log")
	log, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(context.Background(), program, args...)
	cmd.Stdout, cmd.Stderr = log, log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		_ = log.Close()
	})
	return path
}

// await checks until yes returns true. It shows the log where that does not happen in time.
func await(t *testing.T, what string, limit time.Duration, log string, yes func() bool) {
	t.Helper()
	end, again := time.NewTimer(limit), time.NewTicker(100*time.Millisecond)
	defer end.Stop()
	defer again.Stop()
	for !yes() {
		select {
		case <-end.C:
			text, err := os.ReadFile(log)
			t.Fatalf("not within %v: %s\n%v\n%s", limit, what, err, text[max(0, len(text)-4000):])
		case <-again.C:
		}
	}
}

func freePort(t *testing.T) int {
	t.Helper()
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	return l.Addr().(*net.TCPAddr).Port
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// writeCertificate writes a certificate of the loopback address, signed by itself. Its key also signs the tokens of accounts.
func writeCertificate(t *testing.T, dir string) (certificate, key string, pool *x509.CertPool) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "kube-apiserver"}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(24 * time.Hour), IsCA: true, BasicConstraintsValid: true,
		KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	signed, err := x509.CreateCertificate(rand.Reader, template, template, private.Public(), private)
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := x509.ParseCertificate(signed)
	if err != nil {
		t.Fatal(err)
	}
	der, err := x509.MarshalECPrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	certificate, key = filepath.Join(dir, "tls.crt"), filepath.Join(dir, "tls.key")
	write(t, certificate, string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: signed})))
	write(t, key, string(pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: der})))
	pool = x509.NewCertPool()
	pool.AddCert(parsed)
	return certificate, key, pool
}

// try sends a request. The status is 0 where there is no response.
func (c *apiserver) try(method, path string, body any) (int, []byte) {
	var sent io.Reader
	if body != nil {
		text, err := json.Marshal(body)
		if err != nil {
			return 0, []byte(err.Error())
		}
		sent = bytes.NewReader(text)
	}
	r, err := http.NewRequestWithContext(context.Background(), method, c.base+path, sent)
	if err != nil {
		return 0, []byte(err.Error())
	}
	r.Header.Set("Authorization", "Bearer "+c.token)
	r.Header.Set("Content-Type", "application/json")
	response, err := c.client.Do(r)
	if err != nil {
		return 0, []byte(err.Error())
	}
	defer func() { _ = response.Body.Close() }()
	got, err := io.ReadAll(response.Body)
	if err != nil {
		return 0, []byte(err.Error())
	}
	return response.StatusCode, got
}

// do sends a request that has to succeed, and decodes its response.
func (c *apiserver) do(t *testing.T, method, path string, body, into any) {
	t.Helper()
	code, got := c.try(method, path, body)
	if code/100 != 2 {
		t.Fatalf("%s %s: %d %s", method, path, code, got)
	}
	if into != nil {
		if err := json.Unmarshal(got, into); err != nil {
			t.Fatal(err)
		}
	}
}

// addCustomResources adds the kinds of the operator of Prometheus and of the Gateway API, as their projects release them.
func (c *apiserver) addCustomResources(t *testing.T) {
	t.Helper()
	files := strings.Fields(os.Getenv(crdsEnv))
	if len(files) != 3 {
		t.Fatalf("%s names %d files, not 3", crdsEnv, len(files))
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var definition map[string]any
		if err := yaml.Unmarshal(text, &definition); err != nil {
			t.Fatal(err)
		}
		const path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
		c.do(t, http.MethodPost, path, definition, nil)
		name := path + "/" + definition["metadata"].(map[string]any)["name"].(string)
		await(t, name+" is served", time.Minute, file, func() bool {
			var made struct {
				Status struct{ Conditions []metav1.Condition }
			}
			c.do(t, http.MethodGet, name, nil, &made)
			for _, condition := range made.Status.Conditions {
				if condition.Type == "Established" && condition.Status == metav1.ConditionTrue {
					return true
				}
			}
			return false
		})
	}
}

// addNamespace makes a namespace whose pods must be of the profile "restricted", with the account that a controller would make.
func (c *apiserver) addNamespace(t *testing.T, name string) {
	t.Helper()
	labels := map[string]string{}
	for _, mode := range []string{"enforce", "warn", "audit"} {
		labels["pod-security.kubernetes.io/"+mode] = "restricted"
	}
	c.do(t, http.MethodPost, "/api/v1/namespaces", map[string]any{"metadata": map[string]any{"name": name, "labels": labels}}, nil)
	for _, account := range []string{"default", "reader"} {
		c.do(t, http.MethodPost, "/api/v1/namespaces/"+name+"/serviceaccounts", map[string]any{"metadata": map[string]any{"name": account}}, nil)
	}
}

// inventory returns the objects of a namespace, of all kinds that the server has, as resource/name.
func (c *apiserver) inventory(t *testing.T, namespace string) map[string]bool {
	t.Helper()
	versions := []string{"/api/v1"}
	var groups metav1.APIGroupList
	c.do(t, http.MethodGet, "/apis", nil, &groups)
	for _, group := range groups.Groups {
		versions = append(versions, "/apis/"+group.PreferredVersion.GroupVersion)
	}
	out := map[string]bool{}
	for _, version := range versions {
		var resources metav1.APIResourceList
		c.do(t, http.MethodGet, version, nil, &resources)
		for _, resource := range resources.APIResources {
			if !resource.Namespaced || !strings.Contains(strings.Join(resource.Verbs, " "), "list") || resource.Name == "events" {
				continue
			}
			var list metav1.PartialObjectMetadataList
			c.do(t, http.MethodGet, version+"/namespaces/"+namespace+"/"+resource.Name, nil, &list)
			for _, object := range list.Items {
				out[resource.Name+"/"+object.Name] = true
			}
		}
	}
	return out
}
