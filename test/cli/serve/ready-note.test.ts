import { createStyle } from '../../../src/cli/output/style.ts'
import { formatDetachedNote, formatReadyNote } from '../../../src/cli/serve/ready-note.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('cli/ready-note')

const location = {
  pid: 7,
  api_url: 'http://127.0.0.1:4100',
  public_api_url: null,
  checkout_url: 'http://127.0.0.1:4101',
  api_key: 'paysk_test_1',
  webhook_secret: 'whsec_1',
  db: '/home/ada/paycli.json',
}

const options = (isColored: boolean) => ({
  style: createStyle(isColored),
  forwardTo: [],
  isNew: false,
  defaultUrl: null,
  secretsFile: null,
  hasLog: true,
  customer: null,
})

test('prints the forwarding targets, and the address of the other server that commands use by default', () => {
  const more = {
    forwardTo: [
      { url: 'http://127.0.0.1:3000/hook', events: ['*'] },
      { url: 'http://127.0.0.1:3001/', events: ['invoice.paid'] },
      { url: 'http://127.0.0.1:3002/', events: ['a', 'b', 'c', 'd'] },
    ],
    defaultUrl: 'http://127.0.0.1:4999',
  }
  const note = formatReadyNote(location, 1, { ...options(false), ...more })
  assert.match(note, '  Forwarding to   http://127.0.0.1:3000/hook\n')
  assert.match(note, '  Forwarding to   http://127.0.0.1:3001/ (invoice.paid)\n')
  assert.match(note, '  Forwarding to   http://127.0.0.1:3002/ (4 event types)\n')
  assert.match(note, 'runs at http://127.0.0.1:4999')
  assert.match(note, '--api-base http://127.0.0.1:4100 (or set PAYCLI_API_BASE)')
})

test('marks a new database file as new', () => {
  const note = formatReadyNote(location, 1, { ...options(false), isNew: true })
  assert.match(note, '  Database        /home/ada/paycli.json (new)\n')
})

test('prints the public and the local address of the API', () => {
  const shared = { ...location, public_api_url: 'http://192.0.2.2:4300' }
  const note = formatReadyNote(shared, 1, options(false))
  assert.match(
    note,
    '  API             http://127.0.0.1:4100\n  Public API      http://192.0.2.2:4300\n  API reference',
  )
  const detached = formatDetachedNote(shared, 'serve.log', null)
  assert.match(
    detached,
    'The server runs at http://127.0.0.1:4100 (public: http://192.0.2.2:4300), with its pages',
  )
})

test('prints addresses, secrets and the next commands', () => {
  const lines = formatReadyNote(location, 180, options(false)).split('\n')
  assert.equal(lines.slice(0, 9), [
    'paycli Ready in 180 ms',
    '',
    '  API             http://127.0.0.1:4100',
    '  API reference   http://127.0.0.1:4100/docs',
    '  Checkout pages  http://127.0.0.1:4101',
    '  API key         paysk_test_1',
    '  Webhook secret  whsec_1',
    '  Database        /home/ada/paycli.json',
    '',
  ])
  assert.ok(lines.includes('  paycli customers create --email ada@example.com'))
})

test('prints next commands that contain the id of the newest customer instead of placeholders', () => {
  const note = formatReadyNote(location, 1, { ...options(false), customer: 'cus_1' })
  assert.match(note, '  paycli checkout create --customer cus_1 --currency eur')
  assert.not.match(note, 'customers create')
  for (const text of [note, formatReadyNote(location, 1, options(false))])
    assert.not.match(text.replace('npx paycli …', ''), /[<>…]/)
})

test('prints the path of the secrets file instead of the secrets when other users may read the output', () => {
  const note = formatReadyNote(location, 1, { ...options(false), secretsFile: '/home/ada/daemon.json' })
  assert.match(note, '  Secrets         /home/ada/daemon.json contains the API key and the webhook secret\n')
  assert.not.match(note, location.api_key)
  assert.not.match(note, location.webhook_secret)
})

test('prints that an in-memory database is deleted on exit', () => {
  const note = formatReadyNote({ ...location, db: null }, 1, options(false))
  assert.match(note, '  Database        in memory, deleted on exit')
})

test('prints colors only when enabled, and never prints escape sequences in paths or URLs', () => {
  const plain = formatReadyNote(location, 1, options(false))
  assert.not.match(plain, '\u001b')
  const hostile = { ...location, db: '/tmp/\u001b[31mred', checkout_url: 'http://x/\u009b' }
  const note = formatReadyNote(hostile, 1, options(true))
  assert.match(note, '\u001b[1mpaycli\u001b[22m')
  assert.not.match(note, '\u001b[31m')
  assert.not.match(note, '\u009b')
})

test('reports the request log only if requests are logged', () => {
  for (const hasLog of [true, false])
    assert.is(
      formatReadyNote(location, 1, { ...options(false), hasLog }).includes('Requests are logged below'),
      hasLog,
    )
})

test.run()
