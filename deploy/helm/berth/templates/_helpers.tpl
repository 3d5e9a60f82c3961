{{- define "berth.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 63 | trimSuffix "-" -}}
{{- end -}}

{{/* The name of everything; leaves room for "-internal". */}}
{{- define "berth.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 54 | trimSuffix "-" -}}
{{- else if contains (include "berth.name" .) .Release.Name -}}
{{- .Release.Name | trunc 54 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name (include "berth.name" .) | trunc 54 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- define "berth.selectorLabels" -}}
app.kubernetes.io/name: {{ include "berth.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "berth.labels" -}}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{ include "berth.selectorLabels" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end -}}

{{- define "berth.serviceAccountName" -}}
{{- if .Values.serviceAccount.create -}}
{{- default (include "berth.fullname" .) .Values.serviceAccount.name -}}
{{- else -}}
{{- default "default" .Values.serviceAccount.name -}}
{{- end -}}
{{- end -}}

{{/* "true" when replicas share a database; empty when one process keeps its entries in SQLite. */}}
{{- define "berth.usesDatabase" -}}
{{- if .Values.config.database -}}true{{- end -}}
{{- end -}}

{{/* "true" when published entries live on a volume of this release. */}}
{{- define "berth.usesVolume" -}}
{{- if and (not .Values.config.database) .Values.persistence.enabled -}}true{{- end -}}
{{- end -}}

{{/* What would start and then not work. */}}
{{- define "berth.check" -}}
{{- if not .Values.config.auth -}}
{{- fail "config.auth is not set: name an identity provider (mode: oauth), or mode: anonymous to try things out" -}}
{{- end -}}
{{- if not .Values.config.database -}}
{{- if .Values.autoscaling.enabled -}}
{{- fail "autoscaling needs config.database: SQLite serves one process" -}}
{{- end -}}
{{- if gt (int .Values.replicaCount) 1 -}}
{{- fail "replicaCount over 1 needs config.database: SQLite serves one process" -}}
{{- end -}}
{{- end -}}
{{- if hasKey .Values.config "dataDir" -}}
{{- fail "config.dataDir is set by the chart; leave it out" -}}
{{- end -}}
{{- end -}}
