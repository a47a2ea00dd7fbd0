import type { Health } from '../../model/health.ts'
import type { KubeObject } from '../../model/kubernetes.ts'
import { cloudNativePostgresHealth } from './cloud-native-postgres.ts'
import { awsControllerHealth, configConnectorHealth, crossplaneHealth } from './clouds.ts'
import {
  elasticsearchHealth,
  knativeOperatorHealth,
  machineDeploymentHealth,
  managedCertificateHealth,
  mariaDbHealth,
  numaflowHealth,
  podDisruptionBudgetHealth,
  servingHealth,
  sparkApplicationHealth,
  virtualMachineHealth,
} from './counted.ts'
import { fluxImageHealth, fluxReadyHealth, fluxReleaseHealth, fluxSourceHealth } from './flux.ts'
import { backendPolicyHealth, gatewayClassHealth, gatewayHealth, routeHealth } from './gateway.ts'
import { deploymentConfigHealth, openshiftRouteHealth, subscriptionHealth } from './openshift.ts'
import { rolloutHealth } from './rollout.ts'
import {
  clusterExternalSecretHealth,
  cloudNativeDatabaseHealth,
  grafanaPartHealth,
  machineHealthCheckHealth,
  sapServiceHealth,
} from './small-rules.ts'
import { TOLD_RULES } from './told-rules.ts'

type Rule = (object: KubeObject) => Health

/** Kinds that Argo CD judges by scripts of its own (`resource_customizations`), `group|Kind`. */
const RULES: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  ...TOLD_RULES,
  ['argoproj.io|Rollout', rolloutHealth],
  ['spot.io|SpotDeployment', rolloutHealth],
  ['external-secrets.io|ClusterExternalSecret', clusterExternalSecretHealth],
  ['services.cloud.sap.com|ServiceBinding', sapServiceHealth],
  ['services.cloud.sap.com|ServiceInstance', sapServiceHealth],
  ['cluster.x-k8s.io|MachineHealthCheck', machineHealthCheckHealth],
  ['grafana.integreatly.org|GrafanaDashboard', grafanaPartHealth],
  ['grafana.integreatly.org|GrafanaDatasource', grafanaPartHealth],
  ['grafana.integreatly.org|GrafanaFolder', grafanaPartHealth],
  ['postgresql.cnpg.io|Database', cloudNativeDatabaseHealth],
  ['policy|PodDisruptionBudget', podDisruptionBudgetHealth],
  ['gateway.networking.k8s.io|Gateway', gatewayHealth],
  ['gateway.networking.k8s.io|GatewayClass', gatewayClassHealth],
  ['gateway.networking.k8s.io|ListenerSet', gatewayHealth],
  ['gateway.networking.k8s.io|HTTPRoute', routeHealth],
  ['gateway.networking.k8s.io|GRPCRoute', routeHealth],
  ['gateway.networking.k8s.io|TLSRoute', routeHealth],
  ['gateway.networking.k8s.io|BackendTLSPolicy', backendPolicyHealth],
  ['kustomize.toolkit.fluxcd.io|Kustomization', fluxReadyHealth],
  ['helm.toolkit.fluxcd.io|HelmRelease', fluxReleaseHealth],
  ['source.toolkit.fluxcd.io|GitRepository', fluxSourceHealth],
  ['source.toolkit.fluxcd.io|HelmRepository', fluxSourceHealth],
  ['source.toolkit.fluxcd.io|HelmChart', fluxSourceHealth],
  ['source.toolkit.fluxcd.io|OCIRepository', fluxSourceHealth],
  ['source.toolkit.fluxcd.io|Bucket', fluxSourceHealth],
  ['notification.toolkit.fluxcd.io|Receiver', fluxReadyHealth],
  ['image.toolkit.fluxcd.io|ImageRepository', fluxImageHealth],
  ['image.toolkit.fluxcd.io|ImagePolicy', fluxImageHealth],
  ['image.toolkit.fluxcd.io|ImageUpdateAutomation', fluxReadyHealth],
  ['route.openshift.io|Route', openshiftRouteHealth],
  ['apps.openshift.io|DeploymentConfig', deploymentConfigHealth],
  ['operators.coreos.com|Subscription', subscriptionHealth],
  ['serving.knative.dev|Service', servingHealth],
  ['serving.kserve.io|InferenceService', servingHealth],
  ['operator.knative.dev|KnativeServing', knativeOperatorHealth],
  ['operator.knative.dev|KnativeEventing', knativeOperatorHealth],
  ['k8s.mariadb.com|MariaDB', mariaDbHealth],
  ['k8s.mariadb.com|Database', mariaDbHealth],
  ['k8s.mariadb.com|User', mariaDbHealth],
  ['k8s.mariadb.com|Grant', mariaDbHealth],
  ['k8s.mariadb.com|Backup', mariaDbHealth],
  ['k8s.mariadb.com|SqlJob', mariaDbHealth],
  ['elasticsearch.k8s.elastic.co|Elasticsearch', elasticsearchHealth],
  ['postgresql.cnpg.io|Cluster', cloudNativePostgresHealth],
  ['kubevirt.io|VirtualMachine', virtualMachineHealth],
  ['networking.gke.io|ManagedCertificate', managedCertificateHealth],
  ['cluster.x-k8s.io|MachineDeployment', machineDeploymentHealth],
  ['sparkoperator.k8s.io|SparkApplication', sparkApplicationHealth],
  ['numaflow.numaproj.io|Pipeline', numaflowHealth],
  ['numaflow.numaproj.io|MonoVertex', numaflowHealth],
  ['numaflow.numaproj.io|Vertex', numaflowHealth],
  ['numaflow.numaproj.io|InterStepBufferService', numaflowHealth],
])

/** Groups of which every kind is judged alike; kinds with a rule of their own come first. */
const GROUPS: readonly (readonly [ending: string, rule: Rule])[] = [
  ['.crossplane.io', crossplaneHealth],
  ['.upbound.io', crossplaneHealth],
  ['.cnrm.cloud.google.com', configConnectorHealth],
  ['.services.k8s.aws', awsControllerHealth],
]

/** @param key of group and kind */
export function customRule(key: string, group: string): Rule | undefined {
  return RULES.get(key) ?? GROUPS.find(([ending]) => group.endsWith(ending))?.[1]
}
