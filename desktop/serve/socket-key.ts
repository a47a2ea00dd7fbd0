/** Where the page keeps the key that it shows when it opens its WebSocket; `shared/ui` reads it. */
export const SOCKET_KEY = 'plumbline.key'
/** The path of the WebSocket. */
export const SOCKET_PATH = '/socket'
/** The protocol that both speak; the key stands beside it, as browsers can send nothing else with a WebSocket. */
export const SOCKET_PROTOCOL = 'plumbline'
/** What the key's own entry in the list of protocols begins with. */
export const KEY_PROTOCOL = 'key.'
