import type { FlagInput } from '@oclif/core/interfaces'
import { EXIT_CODES } from '../output/exit-codes.ts'
import { printNote } from '../output/output.ts'
import { parseDurationSeconds } from '../parse/duration.ts'
import { boolean, string } from '../parse/flag-builders.ts'
import type { FlagValues } from '../parse/params.ts'
import { requireSessionUrl } from './session-url.ts'

const POLL_MS = 500
/** Maximum wait for the issuer, which takes up to 3 s. With a frozen clock, the issuer never decides. */
const ISSUER_TIMEOUT = '10s'

/** The flags of commands that can wait until a session is complete or expired. */
export const waitFlags: FlagInput = {
  wait: boolean({
    description:
      'Wait until the session is complete or expired, then print the session. Exits with 0 if complete, 6 if expired.',
  }),
  'max-wait': string({
    description:
      'Maximum time to wait (default: no limit). On timeout, exits with code 7, and the session stays open.',
    helpValue: '<90s|10m|1d>',
    dependsOn: ['wait'],
  }),
}

/** The flag of commands that create a session and can open its page. */
export const openFlag: FlagInput = {
  open: boolean({ description: 'Open the page of the session in the browser.' }),
}

/** The flags of commands that create a session and can open its page or wait for its end. */
export const openAndWaitFlags: FlagInput = { ...openFlag, ...waitFlags }

interface PolledSession {
  readonly id: string
  readonly url: string
  readonly status: 'open' | 'complete' | 'expired'
}

/** Reads the current state of a session. */
type RetrieveSession<S> = (id: string) => Promise<S>

/** Creates a session, and opens its page or waits for its end if the flags request it. Resolves with the last state. */
export async function createSessionAndWait<S extends PolledSession>(
  flags: FlagValues,
  create: () => Promise<S>,
  retrieve: RetrieveSession<S>,
): Promise<S> {
  const polls = getMaxPolls(flags['max-wait'])
  const session = await create()
  if (flags['open'] === true) {
    const { openInBrowserOrPrint } = await import('./browser.ts')
    await openInBrowserOrPrint(
      requireSessionUrl(session),
      flags['wait'] !== true && flags['field'] === undefined,
    )
  }
  return flags['wait'] === true ? waitForSessionEnd(session, polls, retrieve) : session
}

/** Polls a session until it is complete or expired or the maximum number of polls is reached, and sets the exit code. */
export async function waitForSessionEnd<S extends PolledSession>(
  session: S,
  polls: number,
  retrieve: RetrieveSession<S>,
  waitForPoll = pauseBetweenPolls,
): Promise<S> {
  if (session.status === 'open') printNote(`Waiting for the customer at ${requireSessionUrl(session)}`)
  const poll = () => waitForPoll().then(() => retrieve(session.id))
  return waitWhileOpen(session, polls, poll, 'The session was not completed in time')
}

/** Polls a session with a submitted card until the issuer has decided (at most 10 s), and sets the exit code. */
export async function waitForIssuerDecision<S extends PolledSession>(
  session: S,
  retrieve: RetrieveSession<S>,
  waitForPoll = pauseBetweenPolls,
): Promise<S> {
  if (session.status === 'open') printNote('Waiting for the issuer to decide.')
  const poll = () => waitForPoll().then(() => retrieve(session.id))
  const timeoutMessage = `The issuer has not decided within ${ISSUER_TIMEOUT}: the payment is still processing`
  return waitWhileOpen(session, getMaxPolls(ISSUER_TIMEOUT), poll, timeoutMessage)
}

async function waitWhileOpen<S extends PolledSession>(
  session: S,
  polls: number,
  poll: () => Promise<S>,
  timeoutMessage: string,
): Promise<S> {
  let current = session
  for (let count = 0; current.status === 'open' && count < polls; count += 1) current = await poll()
  if (current.status === 'open') {
    process.exitCode = EXIT_CODES.timeout
    printNote(`${timeoutMessage}. The session stays open.`)
  }
  if (current.status === 'expired') {
    process.exitCode = EXIT_CODES.rejected
    printNote('The session expired without a payment. Create another session to try again.')
  }
  return current
}

/** Returns the number of polls within `--max-wait`, or Infinity without a limit. */
export function getMaxPolls(maxWait: unknown): number {
  return typeof maxWait === 'string'
    ? Math.ceil((parseDurationSeconds('max-wait', maxWait) * 1000) / POLL_MS)
    : Infinity
}

async function pauseBetweenPolls(): Promise<void> {
  const { waitUnlessAborted } = await import('../../client/timing.ts')
  await waitUnlessAborted(POLL_MS)
}
