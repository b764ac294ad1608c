import { assert, suite } from '../../support/suite.ts'
import { type ServedSandbox, serveSandbox } from './serve-sandbox.ts'

const test = suite('daemon/http/api-app: proof of the server')

let served: ServedSandbox

test.before(async () => {
  served = await serveSandbox()
})

test.after(() => served?.close())

test('/healthz answers a challenge with a proof of the secret, and nothing else', async () => {
  const proofs = ['ab'.repeat(32), '', 'short', 'ab'.repeat(33)].map(async (challenge) => {
    const { headers } = await fetch(`${served.apiUrl}/healthz`, {
      headers: { 'Paycli-Challenge': challenge },
    })
    return headers.get('paycli-proof')
  })
  assert.equal(await Promise.all(proofs), [
    'c0aa5ef4424d482e14c705988aefb7f70fe634fc8969f80642eb222d37fca19e',
    null,
    null,
    null,
  ])
})

test.run()
