import { getDataFolder } from '../../../src/domain/text/data-folder.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('domain/text/home-folder')

const FOLDERS: readonly (readonly [env: Record<string, string | undefined>, folder: string])[] = [
  [{}, '/home/ada/.local/share/paycli'],
  [{ PAYCLI_HOME: '/tmp/own' }, '/tmp/own'],
  [{ PAYCLI_HOME: '/tmp/own', XDG_DATA_HOME: '/data' }, '/tmp/own'],
  [{ PAYCLI_HOME: '', XDG_DATA_HOME: '/data' }, '/data/paycli'],
  [{ XDG_DATA_HOME: '' }, '/home/ada/.local/share/paycli'],
  [{ XDG_DATA_HOME: 'relative' }, '/home/ada/.local/share/paycli'],
  [{ XDG_DATA_HOME: 'C:\\Data' }, 'C:\\Data/paycli'],
]

for (const [env, folder] of FOLDERS) {
  test(`returns ${folder} for ${JSON.stringify(env)}`, () =>
    assert.is(getDataFolder(env, '/home/ada'), folder))
}

test.run()
