import { type FakeServer, startFakeServer } from '../client/fake-server.ts'
import { asking, withFlags } from '../support/every-command.ts'
import { suite } from '../support/suite.ts'
import { HOSTILE, mustBeHarmless, nameOf } from './harmless.ts'

/** These go on until they are stopped; what they print is tested with their lines. */
const ENDLESS: ReadonlySet<string> = new Set(['events:tail', 'logs:tail', 'webhooks:listen'])
const OBJECT = {
  ...{ id: 'x_1', object: HOSTILE, name: HOSTILE, status: HOSTILE, type: HOSTILE, url: HOSTILE },
  ...{ customer: HOSTILE, created: 1704067200, metadata: { [HOSTILE]: HOSTILE }, data: [{ id: HOSTILE }] },
}
const ERROR = {
  error: { type: HOSTILE, code: HOSTILE, message: HOSTILE, param: HOSTILE, doc_url: HOSTILE, errors: [] },
}

let server: FakeServer
let answer: { readonly status: number; readonly body: object }

const test = suite('every command, with hostile answers')

test.before(async () => {
  server = await startFakeServer(() => answer)
})

test.after(() => server.stop())

for (const command of asking.filter(({ id }) => !ENDLESS.has(id))) {
  test(`${nameOf(command)} prints nothing harmful of what it is answered`, async () => {
    for (const given of [
      { status: 200, body: OBJECT },
      { status: 400, body: ERROR },
    ]) {
      answer = given
      await mustBeHarmless(withFlags(command, '--api-base', server.url, '--api-key', 'k'))
    }
  })
}

test.run()
