{{- define "semlayer.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 63 | trimSuffix "-" -}}
{{- end -}}

{{/*
The name of a Service has to begin with a letter. Where the name of the release does not, the
name of the chart comes first.
*/}}
{{- define "semlayer.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 52 | trimSuffix "-" -}}
{{- else if not (regexMatch "^[a-z]" .Release.Name) -}}
{{- printf "%s-%s" (include "semlayer.name" .) .Release.Name | trunc 52 | trimSuffix "-" -}}
{{- else if contains (include "semlayer.name" .) .Release.Name -}}
{{- .Release.Name | trunc 52 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name (include "semlayer.name" .) | trunc 52 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{/* What the Service, the policies and the Deployment select: the servers, and not the pod of helm test. */}}
{{- define "semlayer.selector" -}}
app.kubernetes.io/name: {{ include "semlayer.name" . | quote }}
app.kubernetes.io/instance: {{ .Release.Name | quote }}
app.kubernetes.io/component: server
{{- end -}}

{{/* What the monitor selects where metrics have their own address. */}}
{{- define "semlayer.adminSelector" -}}
app.kubernetes.io/name: {{ include "semlayer.name" . | quote }}
app.kubernetes.io/instance: {{ .Release.Name | quote }}
app.kubernetes.io/component: admin
{{- end -}}

{{- define "semlayer.rollupsSelector" -}}
app.kubernetes.io/name: {{ include "semlayer.name" . | quote }}
app.kubernetes.io/instance: {{ .Release.Name | quote }}
app.kubernetes.io/component: rollups
{{- end -}}

{{- define "semlayer.testSelector" -}}
app.kubernetes.io/name: {{ include "semlayer.name" . | quote }}
app.kubernetes.io/instance: {{ .Release.Name | quote }}
app.kubernetes.io/component: test
{{- end -}}

{{- define "semlayer.release" -}}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- end -}}

{{- define "semlayer.labels" -}}
{{ include "semlayer.selector" . }}
{{ include "semlayer.release" . }}
{{- end -}}

{{/* The annotations of an object, given as a list of the context and of its own ones, which win; empty without any. */}}
{{- define "semlayer.annotations" -}}
{{- with merge dict (index . 1 | default dict) (index . 0).Values.commonAnnotations -}}
annotations: {{- toYaml . | nindent 2 }}
{{- end -}}
{{- end -}}

{{- define "semlayer.image" -}}
{{- if .Values.image.digest -}}
{{ .Values.image.repository }}@{{ .Values.image.digest }}
{{- else -}}
{{ .Values.image.repository }}:{{ default .Chart.AppVersion .Values.image.tag }}
{{- end -}}
{{- end -}}

{{- define "semlayer.serviceAccountName" -}}
{{- if .Values.serviceAccount.create -}}
{{ default (include "semlayer.fullname" .) .Values.serviceAccount.name }}
{{- else -}}
{{ default "default" .Values.serviceAccount.name }}
{{- end -}}
{{- end -}}

{{/* The names of what holds the model, the profiles and the tokens; empty for none. */}}
{{- define "semlayer.connectionsSecret" -}}
{{- if .Values.connections.existingSecret -}}
{{ .Values.connections.existingSecret }}
{{- else if .Values.connections.inline -}}
{{ include "semlayer.fullname" . }}-connections
{{- end -}}
{{- end -}}

{{- define "semlayer.authSecret" -}}
{{- if .Values.auth.existingSecret -}}
{{ .Values.auth.existingSecret }}
{{- else if .Values.auth.tokens -}}
{{ include "semlayer.fullname" . }}-auth
{{- end -}}
{{- end -}}

{{- define "semlayer.policiesSecret" -}}
{{- if .Values.policies.existingSecret -}}
{{ .Values.policies.existingSecret }}
{{- else if .Values.policies.inline -}}
{{ include "semlayer.fullname" . }}-policies
{{- end -}}
{{- end -}}

{{/* Whether /v1 needs a token: there are tokens, or issuers of them. */}}
{{- define "semlayer.secured" -}}
{{- if or (include "semlayer.authSecret" .) .Values.policies.hasIssuers (get (fromYaml .Values.policies.inline) "issuers") -}}
true
{{- end -}}
{{- end -}}

{{/* The scheme of the addresses of HTTP. */}}
{{- define "semlayer.scheme" -}}
{{- if .Values.tls.secret -}}https{{- else -}}http{{- end -}}
{{- end -}}

{{/* The port of the probes, and their scheme where it is HTTPS. */}}
{{- define "semlayer.probed" -}}
port: {{ ternary "admin" "http" .Values.admin.enabled }}{{ if .Values.tls.secret }}, scheme: HTTPS{{ end }}
{{- end -}}

{{/* What can be said twice must be said once. */}}
{{- define "semlayer.check" -}}
{{- $models := 0 -}}
{{- range list .Values.model.inline .Values.model.existingConfigMap .Values.model.existingClaim -}}
{{- if . }}{{- $models = add1 $models }}{{- end -}}
{{- end -}}
{{- range list .Values.model.existingConfigMaps .Values.model.git.repository .Values.model.oci.reference }}{{- if . }}{{- $models = add1 $models }}{{- end }}{{- end -}}
{{- if ne (int $models) 1 -}}
{{- fail "set exactly one of model.inline, model.existingConfigMap, model.existingConfigMaps, model.existingClaim, model.git.repository and model.oci.reference" -}}
{{- end -}}
{{- if and (contains "/" .Values.model.key) (not (or .Values.model.existingClaim .Values.model.git.repository .Values.model.oci.reference)) -}}
{{- fail "model.key is a path only with model.existingClaim, model.git and model.oci; in a ConfigMap it is a name" -}}
{{- end -}}
{{- if and .Values.model.git.repository (not .Values.model.git.image) -}}
{{- fail "model.git needs model.git.image, a git-sync 4 with its digest" -}}
{{- end -}}
{{- if and .Values.model.oci.reference (semverCompare "<1.33.0-0" .Capabilities.KubeVersion.Version) -}}
{{- fail "model.oci needs Kubernetes 1.33, which mounts images as volumes" -}}
{{- end -}}
{{- if and .Values.model.folder .Values.model.inline -}}
{{- fail "model.folder needs model.existingConfigMap or model.existingClaim: model.inline is one model" -}}
{{- end -}}
{{- if and .Values.tls.clientCASecret (not (and .Values.tls.secret .Values.admin.enabled)) -}}
{{- fail "tls.clientCASecret needs tls.secret and admin.enabled: probes have no certificate" -}}
{{- end -}}
{{- if and .Values.rollups.schedule (or .Values.model.folder .Values.model.git.repository) -}}
{{- fail "rollups.schedule needs one model: neither model.folder nor model.git.repository" -}}
{{- end -}}
{{- if and .Values.rollups.schedule (not (and .Values.rollups.connection (include "semlayer.connectionsSecret" .))) -}}
{{- fail "rollups.schedule needs rollups.connection, and its profile in connections.inline or connections.existingSecret" -}}
{{- end -}}
{{- if and .Values.model.default (not .Values.model.folder) -}}
{{- fail "model.default needs model.folder" -}}
{{- end -}}
{{- if and .Values.connections.inline .Values.connections.existingSecret -}}
{{- fail "set one of connections.inline and connections.existingSecret, not both" -}}
{{- end -}}
{{- if and .Values.auth.tokens .Values.auth.existingSecret -}}
{{- fail "set one of auth.tokens and auth.existingSecret, not both" -}}
{{- end -}}
{{- if and .Values.policies.inline .Values.policies.existingSecret -}}
{{- fail "set one of policies.inline and policies.existingSecret, not both" -}}
{{- end -}}
{{- if and .Values.policies.hasIssuers (not .Values.policies.existingSecret) -}}
{{- fail "policies.hasIssuers is about policies.existingSecret" -}}
{{- end -}}
{{- $written := fromYaml .Values.policies.inline -}}
{{- if hasKey $written "Error" -}}
{{- fail "policies.inline is not YAML" -}}
{{- end -}}
{{- if and (get $written "roles") (not (include "semlayer.secured" .)) -}}
{{- fail "policies.inline has roles, and there are neither tokens (auth) nor issuers: no caller could be identified" -}}
{{- end -}}
{{- if and .Values.ingress.enabled (not (include "semlayer.secured" .)) -}}
{{- fail "an ingress without auth.tokens or auth.existingSecret would open the data to whoever reaches it" -}}
{{- end -}}
{{- if and (ne .Values.service.type "ClusterIP") (not (include "semlayer.secured" .)) -}}
{{- fail (printf "a service of type %s without auth.tokens or auth.existingSecret would open the data to whoever reaches the nodes" .Values.service.type) -}}
{{- end -}}
{{- if and .Values.postgres.enabled (not (include "semlayer.secured" .)) -}}
{{- fail "postgres.enabled needs auth.tokens or auth.existingSecret: the port asks for a token" -}}
{{- end -}}
{{- if and .Values.httpRoute.enabled (not (include "semlayer.secured" .)) -}}
{{- fail "an HTTPRoute without auth.tokens or auth.existingSecret would open the data to whoever reaches it" -}}
{{- end -}}
{{- if and .Values.httpRoute.enabled (not .Values.httpRoute.parentRefs) -}}
{{- fail "an HTTPRoute needs httpRoute.parentRefs, the gateways that it belongs to" -}}
{{- end -}}
{{- if and (or .Values.service.loadBalancerIP .Values.service.loadBalancerClass .Values.service.loadBalancerSourceRanges) (ne .Values.service.type "LoadBalancer") -}}
{{- fail "service.loadBalancerIP, loadBalancerClass and loadBalancerSourceRanges need service.type LoadBalancer" -}}
{{- end -}}
{{- if and (or .Values.service.nodePort .Values.service.postgresNodePort) (eq .Values.service.type "ClusterIP") -}}
{{- fail "service.nodePort and postgresNodePort need service.type NodePort or LoadBalancer" -}}
{{- end -}}
{{- if and .Values.podDisruptionBudget.minAvailable .Values.podDisruptionBudget.maxUnavailable -}}
{{- fail "set podDisruptionBudget.maxUnavailable to null where podDisruptionBudget.minAvailable is set: a budget has one of them" -}}
{{- end -}}
{{- if and .Values.ingress.enabled (not .Values.ingress.hosts) -}}
{{- fail "an ingress needs ingress.hosts" -}}
{{- end -}}
{{- if and .Values.autoscaling.enabled (not .Values.autoscaling.metrics) (not (dig "requests" "cpu" "" .Values.resources)) -}}
{{- fail "autoscaling by CPU needs resources.requests.cpu" -}}
{{- end -}}
{{- if and .Values.fullnameOverride (not (regexMatch "^[a-z]" .Values.fullnameOverride)) -}}
{{- fail "fullnameOverride must begin with a lower-case letter, as the name of a Service does" -}}
{{- end -}}
{{- range $key, $value := .Values.podLabels -}}
{{- if hasKey (include "semlayer.selector" $ | fromYaml) $key -}}
{{- fail (printf "podLabels must not set %s, by which the Deployment selects its pods" $key) -}}
{{- end -}}
{{- end -}}
{{- range $key, $value := .Values.podAnnotations -}}
{{- if has $key (list "checksum/model" "checksum/connections" "checksum/settings") -}}
{{- fail (printf "podAnnotations must not set %s, which the chart sets" $key) -}}
{{- end -}}
{{- end -}}
{{- if gt (int .Values.autoscaling.minReplicas) (int .Values.autoscaling.maxReplicas) -}}
{{- fail "autoscaling.minReplicas is above autoscaling.maxReplicas" -}}
{{- end -}}
{{- end -}}

{{/* Long enough for the longest request: the grace of the service itself is its budget and five seconds. */}}
{{- define "semlayer.grace" -}}
{{- add .Values.preStopSeconds (max (int .Values.config.executeTimeoutSecs) (int .Values.config.requestTimeoutSecs)) 15 -}}
{{- end -}}

{{/*
The bytes of a quantity, as a number with a fraction; empty without one. A quantity is a number with a unit or with
an exponent; a number of the values file may come as either.
*/}}
{{- define "semlayer.bytes" -}}
{{- $units := dict "m" 0.001 "" 1.0 "k" 1e3 "M" 1e6 "G" 1e9 "T" 1e12 "P" 1e15 "E" 1e18 "Ki" 1024.0 "Mi" 1048576.0 "Gi" 1073741824.0 "Ti" 1099511627776.0 "Pi" 1125899906842624.0 "Ei" 1152921504606846976.0 -}}
{{- $quantity := . | default "" | toString -}}
{{- if $quantity -}}
{{- $unit := "" -}}
{{- if not (regexMatch "[eE][+-]?[0-9]+$" $quantity) -}}
{{- $unit = regexFind "[A-Za-z]*$" $quantity -}}
{{- end -}}
{{- mulf (trimSuffix $unit $quantity | float64) (get $units $unit) | floor | int64 -}}
{{- end -}}
{{- end -}}

{{/* The limit of memory in bytes; empty without one. */}}
{{- define "semlayer.memoryBytes" -}}
{{- include "semlayer.bytes" (dig "limits" "memory" "" .Values.resources) -}}
{{- end -}}

{{/*
Three quarters of the memory for Go, in bytes; empty without a limit of memory. The rest is for the DuckDB databases,
which allocate outside of it, and for the program.
*/}}
{{- define "semlayer.goMemLimit" -}}
{{- with include "semlayer.memoryBytes" . -}}
{{- mulf (float64 .) 0.75 | floor | int64 -}}
{{- end -}}
{{- end -}}

{{/* The memory of the process in MiB; empty without a limit of memory, or with one below the least that the server divides. */}}
{{- define "semlayer.memoryMiB" -}}
{{- with include "semlayer.memoryBytes" . -}}
{{- $mib := divf (float64 .) 1048576.0 | floor | int64 -}}
{{- if ge $mib 256 }}{{ $mib }}{{ end -}}
{{- end -}}
{{- end -}}

{{/* Seven eighths of the volume for temporary files, in MiB: the rest is for others than DuckDB. */}}
{{- define "semlayer.spillMiB" -}}
{{- with include "semlayer.bytes" .Values.tmp.sizeLimit -}}
{{- max 1 (divf (mulf (float64 .) 0.875) 1048576.0 | floor | int64) -}}
{{- end -}}
{{- end -}}

{{/*
The number of pods in the Deployment. With autoscaling the autoscaler owns it: the field is left out,
unless a Deployment exists. To take the field away from one would set it to 1, so that an upgrade
keeps the number that the cluster has. Rendering without a cluster finds none.
*/}}
{{- define "semlayer.replicas" -}}
{{- if not .Values.autoscaling.enabled -}}
{{ int64 .Values.replicaCount }}
{{- else -}}
{{- $live := lookup "apps/v1" "Deployment" .Release.Namespace (include "semlayer.fullname" .) -}}
{{- if $live -}}
{{ max (int64 (dig "spec" "replicas" 1 $live)) (int64 .Values.autoscaling.minReplicas) }}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* How many pods there are at least. */}}
{{- define "semlayer.least" -}}
{{- ternary .Values.autoscaling.minReplicas .Values.replicaCount .Values.autoscaling.enabled -}}
{{- end -}}

{{/* The folder of the model in the volume, as the server sees it. */}}
{{- define "semlayer.modelFolder" -}}
/etc/semlayer/model{{ if .Values.model.git.repository }}/current{{ end }}
{{- end -}}

{{/* The container that keeps the volume at the newest commit. The server starts when the first one is there. */}}
{{- define "semlayer.gitSync" -}}
- name: git-sync
  image: {{ .Values.model.git.image | quote }}
  restartPolicy: Always
  args:
    - {{ printf "--repo=%s" .Values.model.git.repository | quote }}
    - {{ printf "--ref=%s" .Values.model.git.ref | quote }}
    - --root=/git
    - --link=current
    - {{ printf "--period=%s" .Values.model.git.period | quote }}
    - --http-bind=:8085
  env:
    - name: HOME
      value: /tmp
    {{- with .Values.model.git.existingSecret }}
    {{- range $name := list "username" "password" }}
    - name: GITSYNC_{{ upper $name }}
      valueFrom:
        secretKeyRef:
          name: {{ $.Values.model.git.existingSecret | quote }}
          key: {{ $name }}
    {{- end }}
    {{- end }}
  startupProbe:
    httpGet: {path: /, port: 8085}
    periodSeconds: 1
    failureThreshold: 120
  resources: {{- toYaml .Values.model.git.resources | nindent 4 }}
  {{- with .Values.containerSecurityContext }}
  securityContext: {{- toYaml . | nindent 4 }}
  {{- end }}
  volumeMounts:
    - name: model
      mountPath: /git
    - name: tmp
      mountPath: /tmp
{{- end -}}

{{/* The volume with the model, or with the models. */}}
{{- define "semlayer.modelVolume" -}}
{{- if .Values.model.existingClaim -}}
persistentVolumeClaim:
  claimName: {{ .Values.model.existingClaim | quote }}
  readOnly: true
{{- else if .Values.model.git.repository -}}
emptyDir: {}
{{- else if .Values.model.oci.reference -}}
image:
  reference: {{ .Values.model.oci.reference | quote }}
  pullPolicy: {{ .Values.model.oci.pullPolicy }}
{{- else if .Values.model.existingConfigMaps -}}
projected:
  sources:
    {{- range .Values.model.existingConfigMaps }}
    - configMap:
        name: {{ . | quote }}
    {{- end }}
{{- else -}}
configMap:
  name: {{ default (printf "%s-model" (include "semlayer.fullname" .)) .Values.model.existingConfigMap | quote }}
{{- end -}}
{{- end -}}

{{/* The volume with the files of local rollups, of the server and of the CronJob. */}}
{{- define "semlayer.rollupsVolume" -}}
- name: rollups
  persistentVolumeClaim:
    claimName: {{ .Values.rollups.existingClaim | quote }}
{{- end }}
