{{- define "trellis.name" -}}
{{- .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- end -}}

{{- define "trellis.labels" -}}
app.kubernetes.io/name: trellis
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end -}}

{{- define "trellis.selector" -}}
app.kubernetes.io/name: trellis
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/component: service
{{- end -}}

{{- define "trellis.workerSelector" -}}
app.kubernetes.io/name: trellis
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/component: worker
{{- end -}}

{{- define "trellis.podSecurity" -}}
runAsNonRoot: true
runAsUser: 10001
runAsGroup: 10001
fsGroup: 10001
seccompProfile:
  type: RuntimeDefault
{{- end -}}

{{- define "trellis.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end -}}

{{- define "trellis.environment" -}}
{{- range .Values.secretVariables }}
- name: {{ . }}
  valueFrom:
    secretKeyRef: {name: {{ $.Values.secret }}, key: {{ . }}}
{{- end }}
{{- range .Values.optionalSecretVariables }}
- name: {{ . }}
  valueFrom:
    secretKeyRef: {name: {{ $.Values.secret }}, key: {{ . }}, optional: true}
{{- end }}
{{- end -}}

{{- define "trellis.mounts" -}}
- {name: data, mountPath: /data}
- {name: temporary, mountPath: /tmp}
{{- if .Values.graphsFile }}
- {name: settings, mountPath: /etc/trellis, readOnly: true}
{{- end }}
{{- if .Values.modelsClaim }}
- {name: models, mountPath: /models, readOnly: true}
{{- end }}
{{- end -}}
