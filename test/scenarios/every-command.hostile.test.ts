import { localCommands, serviceCommands } from '../support/every-command.ts'
import { assert, suite } from '../support/suite.ts'
import { HOSTILE, nameOf, runWithoutControlCharacters } from './terminal-output.ts'

const test = suite('scenarios/every-command hostile arguments')

for (const command of [...serviceCommands, ...localCommands]) {
  test(`${nameOf(command)} rejects control characters in an argument and a flag, and prints none`, async () => {
    const words = [...command.id.split(':'), ...Object.keys(command.args).map(() => HOSTILE)]
    assert.is.not(await runWithoutControlCharacters([...words, `--${HOSTILE}`]), 0)
    if (words.includes(HOSTILE)) await runWithoutControlCharacters(words)
  })
}

test.run()
