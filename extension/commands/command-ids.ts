/** Every command; package.json contributes exactly these. */
export const COMMAND_IDS = [
  'plumbline.addKey',
  'plumbline.copyKubectl',
  'plumbline.createApplication',
  'plumbline.diffApplication',
  'plumbline.diffResource',
  'plumbline.dryRun',
  'plumbline.exportDiagnostics',
  'plumbline.hardRefresh',
  'plumbline.ignoreField',
  'plumbline.openLive',
  'plumbline.openManifest',
  'plumbline.refresh',
  'plumbline.removeKey',
  'plumbline.restartAgent',
  'plumbline.revealResource',
  'plumbline.showHistory',
  'plumbline.showLog',
  'plumbline.startEmbedded',
  'plumbline.switchContext',
  'plumbline.syncApplication',
  'plumbline.syncResource',
  'plumbline.verifyCommit',
] as const

export type CommandId = (typeof COMMAND_IDS)[number]
