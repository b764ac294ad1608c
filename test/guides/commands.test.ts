import { assert, suite } from '../support/suite.ts'
import { codeBlocks, GUIDES, readDocument } from './code-blocks.ts'
import { commandLines, problemOf, readCommands } from './command-lines.ts'

const test = suite('guides: commands')

const commands = readCommands()
const topics = new Set([...commands.keys()].map((words) => words.split(' ')[0] ?? ''))
const flagNames = new Set(
  [...commands.values()].flatMap(({ flags }) =>
    Object.entries(flags).flatMap(([name, { char }]) => [`--${name}`, `--no-${name}`, `-${char}`]),
  ),
)
/** Flags of other programs. */
const OTHER_FLAGS = new Set(['--save-dev', '--test'])

function problemsIn(document: string, code: string): string[] {
  return commandLines(code).flatMap((call) => {
    const problem = problemOf(call, commands)
    return problem === null ? [] : [`${document}: paycli ${call.join(' ')}: ${problem}`]
  })
}

/** Returns the code spans of a document, without its code blocks. */
function codeSpans(document: string): string[] {
  const text = readDocument(document).replace(/^```.*?^```$/gms, '')
  return [...text.matchAll(/`([^`]+)`/g)].map(([, span = '']) => span.replaceAll('\\|', '|'))
}

for (const document of GUIDES) {
  test(`${document} uses existing commands and flags in shell code`, () => {
    const blocks = codeBlocks(document).filter(({ language }) => ['sh', 'yaml'].includes(language))
    const problems = blocks.flatMap(({ code }) => problemsIn(document, code.replace(/^ +- run: /gm, '')))
    assert.equal(problems, [])
  })

  test(`${document} uses existing commands and flags in its text`, () => {
    const problems = codeSpans(document).flatMap((span) => {
      const [first = '', ...others] = span.split(' ')
      if (/^--?[a-z]/.test(span)) {
        const name = first.replace(/=.*/, '')
        return flagNames.has(name) || OTHER_FLAGS.has(name) ? [] : [`${document}: there is no flag ${name}`]
      }
      const isCommand = others.length > 0 && topics.has(first)
      const problems = problemsIn(document, isCommand ? `paycli ${span}` : span)
      // Text may name a flag without its value.
      return problems.filter((problem) => !problem.endsWith('needs a value'))
    })
    assert.equal(problems, [])
  })
}

for (const [line, problem] of [
  ['paycli customers creat', 'there is no such command'],
  ['npx paycli customers create --mail x', 'there is no flag --mail'],
  ['X=$(paycli customers create --email) && true', '--email needs a value'],
  ["paycli exec --port 0 -- paycli checkout complete 'cks_…' more", "'more' is an argument too many"],
  ['npm start -- --log-format xml', '--log-format does not take xml'],
] as const) {
  test(`the check of commands reports the mistake in: ${line}`, () => {
    const problems = commandLines(line).map((call) => problemOf(call, commands))
    assert.equal(
      problems.filter((one) => one !== null),
      [problem],
    )
  })
}

test.run()
