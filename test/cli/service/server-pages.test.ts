import { UsageError } from '../../../src/cli/errors/usage-error.ts'
import { PAGE_URL_READERS } from '../../../src/cli/service/server-pages.ts'
import { openDaemon } from '../../support/daemon.ts'
import { NAVIGATION } from '../../support/dashboard.ts'
import { sendRequest } from '../../support/raw-http.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('cli/service/server-pages')

const SCENES = { list: async () => [], run: async () => ({}), runFixtures: async () => ({}) }

async function dashboardUrl(flags: Readonly<Record<string, string>>): Promise<string> {
  const create = PAGE_URL_READERS.get('dashboard')
  assert.ok(create)
  return create(flags)
}

test('creates a one-time address that signs one browser in', async () => {
  const daemon = await openDaemon({ createScenes: () => SCENES })
  try {
    const { api_url, api_key } = daemon.location
    const url = await dashboardUrl({ 'api-base': api_url, 'api-key': api_key })
    assert.ok(url.startsWith(`${api_url}/dashboard?login=`))
    assert.ok((await sendRequest(url, { headers: NAVIGATION })).headers['set-cookie'])
  } finally {
    await daemon.stop()
  }
})

test('prints how to start a server with a dashboard', async () => {
  const daemon = await openDaemon()
  try {
    const { api_url, api_key } = daemon.location
    await dashboardUrl({ 'api-base': api_url, 'api-key': api_key })
    assert.unreachable()
  } catch (error) {
    assert.instance(error, UsageError)
    assert.match((error as UsageError).hint ?? '', 'serve --dashboard')
  } finally {
    await daemon.stop()
  }
})

test.run()
