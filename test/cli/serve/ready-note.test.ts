import { createStyle } from '../../../src/cli/output/style.ts'
import { detachedNote, readyNote } from '../../../src/cli/serve/ready-note.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('cli/ready-note')

const place = {
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
  foundInstead: null,
  secretsFile: null,
})

test('it names where webhooks go, and the other daemon that commands would find', () => {
  const more = {
    forwardTo: [
      { url: 'http://127.0.0.1:3000/hook', events: ['*'] },
      { url: 'http://127.0.0.1:3001/', events: ['invoice.paid'] },
      { url: 'http://127.0.0.1:3002/', events: ['a', 'b', 'c', 'd'] },
    ],
    foundInstead: 'http://127.0.0.1:4999',
  }
  const note = readyNote(place, 1, { ...options(false), ...more })
  assert.match(note, '  Forwarding to   http://127.0.0.1:3000/hook\n')
  assert.match(note, '  Forwarding to   http://127.0.0.1:3001/ (invoice.paid)\n')
  assert.match(note, '  Forwarding to   http://127.0.0.1:3002/ (4 types of events)\n')
  assert.match(note, 'runs at http://127.0.0.1:4999')
  assert.match(note, '--api-base http://127.0.0.1:4100 (or set PAYCLI_API_BASE)')
})

test('a database that was not there before is told, for it may be a mistyped one', () => {
  const note = readyNote(place, 1, { ...options(false), isNew: true })
  assert.match(note, '  Database        /home/ada/paycli.json (new: there was none)\n')
})

test('where others reach the API is told beside where this machine does', () => {
  const shared = { ...place, public_api_url: 'http://192.0.2.2:4300' }
  const note = readyNote(shared, 1, options(false))
  assert.match(
    note,
    '  API             http://127.0.0.1:4100\n  API for others  http://192.0.2.2:4300\n  Checkout',
  )
  const detached = detachedNote({ ...shared, pid: 7 }, 'serve.log', null)
  assert.match(detached, 'paycli answers at http://127.0.0.1:4100 (for others at http://192.0.2.2:4300), its')
})

test('it says where everything is, and what to type next', () => {
  const lines = readyNote(place, 180, options(false)).split('\n')
  assert.equal(lines.slice(0, 8), [
    'paycli Ready in 180 ms',
    '',
    '  API             http://127.0.0.1:4100',
    '  Checkout pages  http://127.0.0.1:4101',
    '  API key         paysk_test_1',
    '  Webhook secret  whsec_1',
    '  Database        /home/ada/paycli.json',
    '',
  ])
  const next = ['customers create', 'checkout create', 'checkout open', 'events list']
  for (const command of next)
    assert.ok(
      lines.some((line) => line.startsWith(`  paycli ${command}`)),
      command,
    )
})

test('where others may read it, the file that holds the secrets is named in place of them', () => {
  const note = readyNote(place, 1, { ...options(false), secretsFile: '/home/ada/daemon.json' })
  assert.match(note, '  Secrets         /home/ada/daemon.json holds the API key and the webhook secret\n')
  assert.not.match(note, place.api_key)
  assert.not.match(note, place.webhook_secret)
})

test('memory is told as what it is', () => {
  const note = readyNote({ ...place, db: null }, 1, options(false))
  assert.match(note, '  Database        in memory, forgotten at the end')
})

test('colours are used when they are wanted, and only its own', () => {
  const plain = readyNote(place, 1, options(false))
  assert.not.match(plain, '\u001b')
  const hostile = { ...place, db: '/tmp/\u001b[31mred', checkout_url: 'http://x/\u009b' }
  const note = readyNote(hostile, 1, options(true))
  assert.match(note, '\u001b[1mpaycli\u001b[22m')
  assert.not.match(note, '\u001b[31m')
  assert.not.match(note, '\u009b')
})

test.run()
