import { asking, others } from '../support/every-command.ts'
import { assert, suite } from '../support/suite.ts'
import { HOSTILE, mustBeHarmless, nameOf } from './harmless.ts'

const test = suite('every command, with hostile words')

for (const command of [...asking, ...others]) {
  test(`${nameOf(command)} refuses it as an argument and as a flag, and prints nothing harmful`, async () => {
    const words = [...command.id.split(':'), ...Object.keys(command.args).map(() => HOSTILE)]
    assert.is.not(await mustBeHarmless([...words, `--${HOSTILE}`]), 0)
    if (words.includes(HOSTILE)) await mustBeHarmless(words)
  })
}

test.run()
