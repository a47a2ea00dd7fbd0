import assert from 'node:assert/strict'
import { readFileSync, readdirSync } from 'node:fs'
import { test } from 'node:test'
import { ApiServer } from '../../../../shared/simulator/api-server.ts'
import { bootstrap } from '../../../../shared/simulator/bootstrap.ts'
import type { Conversation } from '../../../support/conversation.ts'
import { differences } from '../../../support/conversation.ts'

// Conversations that we recorded from kube-apiserver v1.36.2 (etcd 3.6, RBAC on, ServiceAccount admission off).
const folder = new URL('../../../fixtures/apiserver-facts/', import.meta.url)

for (const file of readdirSync(folder).filter((name) => name.endsWith('.json'))) {
  const conversation = JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as Conversation
  test(`answers as kube-apiserver did: ${conversation.about}`, async () => {
    const server = new ApiServer()
    bootstrap(server)
    const found = await differences(server, conversation)
    assert.equal(
      found.length,
      0,
      `${found.length} of ${conversation.steps.length} differ\n${found.slice(0, 5).join('\n')}`,
    )
  })
}
