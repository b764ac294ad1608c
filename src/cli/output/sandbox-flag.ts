import { DEFAULT_SANDBOX } from '../../domain/sandboxes/sandboxes.ts'
import { quoteForShell } from '../../domain/text/shell-quote.ts'
import { type FlagValues, findFlagText } from '../parse/params.ts'

/** Matches the command at the end of a note. */
const LAST_COMMAND = /\bpaycli ((?:[^.]|\.(?! |$))*)$/s

/** Matches commands that do not act inside a sandbox, and strings that are not a complete command. */
const WITHOUT_SANDBOX =
  /^(?:completion|config|demo|exec|help|sandboxes|serve|state|status|stop|wait)\b|--(?:all|help|list|sandbox)\b|, /

/**
 * Returns the sandbox that suggested commands must name with --sandbox, or null if commands need no flag.
 */
export function findSandboxToSuggest(flags: FlagValues, env: NodeJS.ProcessEnv): string | null {
  const sandbox = findFlagText(flags['sandbox'])
  const isUsedAnyway = sandbox === DEFAULT_SANDBOX || sandbox === env['PAYCLI_SANDBOX']
  return sandbox === undefined || isUsedAnyway ? null : sandbox
}

/** Appends `--sandbox` to the command at the end of a note, because the command names objects of that sandbox. */
export function addSandboxFlag(note: string, sandbox: string | null): string {
  const [, command] = LAST_COMMAND.exec(note) ?? []
  if (sandbox === null || command === undefined || WITHOUT_SANDBOX.test(command)) return note
  return `${note} --sandbox ${quoteForShell(sandbox)}`
}
