import { workspace } from 'vscode'

/** The settings as they are now; defaults stand in package.json. */
export const settings = {
  kubeconfig: (): string => text('kubeconfig'),
  applications: (): string => text('applications'),
  trustedManagers: (): readonly string[] => list('trustedManagers'),
  productionContexts: (): readonly string[] => list('productionContexts'),
  inlineDrift: (): boolean => flag('inlineDrift.enabled'),
  lineEnd: (): boolean => flag('inlineDrift.lineEnd'),
  codeLens: (): boolean => flag('codeLens.enabled'),
  pendingEdits: (): boolean => flag('pendingEdits.enabled'),
  groupBy: (): 'none' | 'project' | 'cluster' | 'state' => {
    const value = text('groupBy')
    return value === 'project' || value === 'cluster' || value === 'state' ? value : 'none'
  },
} as const

function text(name: string): string {
  return workspace.getConfiguration('plumbline').get<string>(name, '')
}

function list(name: string): readonly string[] {
  return workspace.getConfiguration('plumbline').get<readonly string[]>(name, [])
}

function flag(name: string): boolean {
  return workspace.getConfiguration('plumbline').get<boolean>(name, true)
}
