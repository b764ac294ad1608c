import { DEFAULT_SANDBOX } from '../routing/router.ts'
import { RequestError, request } from './api-client.ts'

/** The sandbox that this browser is signed in to; `default` opens every sandbox. */
export const SESSION_SANDBOX =
  document.querySelector<HTMLMetaElement>('meta[name="sandbox"]')?.content ?? DEFAULT_SANDBOX

/** Ends the session of this browser, and opens the page that explains how to sign in. */
export async function signOut(): Promise<void> {
  // The session may already have expired or been signed out.
  await request('POST', `/dashboard/${SESSION_SANDBOX}/sessions/current/end`).catch((error: unknown) => {
    if (!(error instanceof RequestError && error.status === 401)) throw error
  })
  window.location.assign('/dashboard')
}
