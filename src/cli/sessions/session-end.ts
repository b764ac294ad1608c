import type { FlagInput } from '@oclif/core/interfaces'
import { pause } from '../../client/pause.ts'
import { sanitizeText } from '../../domain/sanitize.ts'
import { EXIT_CODES } from '../output/exit-codes.ts'
import { printNote } from '../output/output.ts'
import { durationMs } from '../parse/durations.ts'
import { boolean, string } from '../parse/options.ts'
import type { FlagValues } from '../parse/params.ts'
import { openInBrowser } from './browser.ts'
import { pageOf } from './session-page.ts'

const LOOK_EVERY_MS = 500
/** The slow card is approved after three seconds; a service whose clock stands still never answers. */
const ISSUER_LIMIT = '10s'

/** The flags of commands that can wait until a buyer is done. */
export const waitFlags: FlagInput = {
  wait: boolean({
    description:
      'Wait until the session has ended, then print it: exits 0 when it is complete, 6 when it expired or was expired.',
  }),
  'max-wait': string({
    description: 'Give up waiting after this long, with exit code 7; the session stays open.',
    helpValue: '<90s|10m|1h>',
    dependsOn: ['wait'],
  }),
}

/** The same, and the one that opens the page of a new session. */
export const followFlags: FlagInput = {
  open: boolean({ description: 'Open its page in the browser.' }),
  ...waitFlags,
}

interface Ending {
  readonly id: string
  readonly url: string
  readonly status: 'open' | 'complete' | 'expired'
}

/** How a session is looked at again, and when. */
export interface Looking<S> {
  readonly retrieve: (id: string) => Promise<S>
  /** Resolves when it is time to look; half a second unless given. */
  readonly nextLook?: () => Promise<void>
}

/** Creates a session, opens its page and awaits its end as the flags ask; resolves with it as it is then. */
export async function followNew<S extends Ending>(
  flags: FlagValues,
  { create, ...looking }: Looking<S> & { readonly create: () => Promise<S> },
): Promise<S> {
  const looks = looksOf(flags['max-wait'])
  const session = await create()
  if (flags['open'] === true) await openInBrowser(pageOf(session))
  return flags['wait'] === true ? awaitEnd(session, looks, looking) : session
}

/** Waits for the end of a session, looking at most so often, and sets the exit code by it. */
export function awaitEnd<S extends Ending>(session: S, looks: number, looking: Looking<S>): Promise<S> {
  const begun = `Waiting for its buyer at ${sanitizeText(pageOf(session))}`
  return untilEnded(session, { looks, begun, late: 'Nobody completed it in that time' }, looking)
}

/** The same for a session whose card was sent, so that one still open waits for its issuer alone. */
export function awaitIssuer<S extends Ending>(session: S, looking: Looking<S>): Promise<S> {
  const begun = 'Waiting for the issuer, which takes its time with this card.'
  const late = `The issuer has not decided within ${ISSUER_LIMIT}: the payment is still processing`
  return untilEnded(session, { looks: looksOf(ISSUER_LIMIT), begun, late }, looking)
}

interface Patience {
  readonly looks: number
  /** What is said of a session that is open, and of one that still is after so many looks. */
  readonly begun: string
  readonly late: string
}

async function untilEnded<S extends Ending>(
  session: S,
  { looks, begun, late }: Patience,
  { retrieve, nextLook = halfSecond }: Looking<S>,
): Promise<S> {
  if (session.status === 'open') printNote(begun)
  let current = session
  for (let look = 0; current.status === 'open' && look < looks; look += 1) {
    await nextLook()
    current = await retrieve(session.id)
  }
  if (current.status === 'open') {
    process.exitCode = EXIT_CODES.timeout
    printNote(`${late}; it stays open.`)
  }
  if (current.status === 'expired') {
    process.exitCode = EXIT_CODES.refused
    printNote('It expired: nothing was paid. Create another session to try again.')
  }
  return current
}

/** How often to look in the time that `--max-wait` gives; without end when it gives none. */
export function looksOf(maxWait: unknown): number {
  return typeof maxWait === 'string' ? Math.ceil(durationMs('max-wait', maxWait) / LOOK_EVERY_MS) : Infinity
}

function halfSecond(): Promise<void> {
  return pause(LOOK_EVERY_MS, new AbortController().signal)
}
