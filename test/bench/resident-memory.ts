// Prints how many MB a process holds that watches one application: FOLDER KUBECONFIG.
import { setTimeout } from 'node:timers/promises'
import { Session } from '../../shared/session.ts'

const [, , workspace = '', kubeconfig = ''] = process.argv
const session = await Session.open({ workspace, kubeconfig, context: 'admin', watch: true, trusted: [] })
const [application] = (await session.applications()).applications
if (application === undefined) throw new Error('no application')
await session.look(application)
await setTimeout(3000)
await session.look(application)
console.log((process.memoryUsage().rss / 2 ** 20).toFixed(0))
await session.dispose()
