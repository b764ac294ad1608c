import { type FakeServer, startFakeServer } from '../client/fake-server.ts'
import { serviceCommands, withFlags } from '../support/every-command.ts'
import { suite } from '../support/suite.ts'
import { HOSTILE, nameOf, runWithoutControlCharacters } from './terminal-output.ts'

/** Commands that run until they are stopped. Other tests check their output. */
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

const test = suite('scenarios/every-command hostile responses')

test.before(async () => {
  server = await startFakeServer(() => answer)
})

test.after(() => server.stop())

for (const command of serviceCommands.filter(({ id }) => !ENDLESS.has(id))) {
  test(`${nameOf(command)} prints no control characters from a response`, async () => {
    for (const given of [
      { status: 200, body: OBJECT },
      { status: 400, body: ERROR },
    ]) {
      answer = given
      await runWithoutControlCharacters(withFlags(command, '--api-base', server.url, '--api-key', 'k'))
    }
  })
}

test.run()
