import type { Step } from './differential-step.ts'

const maps = '/api/v1/namespaces/{{ns}}/configmaps'
const get = (path: string): Step => ({ method: 'GET', path })

/** Requests that no resource answers as they are meant. */
export const hostilePaths: Readonly<Record<string, readonly Step[]>> = {
  'unknown verbs and paths': [
    ...['BREW', 'PROPFIND', 'TRACE', 'OPTIONS', 'LINK', 'M-SEARCH', 'HEAD'].flatMap((method): readonly Step[] => [
      { method, path: maps },
      { method, path: `${maps}/x` },
      { method, path: '/odd' },
    ]),
    ...[
      '/api',
      '/apis',
      '/api/',
      '/api/v1/',
      '/apis/apps',
      '/apis/apps/',
      '/apis/apps/v1/',
      '/apis/apps/v2',
      '/apis/none',
      '/version/',
      '/healthz/ping',
      '/healthz/none',
      '/livez/ping',
      '/readyz/none',
      '/metrics/none',
      '/openapi',
      '/openapi/v2/x',
      '/api/v1/watch/namespaces/{{ns}}/configmaps/x/y',
      '/api/v1/namespaces/{{ns}}/configmaps/x/status',
      '/api/v1/namespaces/{{ns}}/pods/x/log',
      '/api/v1/namespaces/{{ns}}/pods/x/none',
      '/api/v1/proxy',
      '/../etc/passwd',
      '/api/v1/../../odd',
      '//api/v1/namespaces',
      '/api/v1/namespaces/{{ns}}/configmaps/a%2Fb',
      '/api/v1/namespaces/{{ns}}/configmaps/%2e%2e',
      '/api/v1/namespaces/{{ns}}/configmaps/x?fieldManager=a&fieldManager=b',
      '/%',
      '/%zz',
    ].map(get),
    { method: 'POST', path: `${maps}/x`, body: {} },
    { method: 'PUT', path: maps, body: {} },
    { method: 'PATCH', path: maps, body: {}, type: 'application/merge-patch+json' },
    { method: 'DELETE', path: '/api/v1/namespaces', body: {} },
    { method: 'DELETE', path: '/api/v1' },
    { method: 'POST', path: '/version', body: {} },
    { method: 'POST', path: '/healthz', body: {} },
  ],
}
