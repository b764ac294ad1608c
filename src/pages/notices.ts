import type { Notice } from './card-form.ts'
import type { Language } from './language.ts'

/** What to say above a form that carries no valid token. */
export function unverified({ say }: Language): Notice {
  return { title: say('sendAgain'), text: say('sendAgainWhy') }
}

/** What to say above a form with faulty fields. */
export function faulty({ say }: Language): Notice {
  return { title: say('checkDetails'), text: say('nothingCharged') }
}

/** What happened to a card and what to do; `last4` where it might have been charged. */
export function declineNotice(
  { code, message, last4 }: { readonly code: string; readonly message: string; readonly last4?: string },
  { say, translate }: Language,
): Notice {
  const title = say(code === 'authentication_failed' ? 'notConfirmed' : 'cardDeclined')
  const uncharged = last4 === undefined ? [] : [say('cardNotCharged', { last4 })]
  return { title, text: [translate(message), ...uncharged].join(' ') }
}
