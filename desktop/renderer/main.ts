import { html, render } from 'lit-html'
import { definePanel } from '../../shared/ui/elements.ts'
import { define, sheet } from '../../shared/ui/element.ts'
import { MessageHost } from '../../shared/ui/message-host.ts'
import { THEME } from '../../shared/ui/theme.ts'
import { BulkSync } from './bulk-sync.ts'
import { FormDialog } from './form-dialog.ts'
import { NewApplicationDialog } from './new-application.ts'
import { ApplicationsPage } from './pages/applications-page.ts'
import { ClustersPage } from './pages/clusters-page.ts'
import { ContextsPage } from './pages/contexts-page.ts'
import { FirstRunPage } from './pages/first-run-page.ts'
import { KeysPage } from './pages/keys-page.ts'
import { NewClusterPage } from './pages/new-cluster-page.ts'
import { RehearsalsPage } from './pages/rehearsals-page.ts'
import { RepositoriesPage } from './pages/repositories-page.ts'
import { SettingsPage } from './pages/settings-page.ts'
import { Palette } from './palette.ts'
import { windowChannel, type LinkState } from './window-channel.ts'
import { WindowShell } from './window.ts'

/** The page of the window, in Electron and in a browser. */
document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet(THEME)]
definePanel()
define('pl-bulk-sync', BulkSync)
define('pl-form-dialog', FormDialog)
define('pl-new-application', NewApplicationDialog)
define('pl-applications', ApplicationsPage)
define('pl-clusters', ClustersPage)
define('pl-contexts', ContextsPage)
define('pl-first-run', FirstRunPage)
define('pl-keys', KeysPage)
define('pl-new-cluster', NewClusterPage)
define('pl-rehearsals', RehearsalsPage)
define('pl-repositories', RepositoriesPage)
define('pl-settings', SettingsPage)
define('pl-palette', Palette)
define('pl-window', WindowShell)

let link: LinkState | undefined
const host = new MessageHost(
  windowChannel((state) => {
    link = state
    draw()
  }),
)
draw()

function draw(): void {
  const holder =
    document.querySelector('plumbline-window') ?? document.body.appendChild(document.createElement('plumbline-window'))
  render(html`<pl-window .props=${{ host, link }}></pl-window>`, holder as HTMLElement)
}
