import type { Language } from '../languages/language.ts'
import type { FormState, Notice } from './card-form.ts'
import { NOTHING_KEPT } from './entered-card.ts'
import type { Reason, Resumed } from './resumed-form.ts'

/** What a form shows that was perhaps sent before. */
export function formState(
  resumed: Resumed | null,
  shown: Pick<FormState, 'token' | 'now'>,
  language: Language,
): FormState {
  const { problems = [], kept = NOTHING_KEPT } = resumed ?? {}
  return { ...shown, problems, kept, notice: noticeOf(resumed?.reason, language) }
}

/** What to say above a form that is shown again; nothing once what kept it back is over. */
export function noticeOf(reason: Reason | undefined, language: Language): Notice | null {
  const { say } = language
  switch (reason?.why) {
    case 'unverified':
      return { title: say('sendAgain'), text: say('sendAgainWhy') }
    case 'unused':
      return { title: say('sendAgain'), text: say('notUsed') }
    case 'unchosen':
      return { title: say('chooseOne'), text: say('chooseOneHow') }
    case 'faulty':
      return { title: say('checkDetails'), text: say('nothingCharged') }
    case 'declined':
      return declineNotice(reason, language)
    case 'too_many_declines':
    case undefined:
      return null
  }
}

/** What happened to a card and what to do; `last4` where it might have been charged. */
function declineNotice(
  { code, message, last4 }: Extract<Reason, { readonly why: 'declined' }>,
  language: Language,
): Notice {
  const { say, translate } = language
  const uncharged = last4 === undefined ? [] : [say('cardNotCharged', { last4 })]
  return { title: declineTitle(code, language), text: [translate(message), ...uncharged].join(' ') }
}

/** What a declined charge is called, by its code. */
export function declineTitle(code: string | null, { say }: Pick<Language, 'say'>): string {
  const isUnconfirmed = code === 'authentication_failed' || code === 'authentication_required'
  return say(isUnconfirmed ? 'notConfirmed' : 'cardDeclined')
}
