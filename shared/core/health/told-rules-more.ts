import { when, words, type Told } from './told.ts'

/** The rest of the table in `told-rules.ts`: smaller kinds and those of one vendor. */
export const MORE_RULES: readonly Told[] = [
  {
    kinds: ['rabbitmq.com/Binding,Exchange,Permission,Policy,Queue,Shovel,User,Vhost'],
    steps: [
      when('Ready=True', 'Healthy', 'SuccessfulCreateOrUpdate'),
      when('Ready=False', 'Degraded', 'FailedCreateOrUpdate'),
    ],
    otherwise: 'Unknown',
  },
  {
    kinds: ['addons.cluster.x-k8s.io/ClusterResourceSet'],
    steps: [when('ResourcesApplied=True', 'Healthy'), when('ResourcesApplied=False', 'Degraded')],
    otherwise: 'Progressing',
  },
  {
    kinds: ['argocd-image-updater.argoproj.io/ImageUpdater'],
    observed: true,
    steps: [
      when('Error=True', 'Degraded'),
      when('Reconciling=True', 'Progressing'),
      when('Ready=True', 'Healthy'),
      when('Ready=False', 'Degraded'),
    ],
    otherwise: 'Progressing',
  },
  {
    kinds: ['beat.k8s.elastic.co/Beat'],
    steps: [words('status.health', { red: 'Degraded', green: 'Healthy', yellow: 'Progressing' })],
    otherwise: 'Unknown',
  },
  {
    kinds: ['platform.confluent.io/Kafka,Connect,ControlCenter,KafkaRestProxy,Ksqldb,SchemaRegistry,Zookeeper'],
    steps: [words('status.phase', { RUNNING: 'Healthy' })],
    otherwise: 'Progressing',
  },
  {
    kinds: ['postgresql.cnpg.io/Backup'],
    steps: [
      words('status.phase', {
        completed: 'Healthy',
        failed: 'Degraded',
        walArchivingFailing: 'Degraded',
        'invalid backup definition': 'Degraded',
      }),
    ],
    otherwise: 'Progressing',
  },
  {
    kinds: ['astra.netapp.io/Backup,ResourceBackup,ResticVolumeBackup'],
    steps: [words('status.state', { Completed: 'Healthy', Running: 'Progressing' }, 'Degraded')],
    otherwise: 'Progressing',
  },
]
