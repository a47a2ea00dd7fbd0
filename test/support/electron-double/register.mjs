// Puts the double in the place of Electron's modules. A double: what it shows says nothing of Electron itself.
import { registerHooks } from 'node:module'

const double = new URL('./electron.ts', import.meta.url).href

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'electron'
      ? { url: double, format: 'module-typescript', shortCircuit: true }
      : next(specifier, context),
})
