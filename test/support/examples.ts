import type { Command } from '@oclif/core/command'
import { Config } from '@oclif/core/config'
import { ROOT } from './root.ts'
import { loadCompiledCommand } from './run-command.ts'

/** An example in the help of a command. */
export interface Example {
  readonly line: string
  readonly command: Command.Class
  /** The arguments after the name of the command. */
  readonly argv: readonly string[]
}

const { commands } = await Config.load(ROOT)

/** Returns every example in the help of every visible command. */
export async function allExamples(): Promise<readonly Example[]> {
  const listed = commands.filter(({ id, aliases }) => !aliases.includes(id))
  const found = listed.map(async ({ id, relativePath = [] }) => {
    const { default: command } = await loadCompiledCommand([ROOT, ...relativePath].join('/'))
    command.id = id
    const texts = (command.examples ?? []).map(String)
    return texts.map((text: string) => exampleOf(command, text))
  })
  return (await Promise.all(found)).flat()
}

function exampleOf(command: Command.Class, text: string): Example {
  const name = command.id.replaceAll(':', ' ')
  const line = text.replace('<%= config.bin %>', 'paycli').replace('<%= command.id %>', name)
  const words = wordsOf(line)
  const own = ['paycli', ...name.split(' ')]
  if (words.slice(0, own.length).join(' ') !== own.join(' '))
    throw new Error(`no example of ${name}: ${line}`)
  return { line, command, argv: words.slice(own.length) }
}

// Splits as a shell does; examples need only quotes and command separators.
function wordsOf(line: string): string[] {
  const inner = /^source <\((.*)\)$/.exec(line)?.[1] ?? line
  const [alone = ''] = inner.split(/ [|>] (?=[^']*(?:'[^']*'[^']*)*$)/)
  const words = alone.match(/(?:'[^']*'|[^\s'])+/g) ?? []
  return words.map((word) => word.replaceAll("'", ''))
}
