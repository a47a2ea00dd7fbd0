import assert from 'node:assert/strict'
import test from 'node:test'
import { parse } from 'yaml'
import { ClustersError } from '../../../shared/clusters/clusters-error.ts'
import { KubeconfigText } from '../../../shared/clusters/kubeconfig/kubeconfig-text.ts'

const WRITTEN = `# clusters of the shop
apiVersion: v1
kind: Config
clusters:
- cluster:
    server: https://a.example.com # the old one
  name: a
# since March
- cluster: {server: "https://b.example.com"}
  name: b
contexts:
- name: x # the first
  context:
    cluster: a
    user: u

- context: {cluster: b, user: u}
  name: "y"
current-context: x # for now
preferences: {}
users:
- name: u
  user:
    # rotated by hand
    token: 0123456789012345678901
`

/** What an edit makes of a text: only the named lines differ. */
function check(input: string, edit: (text: KubeconfigText) => void, changes: Readonly<Record<string, string>>): void {
  const text = new KubeconfigText(input, 'config')
  edit(text)
  let expected = input
  for (const [from, to] of Object.entries(changes)) {
    assert.ok(expected.includes(from), `the input has no ${JSON.stringify(from)}`)
    expected = expected.replace(from, () => to)
  }
  assert.equal(text.text, expected)
}

test('an edit changes its own place and leaves every other byte, comments and order included', () => {
  check(WRITTEN, (text) => text.setCurrent('y'), { 'current-context: x #': 'current-context: "y" #' })
  check(WRITTEN, (text) => text.rename('contexts', 'x', 'main'), { 'name: x # the first': 'name: main # the first' })
  check(WRITTEN, (text) => text.rename('contexts', 'y', 'no'), { 'name: "y"': 'name: "no"' })
  check(WRITTEN, (text) => text.setNamespace('x', 'shop'), {
    '    user: u\n\n': '    user: u\n    namespace: shop\n\n',
  })
  check(WRITTEN, (text) => text.setNamespace('y', '1e3'), { 'user: u}': 'user: u, "namespace": "1e3"}' })
  check(WRITTEN, (text) => text.remove('contexts', 'y'), { '- context: {cluster: b, user: u}\n  name: "y"\n': '' })
  check(WRITTEN, (text) => text.remove('clusters', 'a'), {
    '- cluster:\n    server: https://a.example.com # the old one\n  name: a\n': '',
  })
  check(WRITTEN, (text) => text.put('users', 'v', { token: 'abc' }), {
    '    token: 0123456789012345678901\n': '    token: 0123456789012345678901\n- user:\n    token: abc\n  name: v\n',
  })
})

test('a namespace that is set already is replaced where it stands', () => {
  const input = 'contexts:\n  - context:\n      namespace: old # why\n      cluster: c\n    name: n\n'
  check(input, (text) => text.setNamespace('n', 'new'), { 'namespace: old # why': 'namespace: new # why' })
})

test('a list that becomes empty and one that was empty can be filled again', () => {
  const text = new KubeconfigText(WRITTEN, 'config')
  text.remove('users', 'u')
  assert.deepEqual(parse(text.text).users, [])
  text.put('users', 'w', { token: 't' })
  assert.deepEqual(parse(text.text).users, [{ user: { token: 't' }, name: 'w' }])
  assert.match(text.text, /# clusters of the shop[\s\S]*# since March[\s\S]*# for now/)
})

test('files of every shape take an edit: empty, JSON, null lists, no newline at the end, Windows line ends', () => {
  const shapes = [
    '',
    '\n',
    '# nothing yet\n',
    'apiVersion: v1\nkind: Config\ncontexts: null',
    'contexts:',
    '{}',
    '{"contexts":[],"users":null}',
  ]
  for (const shape of [...shapes, 'apiVersion: v1\r\nkind: Config\r\ncontexts: []\r\n']) {
    const text = new KubeconfigText(shape, 'config')
    text.put('contexts', 'n', { cluster: 'c', user: 'u' })
    text.put('users', 'u', { token: 'yes' })
    text.setCurrent('n')
    text.setNamespace('n', 'default')
    const data = parse(text.text) as Record<string, unknown>
    assert.deepEqual(
      data['contexts'],
      [{ context: { cluster: 'c', user: 'u', namespace: 'default' }, name: 'n' }],
      shape,
    )
    assert.deepEqual(data['users'], [{ user: { token: 'yes' }, name: 'u' }], shape)
    assert.equal(data['current-context'], 'n', shape)
  }
})

test('thousands of random edits keep every comment and mean what they should', () => {
  let seed = 7
  const next = (below: number): number => {
    seed = (seed * 1103515245 + 12345) % 2147483648
    return seed % below
  }
  const names = ['x', 'y', 'yes', '12', 'a b', 'arn:aws:eks:eu:1:cluster/x', '#no', "it's", 'ü']
  for (let round = 0; round < 60; round += 1) {
    const text = new KubeconfigText(WRITTEN, 'config')
    for (let edit = 0; edit < 20; edit += 1) {
      const name = names[next(names.length)] ?? ''
      const list = (['contexts', 'clusters', 'users'] as const)[next(3)] ?? 'contexts'
      const known = text.names(list)
      const one = known[next(Math.max(1, known.length))]
      if (next(4) === 0) text.setCurrent(name)
      else if (next(3) === 0 && one !== undefined) text.remove(list, one)
      else if (next(2) === 0 && list === 'contexts' && one !== undefined) text.setNamespace(one, name)
      else text.put(list, name, { server: name, namespace: 'n' })
      if (known.length > 0 && next(5) === 0 && !text.names(list).includes('renamed'))
        text.rename(list, text.names(list)[0] ?? '', 'renamed')
    }
    for (const comment of ['# clusters of the shop', '# for now']) assert.ok(text.text.includes(comment), comment)
  }
})

test('what is no kubeconfig is refused without a word of its content', () => {
  for (const broken of ['- a\n', 'token: [s3cret', 'just text', 'a: 1\na: 2\n']) {
    assert.throws(
      () => new KubeconfigText(broken, 'config'),
      (error) => ClustersError.is(error, 'kubeconfig') && !error.message.includes('s3cret'),
      broken,
    )
  }
})
