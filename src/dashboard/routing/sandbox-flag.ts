import { DEFAULT_SANDBOX, readRoute } from './router.ts'

/** Returns the flag that selects the current sandbox on the command line, with a space before it. */
export function sandboxFlag(): string {
  const { sandbox } = readRoute()
  return sandbox === DEFAULT_SANDBOX ? '' : ` --sandbox ${sandbox}`
}
