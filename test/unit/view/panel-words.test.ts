import assert from 'node:assert/strict'
import test from 'node:test'
import type { ApplicationSource } from '../../../shared/model/application.ts'
import type { FieldDrift, FieldDriftKind } from '../../../shared/model/drift.ts'
import { historyDetailRows } from '../../../shared/view/history-details.ts'
import {
  kubectlWords,
  noteWords,
  operationWords,
  repositoryName,
  sourceWords,
} from '../../../shared/view/panel-words.ts'
import { summaryOf, unknownSummary } from '../../../shared/view/application-summary.ts'
import { summaryRow } from '../../../shared/view/application-row.ts'
import { snapshotOf } from '../../support/ui/fixtures.ts'

test('a repository is called by its last part', () => {
  check('.', 'this repository')
  check('', 'this repository')
  check('https://git.example.com/team/infra.git', 'infra.git')
  check('https://git.example.com/team/infra/', 'infra')
  check('git@github.com:team/infra', 'infra')
  check('/srv/git/infra', 'infra')
})

function check(url: string, name: string): void {
  assert.equal(repositoryName(url), name)
}

test('a source is its repository and its path or chart, and more are counted', () => {
  const source: ApplicationSource = { repoURL: 'https://example.com/infra', targetRevision: 'main', path: 'shop' }
  const chart: ApplicationSource = { ...source, path: '', chart: 'redis' }
  assert.equal(sourceWords([source]), 'infra · shop')
  assert.equal(sourceWords([chart, source, source]), 'infra · chart redis and 2 more sources')
  assert.equal(sourceWords([{ ...source, path: '' }]), 'infra · .')
  assert.equal(sourceWords([]), 'no source')
})

test('what is folded is counted by why it is no drift', () => {
  assert.equal(
    noteWords([note('controller-owned'), note('defaulted'), note('controller-owned')]),
    '2 fields set by controllers, 1 field filled in by the server',
  )
  assert.equal(noteWords([]), '')
})

test('a kubectl command quotes what a shell would read', () => {
  const id = { group: 'apps', kind: 'Deployment', namespace: 'shop', name: 'web' }
  assert.equal(
    kubectlWords(id, 'kind-dev'),
    'kubectl --context kind-dev --namespace shop get deployment.apps web -o yaml',
  )
  assert.equal(
    kubectlWords({ group: '', kind: 'Namespace', namespace: '', name: "a'; rm -rf ~" }, 'my $(context)'),
    String.raw`kubectl --context 'my $(context)' get namespace 'a'\''; rm -rf ~' -o yaml`,
  )
})

test('the last operation says what it did, when and by whom', () => {
  const shop = snapshotOf('shop')
  const at = Date.parse(shop.operation?.finishedAt ?? '') + 180_000
  assert.match(operationWords(shop, at), /^Succeeded: created 4(?: in .* s)?, 3 min ago by ada$/)
  assert.equal(operationWords({}, at), '')
})

test('an entry of the history says why it cannot be gone back to', () => {
  const shop = snapshotOf('shop')
  const [entry] = shop.history
  assert.ok(entry !== undefined)
  const history = [entry, { ...entry, id: 1, revision: 'WORKTREE', revisions: ['WORKTREE'] }, { ...entry, id: 2 }]
  const details = [{ entry, subject: 'Open the shop', author: 'Ada' }]
  const rows = historyDetailRows({ ...shop, history }, details)
  assert.deepEqual(
    rows.map(({ id, current, subject, obstacle }) => [id, current, subject, obstacle]),
    [
      [2, true, '', 'this is what is deployed'],
      [1, false, '', 'it was synced from files on disk, which no commit has'],
      [0, false, 'Open the shop', ''],
    ],
  )
  const automated = { enabled: true, prune: false, selfHeal: false, allowEmpty: false }
  const application = { ...shop.application, syncPolicy: { ...shop.application.syncPolicy, automated } }
  const [, , first] = historyDetailRows({ history, application }, [])
  assert.equal(first?.obstacle, 'it is synced automatically, and would be synced forward again')
})

test('a summary says of an application what its snapshot says', () => {
  const { counts, resources, sync, destinationNamespace } = summaryOf(snapshotOf('shop'))
  assert.deepEqual(
    [counts, resources, sync, destinationNamespace],
    [{ drifted: 2, missing: 0, extra: 0, unknown: 0 }, 3, 'OutOfSync', 'shop'],
  )
  assert.equal(summaryRow(summaryOf(snapshotOf('board'))).summary, 'OutOfSync · Missing · 1 missing')
})

test('an application that was not compared yet has no time of it', () => {
  const { observedAt, sync } = unknownSummary({ name: 'shop', project: 'default', context: 'kind-dev' })
  assert.deepEqual([observedAt, sync], ['', 'Unknown'])
})

function note(kind: FieldDriftKind): FieldDrift {
  return { path: '/spec/replicas', kind, desired: { kind: 'absent' }, live: { kind: 'absent' } }
}
