{{- define "semlayer.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 63 | trimSuffix "-" -}}
{{- end -}}

{{- define "semlayer.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 52 | trimSuffix "-" -}}
{{- else if contains (include "semlayer.name" .) .Release.Name -}}
{{- .Release.Name | trunc 52 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name (include "semlayer.name" .) | trunc 52 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{/* What the Service, the policies and the Deployment select: the servers, and not the pod of helm test. */}}
{{- define "semlayer.selector" -}}
app.kubernetes.io/name: {{ include "semlayer.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/component: server
{{- end -}}

{{- define "semlayer.testSelector" -}}
app.kubernetes.io/name: {{ include "semlayer.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
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

{{/* What can be said twice must be said once. */}}
{{- define "semlayer.check" -}}
{{- $models := 0 -}}
{{- range list .Values.model.inline .Values.model.existingConfigMap .Values.model.existingClaim -}}
{{- if . }}{{- $models = add1 $models }}{{- end -}}
{{- end -}}
{{- if ne (int $models) 1 -}}
{{- fail "set exactly one of model.inline, model.existingConfigMap and model.existingClaim" -}}
{{- end -}}
{{- if and (contains "/" .Values.model.key) (not .Values.model.existingClaim) -}}
{{- fail "model.key is a path only with model.existingClaim; in a ConfigMap it is a name" -}}
{{- end -}}
{{- if and .Values.connections.inline .Values.connections.existingSecret -}}
{{- fail "set one of connections.inline and connections.existingSecret, not both" -}}
{{- end -}}
{{- if and .Values.auth.tokens .Values.auth.existingSecret -}}
{{- fail "set one of auth.tokens and auth.existingSecret, not both" -}}
{{- end -}}
{{- if and .Values.ingress.enabled (not (include "semlayer.authSecret" .)) -}}
{{- fail "an ingress without auth.tokens or auth.existingSecret would open the data to whoever reaches it" -}}
{{- end -}}
{{- if and (ne .Values.service.type "ClusterIP") (not (include "semlayer.authSecret" .)) -}}
{{- fail (printf "a service of type %s without auth.tokens or auth.existingSecret would open the data to whoever reaches the nodes" .Values.service.type) -}}
{{- end -}}
{{- if and .Values.ingress.enabled (not .Values.ingress.hosts) -}}
{{- fail "an ingress needs ingress.hosts" -}}
{{- end -}}
{{- if and .Values.autoscaling.enabled (not (dig "requests" "cpu" "" .Values.resources)) -}}
{{- fail "autoscaling by CPU needs resources.requests.cpu" -}}
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
Three quarters of the memory for Go, in bytes. The rest is for the embedded database,
which allocates outside of it.
*/}}
{{- define "semlayer.goMemLimit" -}}
{{- $units := dict "" 1 "k" 1000 "M" 1000000 "G" 1000000000 "Ki" 1024 "Mi" 1048576 "Gi" 1073741824 -}}
{{- $memory := .Values.resources.limits.memory -}}
{{- div (mul (regexFind "^[0-9]+" $memory | int64) (get $units (regexFind "[A-Za-z]*$" $memory) | int64) 3) 4 -}}
{{- end -}}

{{/* How many pods there are at least. */}}
{{- define "semlayer.least" -}}
{{- ternary .Values.autoscaling.minReplicas .Values.replicaCount .Values.autoscaling.enabled -}}
{{- end -}}
