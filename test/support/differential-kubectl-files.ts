const deployment = (image: string, replicas: number): string => `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
  namespace: kc
  labels: {app: web}
spec:
  replicas: ${replicas}
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
      - name: web
        image: ${image}
        ports: [{containerPort: 80}]
        env: [{name: A, value: "1"}]
        resources: {requests: {cpu: 100m, memory: 64Mi}}
        readinessProbe: {httpGet: {path: /, port: 80}}
`

const config = (name: string, value: string): string => `apiVersion: v1
kind: ConfigMap
metadata: {name: ${name}, namespace: kc, labels: {set: pruned}}
data: {key: ${value}}
`

/** Everything that the calls below read with `-f`. */
export const kubectlFiles: Readonly<Record<string, string>> = {
  'all.yaml': `${deployment('nginx:1.27', 2)}---
apiVersion: v1
kind: Service
metadata: {name: web, namespace: kc, labels: {app: web}}
spec: {selector: {app: web}, ports: [{name: http, port: 80, targetPort: 80}]}
---
${config('settings', 'one')}`,
  'all-2.yaml': `${deployment('nginx:1.28', 3)}---
${config('settings', 'two')}`,
  'only-one.yaml': config('kept', 'x'),
  'two.yaml': `${config('kept', 'x')}---\n${config('gone', 'y')}`,
  'bad.yaml': deployment('nginx:1.27', 2).replace('replicas: 2', 'replicaz: 2'),
  'worse.yaml': deployment('nginx:1.27', 2).replace('replicas: 2', 'replicas: many'),
  'replace.yaml': `apiVersion: v1
kind: ConfigMap
metadata: {name: settings, namespace: kc}
data: {key: replaced}
`,
  'kinds.yaml': `apiVersion: v1
kind: Secret
metadata: {name: pw, namespace: kc}
stringData: {pw: hunter2}
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: data, namespace: kc}
spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: {name: ing, namespace: kc}
spec: {rules: [{host: a.example, http: {paths: [{path: /, pathType: Prefix, backend: {service: {name: web, port: {number: 80}}}}]}}]}
---
apiVersion: batch/v1
kind: CronJob
metadata: {name: cj, namespace: kc}
spec: {schedule: "*/5 * * * *", jobTemplate: {spec: {template: {spec: {restartPolicy: Never, containers: [{name: c, image: busybox}]}}}}}
---
apiVersion: batch/v1
kind: Job
metadata: {name: job, namespace: kc}
spec: {template: {spec: {restartPolicy: Never, containers: [{name: c, image: busybox}]}}}
---
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: db, namespace: kc}
spec: {serviceName: db, selector: {matchLabels: {app: db}}, template: {metadata: {labels: {app: db}}, spec: {containers: [{name: db, image: db:1}]}}}
---
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: agent, namespace: kc}
spec: {selector: {matchLabels: {app: agent}}, template: {metadata: {labels: {app: agent}}, spec: {containers: [{name: a, image: a:1}]}}}
---
apiVersion: v1
kind: Pod
metadata: {name: solo, namespace: kc, labels: {app: solo}}
spec: {containers: [{name: c, image: busybox, args: [sleep, "1"]}]}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: {name: reader, namespace: kc}
rules: [{apiGroups: [""], resources: [pods], verbs: [get, list]}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: readers, namespace: kc}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: reader}
subjects: [{kind: ServiceAccount, name: default, namespace: kc}]
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: pdb, namespace: kc}
spec: {minAvailable: 1, selector: {matchLabels: {app: web}}}
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: hpa, namespace: kc}
spec: {maxReplicas: 5, scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}, metrics: [{type: Resource, resource: {name: cpu, target: {type: Utilization, averageUtilization: 70}}}]}
---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: np, namespace: kc}
spec: {podSelector: {matchLabels: {app: web}}, ingress: [{ports: [{port: 80}]}]}
---
apiVersion: v1
kind: Event
metadata: {name: ev.1, namespace: kc}
involvedObject: {apiVersion: v1, kind: Pod, name: solo, namespace: kc}
reason: Testing
message: an event by hand
type: Normal
count: 3
firstTimestamp: "2026-01-01T00:00:00Z"
lastTimestamp: "2026-01-01T00:00:00Z"
source: {component: by-hand}
`,
  'crd.yaml': `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.kc.example.com}
spec:
  group: kc.example.com
  scope: Namespaced
  names: {plural: widgets, singular: widget, kind: Widget, shortNames: [wd], categories: [all]}
  versions:
  - name: v1
    served: true
    storage: true
    subresources: {status: {}, scale: {specReplicasPath: .spec.replicas, statusReplicasPath: .status.replicas}}
    additionalPrinterColumns: [{name: Size, type: string, jsonPath: .spec.size}]
    schema:
      openAPIV3Schema:
        type: object
        description: A widget of the test.
        properties:
          spec: {type: object, description: What is wanted., required: [size], properties: {size: {type: string, enum: [s, m], description: How large.}, replicas: {type: integer, default: 1}, tags: {type: array, items: {type: string}}}}
          status: {type: object, properties: {replicas: {type: integer}}}
`,
  'widget.yaml': `apiVersion: kc.example.com/v1
kind: Widget
metadata: {name: w, namespace: kc}
spec: {size: s}
`,
  'edit.sh': `#!/bin/sh\nsed -i 's/key: .*/key: edited/' "$1"\n`,
  'edit-nothing.sh': '#!/bin/sh\ntrue\n',
}
