import process from 'node:process'
import { openEmbedded } from './embedded.ts'

// The embedded cluster as a background process of its own: `embedded-main FOLDER PORT`, until it is told to stop.

const [folder = '', port = '0'] = process.argv.slice(2)
const cluster = await openEmbedded(folder, { daemon: true, port: Number(port) })
// Somebody else was quicker: there is nothing left to do.
if (!cluster.started) process.exit(0)
for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.on(signal, () => void cluster.dispose().then(() => process.exit(0)))
}
