import { DEFAULT_SANDBOX } from '../../domain/sandboxes.ts'
import { quoteForShell } from '../errors/shell-quote.ts'
import { type FlagValues, stringValue } from '../parse/params.ts'

/** The last command of a text, if the text ends with it. */
const LAST_COMMAND = /\bpaycli ((?:[^.]|\.(?! |$))*)$/s

/** Commands that do not act inside a sandbox, and texts that are no complete command. */
const WITHOUT_SANDBOX =
  /^(?:completion|config|demo|exec|help|sandboxes|serve|state|status|stop|wait)\b|--(?:all|help|list|sandbox)\b|, /

/** Appends `--sandbox` to the command at the end of a note, if the flag and not PAYCLI_SANDBOX has selected the sandbox. */
export function addSandboxFlag(note: string, flags: FlagValues, env: NodeJS.ProcessEnv): string {
  const sandbox = stringValue(flags['sandbox'])
  if (sandbox === undefined || sandbox === DEFAULT_SANDBOX || sandbox === env['PAYCLI_SANDBOX']) return note
  const [, command] = LAST_COMMAND.exec(note) ?? []
  if (command === undefined || WITHOUT_SANDBOX.test(command)) return note
  return `${note} --sandbox ${quoteForShell(sandbox)}`
}
