import type { ControlPlane } from '../support/control-plane.ts'

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

export function seconds(ms: number): string {
  return ms < 1000 ? `${ms.toFixed(1)} ms` : `${(ms / 1000).toFixed(2)} s`
}

/** How many requests about the benchmark's kinds the server has answered, by its own count, watches left out. */
export async function requestCounts(plane: ControlPlane): Promise<number> {
  const text = String((await plane.client.request('/metrics')).body)
  let sum = 0
  for (const line of text.split('\n')) {
    if (!line.startsWith('apiserver_request_total{') || line.includes('verb="WATCH"')) continue
    if (!/,resource="(configmaps|services|serviceaccounts|deployments)"/.test(line)) continue
    sum += Number(line.slice(line.lastIndexOf(' ') + 1))
  }
  return sum
}
