import { CronError, nextCronTime, parseCron } from '../kinds/cron-schedule.ts'
import { rfc3339 } from '../clock.ts'
import type { Json } from '../kinds/json.ts'
import { numberAt, objectAt, textAt, textMapAt } from '../kinds/json.ts'
import type { KubeObject } from '../object.ts'
import { privateCopy, sameJson } from '../object.ts'
import { conditionOf, timeMs } from './conditions.ts'
import type { Controller, Setting } from './controller.ts'
import { itsController, itself, splitKey } from './controller.ts'
import { HostError } from './host.ts'
import { isOver } from './job.ts'
import { byAge, controllerReference } from './ownership.ts'
import { isTerminating } from './pod-state.ts'
import { cronJobs, jobs } from './resources.ts'

/** CronJob, after `pkg/controller/cronjob`. */
export function cronJobController(setting: Setting): Controller {
  const { host, queue } = setting
  const name = 'cronjobs'
  return {
    name,
    watches: [
      [cronJobs, itself(queue, name)],
      [jobs, itsController(queue, name, 'CronJob')],
    ],
    reconcile(key) {
      const [namespace, object] = splitKey(key)
      const live = host.get(cronJobs, namespace, object)
      if (live && !isTerminating(live)) reconcile(setting, live, key)
    },
  }
}

function reconcile(setting: Setting, live: KubeObject, key: string): void {
  const { host } = setting
  const mine = host.index.controlled(live.metadata.uid ?? '', jobs).sort(byAge)
  const status: Json = { ...objectAt(live, 'status') }
  trim(setting, live, mine)
  const due = dueTime(setting, live, key)
  if (due !== undefined) run(setting, live, mine, due, status)
  const active = host.index.controlled(live.metadata.uid ?? '', jobs).filter((job) => !isOver(job))
  if (active.length > 0) status['active'] = active.sort(byAge).map(reference)
  else delete status['active']
  const finished = mine.flatMap((job) => textAt(objectAt(job, 'status'), 'completionTime') || [])
  if (finished.length > 0) status['lastSuccessfulTime'] = finished.toSorted().at(-1)
  if (!sameJson(status, objectAt(live, 'status') ?? {})) host.updateStatus(cronJobs, { ...live, status })
}

function reference(job: KubeObject): Json {
  const { name, namespace, uid, resourceVersion } = job.metadata
  return { apiVersion: 'batch/v1', kind: 'Job', name, namespace, uid, resourceVersion }
}

/** Keeps the newest jobs of each outcome. */
function trim({ host }: Setting, live: KubeObject, mine: readonly KubeObject[]): void {
  const spec = objectAt(live, 'spec')
  for (const [type, limit] of [
    ['Complete', numberAt(spec, 'successfulJobsHistoryLimit') ?? 3],
    ['Failed', numberAt(spec, 'failedJobsHistoryLimit') ?? 1],
  ] as const) {
    const over = mine.filter((job) => conditionOf(objectAt(job, 'status'), type)?.['status'] === 'True')
    for (const job of over.slice(0, Math.max(0, over.length - limit))) {
      host.delete(jobs, job, { propagationPolicy: 'Background' })
    }
  }
}

/** The scheduled time that has come and was not served yet; makes an appointment for the next. */
function dueTime({ host, queue }: Setting, live: KubeObject, key: string): number | undefined {
  const spec = objectAt(live, 'spec') ?? {}
  if (spec['suspend'] === true) return undefined
  const next = scheduler(spec)
  if (!next) return undefined
  const now = host.clock.now()
  const last = timeMs(objectAt(live, 'status')?.['lastScheduleTime']) || timeMs(live.metadata.creationTimestamp)
  const deadline = numberAt(spec, 'startingDeadlineSeconds')
  const earliest = deadline === undefined ? last : Math.max(last, now - deadline * 1000)
  let due: number | undefined
  let at = next(earliest)
  for (let i = 0; at !== undefined && at <= now && i < 1000; i++) {
    due = at
    at = next(at)
  }
  if (at !== undefined) queue.addAfter('cronjobs', key, Math.max(0, at - now) + 50)
  return due
}

/** Gives the next time after another one, in the time zone of the schedule. */
function scheduler(spec: Json): ((afterMs: number) => number | undefined) | undefined {
  const zone = textAt(spec, 'timeZone')
  try {
    const schedule = parseCron(textAt(spec, 'schedule'))
    return (afterMs) => {
      const offset = zone === '' ? 0 : offsetMs(zone, afterMs)
      const local = nextCronTime(schedule, afterMs + offset)
      return local === undefined ? undefined : local - (zone === '' ? 0 : offsetMs(zone, local - offset))
    }
  } catch (error) {
    if (CronError.is(error)) return undefined
    throw error
  }
}

/** How far a time zone is ahead of UTC at a time. */
function offsetMs(timeZone: string, atMs: number): number {
  const options = { timeZone, timeZoneName: 'longOffset' } as const
  const parts = new Intl.DateTimeFormat('en', options).formatToParts(atMs)
  const text = parts.find((part) => part.type === 'timeZoneName')?.value ?? ''
  const match = /([+-])(\d\d):(\d\d)/u.exec(text)
  if (!match) return 0
  return (match[1] === '-' ? -1 : 1) * (Number(match[2]) * 60 + Number(match[3])) * 60_000
}

function run(setting: Setting, live: KubeObject, mine: readonly KubeObject[], due: number, status: Json): void {
  const { host } = setting
  const spec = objectAt(live, 'spec') ?? {}
  const running = mine.filter((job) => !isOver(job) && !isTerminating(job))
  const policy = textAt(spec, 'concurrencyPolicy')
  if (policy === 'Forbid' && running.length > 0) return
  if (policy === 'Replace') {
    for (const job of running) host.delete(jobs, job, { propagationPolicy: 'Background' })
  }
  status['lastScheduleTime'] = rfc3339(due)
  const name = `${live.metadata.name ?? ''}-${Math.floor(due / 60_000)}`
  try {
    host.create(jobs, jobFrom(live, spec, name, due))
    host.event(live, 'Normal', 'SuccessfulCreate', `Created job ${name}`, 'cronjob-controller')
  } catch (error) {
    if (!HostError.is(error)) throw error
    if (error.reason === 'AlreadyExists') return
    host.event(live, 'Warning', 'FailedCreate', `Error creating job: ${error.message}`, 'cronjob-controller')
  }
}

function jobFrom(live: KubeObject, spec: Json, name: string, due: number): KubeObject {
  const template = objectAt(spec, 'jobTemplate') ?? {}
  const metadata = objectAt(template, 'metadata')
  const scheduled = { 'batch.kubernetes.io/cronjob-scheduled-timestamp': rfc3339(due) }
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: {
      name,
      namespace: live.metadata.namespace ?? '',
      labels: { ...textMapAt(metadata, 'labels') },
      annotations: { ...textMapAt(metadata, 'annotations'), ...scheduled },
      ownerReferences: [controllerReference(live)],
    },
    spec: privateCopy(objectAt(template, 'spec') ?? {}),
  }
}
