package charttest

import (
	"strings"
	"testing"
)

func TestValues_InvalidRejected(t *testing.T) {
	const model = "model.inline=m"
	cases := map[string]struct {
		set  []string
		says string
	}{
		"no model":                     {nil, "set exactly one of model.inline, model.existingConfigMap, model.existingConfigMaps, model.existingClaim, model.git.repository and model.oci.reference"},
		"two models":                   {[]string{model, "model.existingClaim=c"}, "set exactly one of model.inline"},
		"a path in a ConfigMap":        {[]string{"model.existingConfigMap=c", "model.key=a/b.yaml"}, "model.key is a path only with model.existingClaim"},
		"a folder of one text":         {[]string{model, "model.folder=true"}, "model.folder needs model.existingConfigMap or model.existingClaim"},
		"a default without a folder":   {[]string{model, "model.default=a"}, "model.default needs model.folder"},
		"a default that is a path":     {[]string{"model.existingClaim=c", "model.folder=true", "model.default=a/b"}, "default"},
		"two sources of profiles":      {[]string{model, "connections.inline=a", "connections.existingSecret=b"}, "set one of connections.inline and connections.existingSecret"},
		"two sources of tokens":        {[]string{model, "auth.tokens={0123456789abcdef}", "auth.existingSecret=b"}, "set one of auth.tokens and auth.existingSecret"},
		"a short token":                {[]string{model, "auth.tokens={short}"}, "auth"},
		"an ingress for everybody":     {[]string{model, "ingress.enabled=true", "ingress.hosts[0].host=a.example", "ingress.hosts[0].paths[0].path=/"}, "an ingress without auth.tokens"},
		"a balancer for everybody":     {[]string{model, "service.type=LoadBalancer"}, "a service of type LoadBalancer without auth.tokens"},
		"a port of nodes for all":      {[]string{model, "service.type=NodePort"}, "a service of type NodePort without auth.tokens"},
		"a port for everybody":         {[]string{model, "postgres.enabled=true"}, "postgres.enabled needs auth.tokens or auth.existingSecret"},
		"two sources of policies":      {[]string{model, "policies.inline=a: 1", "policies.existingSecret=b"}, "set one of policies.inline and policies.existingSecret"},
		"policies that are not YAML":   {[]string{model, "policies.inline=a: [", "auth.existingSecret=b"}, "policies.inline is not YAML"},
		"issuers of no Secret":         {[]string{model, "policies.hasIssuers=true"}, "policies.hasIssuers is about policies.existingSecret"},
		"roles for nobody":             {[]string{model, "policies.inline=roles: {a: {all: true}}"}, "policies.inline has roles"},
		"a port for limits alone":      {[]string{model, "policies.inline=version: 1", "postgres.enabled=true"}, "postgres.enabled needs auth.tokens or auth.existingSecret"},
		"two places of models":         {[]string{"model.existingConfigMaps={a}", "model.existingConfigMap=c"}, "set exactly one of model.inline"},
		"a repository without a pin":   {[]string{"model.git.repository=https://a.example/b.git"}, "model.git needs model.git.image"},
		"a pin that is a tag":          {[]string{"model.git.repository=https://a.example/b.git", "model.git.image=git-sync:v4"}, "image"},
		"a route for everybody":        {[]string{model, "httpRoute.enabled=true", "httpRoute.parentRefs[0].name=a"}, "an HTTPRoute without auth.tokens"},
		"a route without a gateway":    {[]string{model, "auth.existingSecret=b", "httpRoute.enabled=true"}, "an HTTPRoute needs httpRoute.parentRefs"},
		"a route of a relative path":   {[]string{model, "httpRoute.paths[0].value=v1"}, "httpRoute"},
		"a balancer that is not there": {[]string{model, "service.loadBalancerIP=192.0.2.1"}, "need service.type LoadBalancer"},
		"a port of nodes inside":       {[]string{model, "service.nodePort=30080"}, "need service.type NodePort or LoadBalancer"},
		"a budget of two rules":        {[]string{model, "podDisruptionBudget.minAvailable=1"}, "a budget has one of them"},
		"a probe that is misspelt":     {[]string{model, "probes.liveness.period=3"}, "period"},
		"an unknown strategy":          {[]string{model, "strategy.type=Canary"}, "strategy"},
		"authorities without TLS":      {[]string{model, "tls.clientCASecret=ca", "admin.enabled=true"}, "tls.clientCASecret needs tls.secret and admin.enabled"},
		"probes without a certificate": {[]string{model, "tls.clientCASecret=ca", "tls.secret=a"}, "tls.clientCASecret needs tls.secret and admin.enabled"},
		"an unknown setting":           {[]string{model, "settings.cache-mb=3"}, "cache-mb"},
		"a setting that a value has":   {[]string{model, "settings.pool-size=3"}, "pool-size"},
		"a setting of another type":    {[]string{model, "settings.cache-mib=much"}, "cache-mib"},
		"rollups of no connection":     {[]string{model, "rollups.schedule=@hourly", "connections.existingSecret=c"}, "rollups.schedule needs rollups.connection"},
		"rollups of no profiles":       {[]string{model, "rollups.schedule=@hourly", "rollups.connection=dw"}, "rollups.schedule needs rollups.connection"},
		"rollups of many models":       {[]string{"model.existingClaim=c", "model.folder=true", "rollups.schedule=@hourly", "rollups.connection=dw", "connections.existingSecret=c"}, "rollups.schedule needs one model"},
		"an ingress without a host":    {[]string{model, "auth.existingSecret=b", "ingress.enabled=true"}, "an ingress needs ingress.hosts"},
		"scaling by an unknown share":  {[]string{model, "autoscaling.enabled=true", "resources.requests.cpu=null"}, "autoscaling by CPU needs resources.requests.cpu"},
		"a maximum below the minimum":  {[]string{model, "autoscaling.minReplicas=9"}, "autoscaling.minReplicas is above autoscaling.maxReplicas"},
		"a value that is misspelt":     {[]string{model, "replicas=3"}, "replicas"},
		"a setting that is misspelt":   {[]string{model, "config.executeTimeout=3"}, "executeTimeout"},
		"a number that is a word":      {[]string{model, "config.poolSize=many"}, "poolSize"},
		"a label that selects pods":    {[]string{model, "podLabels.app\\.kubernetes\\.io/instance=x"}, "podLabels must not set app.kubernetes.io/instance"},
		"a checksum of the chart":      {[]string{model, "podAnnotations.checksum/model=x"}, "podAnnotations must not set checksum/model"},
		"a name that begins with 1":    {[]string{model, "fullnameOverride=1st"}, "fullnameOverride must begin with a lower-case letter"},
		"memory in a unit of its own":  {[]string{model, "resources.limits.memory=1GB"}, "memory"},
		"a digest that is none":        {[]string{model, "image.digest=sha256:12"}, "digest"},
		"an origin with a path":        {[]string{model, "config.corsOrigins={https://a.example/x}"}, "corsOrigins"},
		"a service of an unknown type": {[]string{model, "service.type=ExternalName"}, "type"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			args := []string{"template", release, chart, oldest}
			for _, s := range c.set {
				args = append(args, "--set", s)
			}
			out, errs, err := helm(t, args...)
			if err == nil {
				t.Fatalf("accepted:\n%s", out)
			}
			if !strings.Contains(errs, c.says) {
				t.Errorf("refused with\n%s\nwhich does not say %q", errs, c.says)
			}
		})
	}
}

func TestValues_OldClusterRejected(t *testing.T) {
	args := []string{"template", release, chart, "--set", "model.inline=m", "--kube-version"}
	if _, errs, err := helm(t, append(args, "1.29.9")...); err == nil || !strings.Contains(errs, "1.30") {
		t.Errorf("1.29: %v %s", err, errs)
	}
	if _, errs, err := helm(t, append(args, "1.30.0")...); err != nil {
		t.Errorf("1.30: %v %s", err, errs)
	}
}
