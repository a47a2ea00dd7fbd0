import { MORE_RULES } from './told-rules-more.ts'
import { byKind, when, words, type Told } from './told.ts'

const READY = [when('Ready=False', 'Degraded'), when('Ready=True', 'Healthy')]
const ACME = words('status.state', { valid: 'Healthy', invalid: 'Degraded', expired: 'Degraded', errored: 'Degraded' })
const AVAILABLE = [
  when('Available=True', 'Healthy'),
  when('Available=*', 'Progressing', 'SomePodsNotReady'),
  when('Available=*', 'Degraded'),
]

/**
 * Kinds that Argo CD judges by a script of its own (`resource_customizations/GROUP/KIND/health.lua`), where conditions or a
 * word of the status say it all. Kinds that need more have a file of their own.
 */
const RULES: readonly Told[] = [
  {
    kinds: [
      'cert-manager.io/Issuer,ClusterIssuer',
      'external-secrets.io/ExternalSecret,SecretStore,ClusterSecretStore,PushSecret',
      'camel.apache.org/Integration',
      'kyverno.io/ClusterPolicy,Policy',
    ],
    steps: READY,
    otherwise: 'Progressing',
  },
  {
    kinds: ['cert-manager.io/Certificate'],
    steps: [when('Issuing=True', 'Progressing'), ...READY],
    otherwise: 'Progressing',
  },
  {
    kinds: ['cert-manager.io/CertificateRequest'],
    steps: [
      when('Denied=True', 'Degraded'),
      when('InvalidRequest=True', 'Degraded'),
      when('Ready=True', 'Healthy'),
      when('Ready=*', 'Progressing', 'Pending'),
      when('Ready=*', 'Degraded'),
    ],
    otherwise: 'Progressing',
  },
  { kinds: ['acme.cert-manager.io/Order,Challenge'], steps: [ACME], otherwise: 'Progressing' },
  {
    kinds: ['keda.sh/ScaledObject'],
    steps: [
      when('Ready=False', 'Degraded'),
      when('Fallback=True', 'Degraded'),
      when('Paused=True', 'Suspended'),
      when('Ready=True', 'Healthy'),
    ],
    otherwise: 'Progressing',
  },
  {
    kinds: ['keda.sh/ScaledJob'],
    steps: [
      when('Ready=False', 'Degraded'),
      when('Ready=Unknown', 'Degraded'),
      when('Paused=True', 'Suspended'),
      when('Ready=True', 'Healthy'),
    ],
    otherwise: 'Progressing',
  },
  {
    kinds: ['kafka.strimzi.io/Kafka'],
    steps: [
      when('NotReady=True', 'Progressing', 'Creating'),
      when('NotReady=True', 'Degraded'),
      when('Ready=True', 'Healthy'),
    ],
    otherwise: 'Progressing',
  },
  {
    kinds: ['kafka.strimzi.io/KafkaTopic,KafkaUser,KafkaBridge,KafkaConnect,KafkaConnector'],
    steps: [when('NotReady=True', 'Degraded'), when('Ready=True', 'Healthy')],
    otherwise: 'Progressing',
  },
  {
    kinds: ['bitnami.com/SealedSecret'],
    steps: [when('Synced=False', 'Degraded'), when('Synced=True', 'Healthy')],
    otherwise: 'Progressing',
  },
  {
    kinds: ['argoproj.io/EventBus'],
    steps: [when('Deployed=False', 'Degraded'), when('Deployed=True', 'Healthy')],
    otherwise: 'Progressing',
  },
  {
    kinds: ['argoproj.io/ApplicationSet'],
    steps: [
      when('ErrorOccurred=True', 'Degraded'),
      when('ResourcesUpToDate=False', 'Degraded'),
      when('RolloutProgressing=True', 'Progressing'),
      when('ResourcesUpToDate=True', 'Healthy'),
    ],
    otherwise: 'Progressing',
  },
  {
    kinds: ['argoproj.io/AnalysisRun,Experiment'],
    steps: [
      words('status.phase', {
        Pending: 'Progressing',
        Running: 'Progressing',
        Successful: 'Healthy',
        Failed: 'Degraded',
        Error: 'Degraded',
        Inconclusive: 'Unknown',
      }),
    ],
    otherwise: 'Progressing',
  },
  {
    kinds: ['argoproj.io/CronWorkflow'],
    steps: [when('SpecError=True', 'Degraded'), when('SubmissionError=True', 'Degraded')],
    otherwise: 'Healthy',
  },
  {
    kinds: ['acid.zalan.do/postgresql'],
    steps: [
      words(
        'status.PostgresClusterStatus',
        { Running: 'Healthy', Creating: 'Progressing', Updating: 'Progressing' },
        'Degraded',
      ),
    ],
    otherwise: 'Progressing',
  },
  {
    kinds: ['cluster.x-k8s.io/Cluster'],
    paused: 'paused',
    steps: [when('Ready=False', 'Degraded'), words('status.phase', { Provisioned: 'Healthy', Failed: 'Degraded' })],
    otherwise: 'Progressing',
  },
  {
    kinds: ['cluster.x-k8s.io/Machine'],
    steps: [words('status.phase', { Running: 'Healthy', Failed: 'Degraded' })],
    otherwise: 'Progressing',
  },
  {
    kinds: ['cluster.x-k8s.io/MachinePool'],
    steps: [words('status.phase', { Running: 'Healthy', Scaling: 'Healthy', Failed: 'Degraded', Unknown: 'Degraded' })],
    otherwise: 'Progressing',
  },
  {
    kinds: ['projectcontour.io/HTTPProxy'],
    steps: [words('status.currentStatus', { valid: 'Healthy', invalid: 'Degraded' })],
    otherwise: 'Progressing',
  },
  { kinds: ['monitoring.coreos.com/Prometheus,Alertmanager,ThanosRuler'], steps: AVAILABLE, otherwise: 'Progressing' },
  {
    kinds: ['minio.min.io/Tenant'],
    steps: [
      words(
        'status.currentState',
        {
          Initialized: 'Healthy',
          'Provisioning*': 'Progressing',
          'Waiting*': 'Progressing',
          'Updating*': 'Progressing',
          'Statefulset not controlled by operator': 'Degraded',
          'Another MinIO Tenant already exists in the namespace': 'Degraded',
          'Different versions across MinIO Pools': 'Degraded',
        },
        'Unknown',
      ),
    ],
    otherwise: 'Missing',
  },
  {
    kinds: ['rabbitmq.com/RabbitmqCluster'],
    steps: [
      when('ReconcileSuccess=False', 'Degraded'),
      when('ClusterAvailable=Unknown', 'Progressing'),
      when('AllReplicasReady=Unknown', 'Progressing'),
      when('AllReplicasReady=False', 'Suspended', 'ScaledToZero'),
      when('ClusterAvailable=False', 'Progressing'),
      when('AllReplicasReady=False', 'Progressing'),
      when('AllReplicasReady=True', 'Healthy'),
    ],
    otherwise: 'Progressing',
  },
  {
    kinds: ['flagger.app/Canary'],
    steps: [
      words('status.phase', {
        Failed: 'Degraded',
        Progressing: 'Progressing',
        Finalising: 'Progressing',
        Promoting: 'Progressing',
        Succeeded: 'Healthy',
        Initialized: 'Healthy',
      }),
    ],
    otherwise: 'Unknown',
  },
  {
    kinds: ['autoscaling.k8s.io/VerticalPodAutoscaler'],
    steps: [when('NoPodsMatched=True', 'Degraded'), when('RecommendationProvided=True', 'Healthy')],
    otherwise: 'Progressing',
  },
  {
    kinds: ['flink.apache.org/FlinkDeployment'],
    steps: [
      words('status.reconciliationStatus.state', { DEPLOYED: 'Healthy' }),
      words('status.jobManagerDeploymentStatus', { ERROR: 'Degraded' }),
    ],
    otherwise: 'Progressing',
  },
  {
    kinds: ['kubevirt.io/VirtualMachineInstance'],
    steps: [
      words('status.phase', {
        Failed: 'Degraded',
        Pending: 'Progressing',
        Scheduling: 'Progressing',
        Scheduled: 'Progressing',
        Succeeded: 'Suspended',
        Unknown: 'Unknown',
      }),
      when('Paused=True', 'Suspended'),
      when('Ready=True', 'Healthy'),
      when('Ready=*', 'Degraded'),
    ],
    otherwise: 'Progressing',
  },
  {
    kinds: ['cdi.kubevirt.io/DataVolume'],
    steps: [
      words('status.phase', { Succeeded: 'Healthy', Paused: 'Suspended', Failed: 'Degraded', Unknown: 'Degraded' }),
      when('Running=False', 'Degraded', 'Error'),
    ],
    otherwise: 'Progressing',
  },
  {
    kinds: ['pxc.percona.com/PerconaXtraDBCluster'],
    steps: [
      words('status.state', {
        initializing: 'Progressing',
        ready: 'Healthy',
        paused: 'Unknown',
        stopping: 'Degraded',
        error: 'Degraded',
      }),
    ],
    otherwise: 'Unknown',
  },
  {
    kinds: ['psmdb.percona.com/PerconaServerMongoDB'],
    steps: [
      words('status.state', {
        initializing: 'Progressing',
        ready: 'Healthy',
        error: 'Degraded',
        stopping: 'Progressing',
        paused: 'Suspended',
      }),
    ],
    otherwise: 'Unknown',
  },
  {
    kinds: ['db.atlasgo.io/AtlasSchema,AtlasMigration'],
    steps: [
      when('Ready=True', 'Healthy'),
      when('Ready=*', 'Progressing', 'Reconciling'),
      when('Ready=*', 'Progressing', 'GettingDevDB'),
      when('Ready=*', 'Degraded'),
    ],
    otherwise: 'Progressing',
  },
  {
    kinds: ['k8s.keycloak.org/Keycloak'],
    steps: [when('Ready=True', 'Healthy'), when('HasErrors=True', 'Degraded')],
    otherwise: 'Progressing',
  },
  {
    kinds: ['grafana.integreatly.org/Grafana'],
    steps: [
      words('status.stageStatus', { failed: 'Degraded' }),
      words('status.stage', { complete: 'Healthy' }, 'Progressing'),
    ],
    otherwise: 'Progressing',
  },
  {
    kinds: [
      'capabilities.3scale.net/Backend,Product,ActiveDoc,Application,ApplicationAuth,CustomPolicyDefinition,DeveloperAccount',
    ],
    steps: [when('Synced=True', 'Healthy'), when('Invalid=True', 'Degraded'), when('Failed=True', 'Degraded')],
    otherwise: 'Progressing',
  },
  {
    kinds: [
      'apigee.cloud.google.com/ApigeeDatastore,ApigeeDeployment,ApigeeEnvironment,ApigeeOrganization,ApigeeRedis,ApigeeTelemetry',
    ],
    steps: [words('status.state', { running: 'Healthy' })],
    otherwise: 'Progressing',
  },
]

export const TOLD_RULES = byKind([...RULES, ...MORE_RULES])
