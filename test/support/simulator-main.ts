// Starts the embedded API server on its own: node test/support/simulator-main.ts [--port N] [--token T] [--data DIR]
// [--no-controllers] [--rbac] [--write-kubeconfig FILE]. Prints `ready URL` and serves until it is told to end.
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { keepYoungHeapSmall } from '../../shared/base/young-heap.ts'
import { startServer } from '../../shared/simulator/server.ts'

const { values } = parseArgs({
  options: {
    port: { type: 'string' },
    token: { type: 'string' },
    data: { type: 'string' },
    'no-controllers': { type: 'boolean' },
    rbac: { type: 'boolean' },
    'write-kubeconfig': { type: 'string' },
  },
})
// As `plumbline api` does.
keepYoungHeapSmall()
const server = await startServer({
  port: Number(values.port ?? 0),
  ...(values.token === undefined ? {} : { token: values.token }),
  ...(values.data === undefined ? {} : { dataDir: values.data }),
  controllers: values['no-controllers'] !== true,
  rbac: values.rbac === true,
  onError: (error) => console.error(error),
})
if (values['write-kubeconfig'] !== undefined) {
  writeFileSync(values['write-kubeconfig'], server.kubeconfig(), { mode: 0o600 })
}
console.log(`ready ${server.url}`)
for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.on(signal, () => void server.close().then(() => process.exit(0)))
}
