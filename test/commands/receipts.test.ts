import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { textOfPdf } from '../pages/receipt/read-pdf.ts'
import { newFolder } from '../support/folders.ts'
import { assert, suite } from '../support/suite.ts'
import { openFakeApi } from './fake-api.ts'
import { paycli } from './paycli.ts'
import { startServing } from './serving.ts'

const test = suite('commands/receipts')

const PDF = '%PDF-1.3 a receipt'

let checkoutUrl = ''

const api = openFakeApi(test, ({ url }) => {
  if (url === '/v1/sandboxes/current') return { body: { object: 'sandbox', checkout_url: checkoutUrl } }
  if (url === '/v1/payments/py_2') return { body: { object: 'payment', status: 'failed' } }
  if (url.startsWith('/v1/payments/')) return { body: { object: 'payment', status: 'succeeded' } }
  if (url === '/pay/3ds/py_1/receipt.pdf')
    return { status: 303, headers: { Location: '/pay/sessions/py_sess_1/receipt.pdf' }, body: '' }
  if (url === '/pay/sessions/py_sess_1/receipt.pdf')
    return { headers: { 'Content-Type': 'application/pdf' }, body: PDF }
  if (url === '/pay/3ds/py_4/receipt.pdf') return { status: 303, headers: { Location: url }, body: '' }
  if (url === '/pay/3ds/py_5/receipt.pdf')
    return {
      headers: { 'Content-Type': 'application/pdf', 'Content-Length': '99', Connection: 'close' },
      body: PDF,
    }
  return { status: 404, headers: { 'Content-Type': 'text/html' }, body: 'none' }
})

test.before.each(() => {
  checkoutUrl = `${api.url()}/pay`
})

test('downloads the receipt from the hosted pages without the API key, and replaces a file', async () => {
  const file = join(newFolder(), 'receipt.pdf')
  for (const _ of [1, 2]) {
    const { code, stdout, stderr } = await api.run('receipts', 'download', 'py_1', '--output', file)
    assert.equal([code, stderr], [0, ''])
    const url = `${checkoutUrl}/sessions/py_sess_1/receipt.pdf`
    assert.equal(JSON.parse(stdout), { file, bytes: PDF.length, url })
    assert.is(readFileSync(file, 'utf8'), PDF)
    assert.is(statSync(file).mode & 0o777, 0o600)
  }
  for (const { url, headers } of api.seen())
    if (url.startsWith('/pay')) assert.is(headers['authorization'], undefined, url)
})

test('the error states why there is no receipt, and the next step', async () => {
  const file = join(newFolder(), 'receipt.pdf')
  for (const [id, pages, code, message, hint] of [
    ['py_2', '/pay', 6, "'py_2' is failed, so it has no receipt.", 'payments list --status succeeded'],
    ['py_3', '/pay', 2, '/pay/3ds/py_3/receipt.pdf responded 404', 'serve --checkout-url <url>'],
    ['py_4', '/pay', 3, 'failed (redirect count exceeded)', 'serve --checkout-url <url>'],
    ['py_5', '/pay', 3, 'The connection to http://127.0.0.1:', 'serve --checkout-url <url>'],
    ['py_1', null, 3, 'No paycli server at http://127.0.0.1:3', 'serve --checkout-url <url>'],
  ] as const) {
    checkoutUrl = pages === null ? 'http://127.0.0.1:3' : api.url() + pages
    const ended = await api.run('receipts', 'download', id, '--output', file)
    assert.equal([ended.code, ended.stdout, existsSync(file)], [code, '', false], ended.stderr)
    assert.match(ended.stderr.replace(/\s+/g, ' '), message)
    assert.match(ended.stderr.replace(/\s+/g, ' '), hint)
  }
})

test('the error names a file that cannot be written', async () => {
  const folder = newFolder()
  for (const [file, reason] of [
    [join(folder, 'none', 'receipt.pdf'), `folder '${join(folder, 'none')}' does not exist`],
    [folder, `${folder} is a folder, but a file is required`],
  ] as const) {
    const { code, stdout, stderr } = await api.run('receipts', 'download', 'py_1', '--output', file)
    assert.equal([code, stdout], [2, ''])
    assert.match(stderr.replace(/\s+/g, ' '), reason)
  }
})

test('the packed program downloads a receipt as PDF', async () => {
  const home = newFolder()
  const serving = await startServing(['--memory', '--log-format', 'silent'], { PAYCLI_HOME: home })
  try {
    const env = { PAYCLI_API_BASE: serving.location.api_url, PAYCLI_HOME: home }
    const run = (...args: string[]) => paycli(args, { env, cwd: home })
    assert.is((await run('trigger', 'payment_session.completed')).code, 0)
    const found = await run('payments', 'list', '--status', 'succeeded', '--field', 'data[].id')
    const [id = ''] = found.stdout.split('\n')
    const { code, stderr } = await run('receipts', 'download', id)
    assert.is(code, 0, stderr)
    assert.match(textOfPdf(readFileSync(join(home, `receipt-${id}.pdf`))), `Reference ${id}`)
  } finally {
    serving.kill('SIGTERM')
    await serving.ended
  }
})

test.run()
