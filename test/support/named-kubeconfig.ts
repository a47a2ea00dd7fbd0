import { readFile, writeFile } from 'node:fs/promises'

/** The kubeconfig of an embedded server under another name, written where a test's own kubeconfig is read. */
export async function writeNamedKubeconfig(from: string, to: string, name: string): Promise<void> {
  const text = await readFile(from, 'utf8')
  await writeFile(to, text.replaceAll(/\bembedded\b/g, name), { mode: 0o600 })
}
